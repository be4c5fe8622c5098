#!/bin/sh
# embed.sh TABLE= NAME:FILE... [TABLE= NAME:FILE...]: files as a C source for embedded.h, on standard
# output.
set -eu

echo '/* Made by src/cmd/embed.sh. */'
echo '#include "cmd/embedded.h"'
open=
for word; do
    case $word in
    *=)
        [ -z "$open" ] || printf '    {0},\n};\n'
        printf '\nconst struct embedded %s[] = {\n' "${word%=}"
        open=yes
        ;;
    *)
        echo "    {\"${word%%:*}\","
        sed 's/\\/\\\\/g; s/"/\\"/g; s/.*/     "&\\n"/' "${word#*:}"
        echo '    },'
        ;;
    esac
done
printf '    {0},\n};\n'
