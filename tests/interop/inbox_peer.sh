#!/bin/sh
# The other side of the inbox directories with an archive below, for the tests: an agent with a
# shell. It writes messages in place with a here-document, moves them with mv, and finds them with
# ls, grep and find.
#
# inbox_peer.sh INBOXES COMMAND
#   check INBOX                                      paths of waiting messages
#   read INBOX FILE                                  one message
#   send INBOX FROM SUBJECT CONTENT CONVERSATION     prints the file's name
#   reply INBOX FROM CONTENT CONVERSATION ORIGINAL   prints the file's name
#   archive INBOX FILE
#   history CONVERSATION                             archived messages of a conversation
#   waiting CONVERSATION                             waiting ones
#   recent INBOX                                     archived ones, the newest first
#   cleanup                                          removes old archived messages
set -eu

inboxes=$1
command=$2
shift 2

name_for() { # name_for SENDER WORD
    echo "$(date +%s)-$1-$2.json"
}

case $command in
check)
    ls "$inboxes/$1"/*.json 2>/dev/null || true
    ;;
read)
    cat "$inboxes/$1/$2"
    ;;
send)
    name=$(name_for "$2" message)
    cat >"$inboxes/$1/$name" <<MESSAGE
{
  "id": "$2-$(date +%s%N)",
  "timestamp": "$(date -u +%Y-%m-%dT%H:%M:%SZ)",
  "from": "$2",
  "to": "$1",
  "subject": "$3",
  "content": "$4",
  "conversationId": "$5",
  "priority": "normal"
}
MESSAGE
    echo "$name"
    ;;
reply)
    name=$(name_for "$2" reply)
    cat >"$inboxes/$1/$name" <<MESSAGE
{
  "id": "$2-$(date +%s%N)",
  "timestamp": "$(date -u +%Y-%m-%dT%H:%M:%SZ)",
  "from": "$2",
  "to": "$1",
  "subject": "Re: an answer",
  "content": "$3",
  "conversationId": "$4",
  "replyTo": "$5"
}
MESSAGE
    echo "$name"
    ;;
archive)
    mv "$inboxes/$1/$2" "$inboxes/$1/archive/"
    ;;
history)
    grep -l "$1" "$inboxes"/*/archive/*.json || true
    ;;
waiting)
    grep -l "$1" "$inboxes"/*/*.json || true
    ;;
recent)
    ls -t "$inboxes/$1/archive/"
    ;;
cleanup)
    find "$inboxes"/*/archive -name '*.json' -mtime +7 -delete
    ;;
*)
    sed -n '6,16s/^# *//p' "$0" >&2
    exit 2
    ;;
esac
