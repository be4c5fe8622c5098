#!/bin/sh
# Checks the layers: cmd -> ui -> store -> mail -> base, cmd -> mcp -> mail, and lib -> store.
# Includes never point upward, curses stays in ui/, and the core never prints, exits or runs a
# program. Also checks that the lists of source files are complete.
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

forbid 'src/base knows nothing of the layers above' '#include "(\.\./)*(ui|cmd|lib|mcp|store|mail)/' src/base
forbid 'src/mail knows nothing of disks and screens' '#include "(\.\./)*(ui|cmd|lib|mcp|store)/' src/mail
forbid 'src/store knows nothing of commands and screens' '#include "(\.\./)*(ui|cmd|lib|mcp)/' src/store
forbid 'ui knows nothing of commands and servers' '#include "(\.\./)*(cmd|lib|mcp)/' ui
forbid 'src/mcp is a protocol, without mailboxes, screens or a single system call' \
    '#include (<(unistd|fcntl|poll|dirent|sys/)|"((\.\./)*(ui|cmd|lib|store)/|base/(file|queue|log|crash)))' src/mcp
forbid 'the library knows nothing of commands and screens' '#include "(\.\./)*(ui|cmd|mcp)/' src/lib
forbid 'the program does not go through its own library' '#include "(\.\./)*lib/' src/cmd
forbid 'the library leaves the process as it is' \
    '(^|[^a-z_])(setlocale|signal|sigaction|chdir|setenv|putenv|cJSON_InitHooks)\(' \
    src/lib src/store src/mail
forbid 'a layout is names and bytes, without a single system call' \
    '#include (<(unistd|fcntl|dirent|sys/)|"base/(file/|queue|log)|"store/([a-eg-kmnop-z]|la[^y]|[^/]*\.h))' \
    src/store/layouts
forbid 'the agents of the demo share no code with the client' '#include "(\.\./)*(base|mail|store|ui|cmd)/' src/demo
forbid 'the client shares no code with the agents of the demo' '#include "(\.\./)*demo/' src/base src/mail src/store src/cmd ui
forbid 'curses belongs in ui/' '#include <(n?curses|ncursesw/)' src
forbid 'the core does not print, exit or start programs' \
    '(^|[^a-z_])(printf|puts|putchar|perror|exit|system|popen|exec[lv]p?e?)\(|(^|[^/])(stdout|stderr)' \
    src/base src/mail src/store src/lib src/mcp
forbid 'unbounded string functions' '(^|[^a-z_])(strcpy|sprintf|gets|strncpy)\(' src ui
build-aux/sources --check || failed=1
exit $failed
