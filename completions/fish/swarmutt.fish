# Completion of swarmutt for fish.
#
# The program itself says what may follow (swarmutt complete); fish quotes what is inserted, and
# nothing is evaluated.

function __swarmutt_complete
    set -l words (commandline -opc)
    set -l token (commandline -ct)
    set -l program swarmutt
    type -q -f -- $words[1]; and set program $words[1]
    set -l lines (command $program complete fish -- $words[2..-1] "$token" 2>/dev/null)
    # --option=path
    set -l option (string match -r -- '^--[^=]+=' "$token")
    set -l path (string replace -r -- '^--[^=]+=' '' "$token")
    switch "$lines[1]"
        case files
            printf '%s\n' "$option"(__fish_complete_path "$path")
        case directories
            printf '%s\n' "$option"(__fish_complete_directories "$path" '')
        case programs
            __fish_complete_command
    end
    printf '%s\n' $lines[2..-1]
end

complete -c swarmutt -f -a '(__swarmutt_complete)'
