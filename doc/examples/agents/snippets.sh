#!/bin/sh
# What an agent, or the script around it, does with its mail. Set ME to its name.
# Each function prints what the agent should read, and tells by its exit status what came of it.
ME=${ME:-worker-1}

# At the start of every turn: what is new, a line for each message, its id first. Exit status 1: nothing.
check_mail() {
    swarmutt check "$ME"
}

# read_mail ID: one message, whole.
read_mail() {
    swarmutt show "$1"
}

# tell AGENT SUBJECT < text: a message; prints its id.
tell() {
    swarmutt send --from "$ME" --to "$1" --subject "$2" -
}

# answer ID < text
answer() {
    swarmutt reply "$1" --from "$ME" -
}

# hand_over AGENT SUBJECT DONE STATE NEXT: the work goes to another agent.
hand_over() {
    swarmutt handoff --from "$ME" --to "$1" --subject "$2" --done "$3" --state "$4" --next "$5"
}

# await_answer FROM SECONDS: until that agent writes; exit status 1: it did not in time.
await_answer() {
    swarmutt wait --new "to:$ME from:$1" --timeout "$2"
}

# Run as a program: snippets.sh check_mail, snippets.sh tell builder-1 "Tests" < report.txt
"$@"
