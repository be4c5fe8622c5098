#!/bin/sh
# The layers hold: cmd -> ui -> store -> mail -> base. Includes never point upward, curses stays in
# ui/, and the core never prints, exits or runs a program.
set -u
cd "${SWARMUTT_SRC:-.}" || exit 1
failed=0

forbid() { # forbid WHAT PATTERN PATH...
    what=$1 pattern=$2
    shift 2
    for path in "$@"; do
        [ -d "$path" ] || continue
        if grep -rnE "$pattern" "$path"; then
            echo "^^ $what"
            failed=1
        fi
    done
}

forbid 'src/base knows nothing of the layers above' '#include "(\.\./)*(ui|cmd|store|mail)/' src/base
forbid 'src/mail knows nothing of disks and screens' '#include "(\.\./)*(ui|cmd|store)/' src/mail
forbid 'src/store knows nothing of commands and screens' '#include "(\.\./)*(ui|cmd)/' src/store
forbid 'ui knows nothing of commands' '#include "(\.\./)*cmd/' ui
forbid 'a layout is names and bytes, without a single system call' \
    '#include (<(unistd|fcntl|dirent|sys/)|"base/(file|queue|log|crash)|"store/([a-eg-kmnoq-z]|li|lo|pa[^c]|pu))' \
    src/store/layouts
forbid 'curses belongs in ui/' '#include <(n?curses|ncursesw/)' src
forbid 'the core does not print, exit or start programs' \
    '(^|[^a-z_])(printf|puts|putchar|perror|exit|system|popen|exec[lv]p?e?)\(|(^|[^/])(stdout|stderr)' \
    src/base src/mail src/store
forbid 'unbounded string functions' '(^|[^a-z_])(strcpy|sprintf|gets|strncpy)\(' src ui
exit $failed
