#!/bin/sh
# embed.sh MANDOC TABLE=FORM NAME:FILE... [TABLE= NAME:FILE...]: files as a C source for embedded.h, on
# standard output. A table with a FORM (utf8 or ascii) holds manual pages as mandoc formats them.
set -eu
mandoc=$1
shift

# page FORM FILE: without its head and foot, and without overstriking, which pagers show as bold
page() {
    backspace=$(printf '\b')
    "$mandoc" -T "$1" -O width=78 "$2" |
        LC_ALL=C sed -E "s/\+$backspace\+${backspace}o${backspace}o/*/g
            s/([\xc0-\xff][\x80-\xbf]*|.)$backspace//g" |
        sed '1,2d' | sed '$d' | sed '$d'
}

escape() {
    sed 's/\\/\\\\/g; s/"/\\"/g; s/.*/     "&\\n"/'
}

echo '/* Made by src/cmd/embed.sh. */'
echo '#include "cmd/embedded.h"'
open= form=
for word; do
    case $word in
    *=*)
        [ -z "$open" ] || printf '    {0},\n};\n'
        printf '\nconst struct embedded %s[] = {\n' "${word%%=*}"
        open=yes form=${word#*=}
        ;;
    *)
        echo "    {\"${word%%:*}\","
        if [ -n "$form" ]; then
            page "$form" "${word#*:}" | escape
        else
            escape <"${word#*:}"
        fi
        echo '    },'
        ;;
    esac
done
printf '    {0},\n};\n'
