/* Rows of the table of actions, in the order of the help: one action per line.
 *
 * The including file defines ROW: keymap.h makes the names ACTION_... of the rows, keymap.c the
 * table. After the symbol come the members of struct action_info, which keymap.h explains. */
/* clang-format off */
ROW(NONE, "none", NULL, "do nothing; frees a key", NULL, "", 0, GROUP_PROGRAM, false, false)

/* moving */
ROW(NEXT, "next", NULL, "next row or line", NULL, "j Down", IN_SCREENS | IN_REVIEW, GROUP_MOVE, false, false)
ROW(PREVIOUS, "previous", NULL, "previous row or line", NULL, "k Up", IN_SCREENS | IN_REVIEW, GROUP_MOVE, false, false)
ROW(FIRST, "first", NULL, "first row or line", NULL, "gg Home", IN_SCREENS | IN_REVIEW, GROUP_MOVE, false, false)
ROW(LAST, "last", NULL, "last row or line", NULL, "G End", IN_SCREENS | IN_REVIEW, GROUP_MOVE, false, false)
ROW(HALF_DOWN, "half-down", NULL, "half a page down", NULL, "^D", IN_SCREENS | IN_REVIEW, GROUP_MOVE, false, false)
ROW(HALF_UP, "half-up", NULL, "half a page up", NULL, "^U", IN_SCREENS | IN_REVIEW, GROUP_MOVE, false, false)
ROW(PAGE_DOWN, "page-down", NULL, "a page down", NULL, "PgDn ^F", IN_SCREENS | IN_REVIEW, GROUP_MOVE, false, false)
ROW(PAGE_UP, "page-up", NULL, "a page up", NULL, "PgUp ^B", IN_SCREENS | IN_REVIEW, GROUP_MOVE, false, false)
ROW(SCROLL, "scroll", NULL, "a page down; at the end of a message the next one", NULL, "Space", IN_READING | IN_DECIDE | IN_REVIEW, GROUP_MOVE, false, false)
ROW(SCROLL_LEFT, "scroll-left", NULL, "to the left, where lines are not wrapped", NULL, "Left", IN_READING | IN_DECIDE | IN_REVIEW | IN_FLOW, GROUP_MOVE, false, false)
ROW(SCROLL_RIGHT, "scroll-right", NULL, "to the right, where lines are not wrapped", NULL, "Right", IN_READING | IN_DECIDE | IN_REVIEW | IN_FLOW, GROUP_MOVE, false, false)
ROW(OPEN, "open", NULL, "open what is selected; never approves anything", "open", "Enter", IN_LISTS, GROUP_MOVE, false, false)
ROW(BACK, "back", NULL, "leave this screen; in a view: clear the filter", "back", "q Esc", IN_SCREENS | IN_REVIEW, GROUP_MOVE, false, false)
ROW(NEXT_UNREAD, "next-unread", NULL, "next unread conversation or message", NULL, "Tab", IN_MAIL | IN_AGENTS | IN_THREAD, GROUP_MOVE, false, false)
ROW(NEXT_DECISION, "next-decision", NULL, "next request that waits for you", "next", "]", IN_MAIL | IN_AGENTS | IN_THREAD, GROUP_MOVE, false, false)
ROW(PREVIOUS_DECISION, "previous-decision", NULL, "previous request that waits for you", NULL, "[", IN_MAIL | IN_AGENTS | IN_THREAD, GROUP_MOVE, false, false)
ROW(NEXT_AGENT, "next-agent", NULL, "mail of the next agent", NULL, "J", IN_MAIL & ~IN_DECIDE, GROUP_MOVE, false, false)
ROW(PREVIOUS_AGENT, "previous-agent", NULL, "mail of the previous agent", NULL, "K", IN_MAIL & ~IN_DECIDE, GROUP_MOVE, false, false)
ROW(PICK_AGENT, "agent", "[AGENT]", "pick an agent: only its mail is shown", NULL, "c", (IN_MAIL & ~IN_DECIDE) | IN_AGENTS, GROUP_FIND, false, false)
ROW(OTHER_PANE, "other-pane", NULL, "go to the other pane", NULL, "^W", IN_MAIL | IN_DRAFTS | IN_THREAD, GROUP_MOVE, false, false)

/* reading */
ROW(NEXT_MESSAGE, "next-message", NULL, "next message of the conversation", NULL, "^N }", IN_THREAD, GROUP_READ, false, false)
ROW(PREVIOUS_MESSAGE, "previous-message", NULL, "previous message of the conversation", NULL, "^P {", IN_THREAD, GROUP_READ, false, false)
ROW(RAW, "raw", NULL, "the bytes of the message's file, and back", "raw", "v", IN_MAIL | IN_THREAD, GROUP_READ, false, false)
ROW(WRAP, "wrap", NULL, "wrap long lines, or not", NULL, "W", IN_READING | IN_DECIDE | IN_REVIEW, GROUP_READ, false, false)
ROW(HEADERS, "headers", NULL, "all fields of the message, or the usual ones", NULL, "h", IN_THREAD | IN_DECIDE, GROUP_READ, false, false)
ROW(PREVIEW, "preview", NULL, "show or hide the preview", NULL, "p", (IN_MAIL & ~IN_DECIDE) | IN_AGENTS | IN_DRAFTS, GROUP_READ, false, false)
ROW(FOLD, "fold", NULL, "fold or unfold this conversation", NULL, "za", IN_MAIL & ~IN_DECIDE, GROUP_READ, false, false)
ROW(FOLD_ALL, "fold-all", NULL, "fold all conversations", NULL, "zM", IN_MAIL & ~IN_DECIDE, GROUP_READ, false, false)
ROW(UNFOLD_ALL, "unfold-all", NULL, "unfold all conversations", NULL, "zR", IN_MAIL & ~IN_DECIDE, GROUP_READ, false, false)

/* writing */
ROW(COMPOSE, "compose", "[AGENT]", "write a message", "new", "m", IN_SCREENS & ~(IN_AGENTS | IN_AGENT), GROUP_WRITE, true, false)
ROW(REPLY, "reply", NULL, "reply to the sender", "reply", "r", IN_MAIL | IN_THREAD, GROUP_WRITE, true, false)
ROW(REPLY_ALL, "reply-all", NULL, "reply to everybody in the conversation", NULL, "ga", IN_MAIL | IN_THREAD, GROUP_WRITE, true, false)
ROW(FORWARD, "forward", NULL, "pass a message on", NULL, "f", IN_MAIL | IN_THREAD, GROUP_WRITE, true, false)
ROW(HANDOFF, "handoff", "[AGENT]", "hand work over from one agent to another", "handoff", "H", IN_SCREENS, GROUP_WRITE, true, false)
ROW(BROADCAST, "broadcast", "[TEAM]", "write to all of a team", NULL, "B", IN_SCREENS, GROUP_WRITE, true, false)
ROW(NUDGE, "nudge", "[AGENT]", "ask an agent how it is getting on", "nudge", "m gn", IN_AGENTS | IN_AGENT, GROUP_WRITE, true, false)
ROW(SHUTDOWN, "shutdown", "[AGENT]", "ask an agent to stop", NULL, "Os", IN_MAIL | IN_AGENTS | IN_THREAD, GROUP_WRITE, true, false)
ROW(MODE, "mode", "[AGENT [MODE]]", "set the mode that an agent works in", NULL, "Om", IN_MAIL | IN_AGENTS | IN_THREAD, GROUP_WRITE, true, false)
ROW(ASSIGN, "assign", "[AGENT]", "assign a task to an agent", NULL, "Oa", IN_MAIL | IN_AGENTS | IN_THREAD, GROUP_WRITE, true, false)
ROW(RULES, "rules", "[TEAM|AGENT]", "tell a team what a tool may be used for", NULL, "Or", IN_MAIL | IN_AGENTS | IN_THREAD, GROUP_WRITE, true, false)
ROW(ESCALATE, "escalate", NULL, "pass something on to who stands above", NULL, "Oe", IN_MAIL | IN_AGENTS | IN_THREAD, GROUP_WRITE, true, false)
ROW(RECALL, "recall", NULL, "go on with the last draft", NULL, "R", IN_SCREENS, GROUP_WRITE, true, false)

/* acting */
ROW(ARCHIVE, "archive", NULL, "archive the message or the folded conversation", "archive", "d A", (IN_MAIL & ~IN_ARCHIVE) | IN_THREAD, GROUP_ACT, true, false)
ROW(RESTORE, "restore", NULL, "bring it back out of the archive", NULL, "U", IN_ARCHIVE | IN_AGENT | IN_THREAD, GROUP_ACT, true, false)
ROW(MARK, "mark", "STATUS", "mark as read, unread, processing, completed or failed", NULL, "M", IN_MAIL | IN_THREAD, GROUP_ACT, true, false)
ROW(SNOOZE, "snooze", "[DURATION]", "hide it for a while, or until something new comes", NULL, "s", IN_MAIL | IN_THREAD, GROUP_ACT, true, false)
ROW(TAG, "tag", NULL, "tag or untag, for what comes next", NULL, "t Space", IN_MAIL & ~IN_DECIDE, GROUP_ACT, false, false)
ROW(TAG_FILTER, "tag-filter", "QUERY", "tag everything that matches a query", NULL, "T", IN_MAIL & ~IN_DECIDE, GROUP_ACT, false, false)
ROW(UNTAG_ALL, "untag-all", NULL, "untag everything", NULL, "^T", IN_MAIL, GROUP_ACT, false, false)
ROW(TAGGED, "tagged", NULL, "do the next action to all that is tagged", NULL, ";", IN_MAIL & ~IN_DECIDE, GROUP_ACT, false, false)
ROW(UNDO, "undo", NULL, "take the last change back", "undo", "u", IN_SCREENS, GROUP_ACT, true, false)
ROW(REDO, "redo", NULL, "do again what was taken back", NULL, "^R", IN_SCREENS, GROUP_ACT, true, false)
ROW(RETRY, "retry", NULL, "send again what could not be sent", "retry", "gr", IN_DRAFTS, GROUP_ACT, true, false)
ROW(DISCARD, "discard", NULL, "throw a draft away, or give up sending; asks first", "discard", "X Alt-x", IN_DRAFTS | IN_FORM, GROUP_ACT, true, false)

/* deciding; ui/decide compares them as a range: keep the order */
ROW(APPROVE, "approve", NULL, "say yes to a plan, a handoff or a question", "approve", "aa", IN_DECIDE, GROUP_DECIDE, true, true)
ROW(AMEND, "amend", NULL, "change the input of a tool, or choose the mode of a plan", "amend", "am", IN_DECIDE, GROUP_DECIDE, true, true)
ROW(REJECT, "reject", NULL, "say no to it, and why", "reject", "ar", IN_DECIDE, GROUP_DECIDE, true, true)
ROW(GRANT, "grant", NULL, "grant the use of a tool or a host, this once", "once", "ao", IN_DECIDE, GROUP_DECIDE, true, true)
ROW(GRANT_SESSION, "grant-session", NULL, "grant the same use for the agent's session; asks for a word", "session", "as", IN_DECIDE, GROUP_DECIDE, true, true)
ROW(GRANT_PATTERN, "grant-pattern", NULL, "grant what matches a pattern for the session; asks for a word", "pattern", "ap", IN_DECIDE, GROUP_DECIDE, true, true)
ROW(DENY, "deny", NULL, "deny the use of a tool or a host", "deny", "ad", IN_DECIDE, GROUP_DECIDE, true, true)
ROW(SUGGESTION, "suggestion", "[N]", "choose a suggestion of the request, or not; grants nothing yet", NULL, "ax", IN_DECIDE, GROUP_DECIDE, false, false)
ROW(PLAN_FILE, "plan-file", NULL, "compare a plan with the file that it names", NULL, "af", IN_DECIDE, GROUP_DECIDE, false, false)
ROW(TAG_REQUEST, "tag-request", NULL, "tag or untag a request: what is decided next is for all of them", NULL, "t", IN_DECIDE, GROUP_DECIDE, false, false)
ROW(GO_DECIDE, "go-decide", NULL, "to this request, where it is decided", "decide", "a", IN_INBOX | IN_AGENT | IN_THREAD, GROUP_DECIDE, false, false)

/* finding */
ROW(SEARCH, "search", "[TEXT]", "search while you type", "find", "/", IN_SCREENS, GROUP_FIND, false, false)
ROW(SEARCH_NEXT, "search-next", NULL, "next place that matches", NULL, "n", IN_SCREENS, GROUP_FIND, false, false)
ROW(SEARCH_PREVIOUS, "search-previous", NULL, "previous place that matches", NULL, "N", IN_SCREENS, GROUP_FIND, false, false)
ROW(SEARCH_ALL, "search-all", "[QUERY]", "search all mail by its words while you type", NULL, "S", IN_SCREENS, GROUP_FIND, false, false)
ROW(RANK, "rank", NULL, "the best first, or the newest first", "order", "o", IN_SEARCH, GROUP_FIND, false, false)
ROW(FILTER, "filter", "[QUERY]", "show only what matches a query", "filter", "l", (IN_MAIL & ~IN_DECIDE) | IN_AGENTS, GROUP_FIND, false, false)
ROW(SCOPE, "scope", "[mine|all|snoozed]", "everybody's mail, or only mine", NULL, "o", IN_INBOX | IN_ARCHIVE, GROUP_FIND, false, false)
ROW(PERIOD, "period", "[hour|day]", "count the last hour, or the last day", "period", "p", IN_FLOW, GROUP_FIND, false, false)

/* views */
#define VIEW_ROW(symbol, name, key, help) ROW(VIEW_##symbol, #name, NULL, help, NULL, key, IN_SCREENS, GROUP_VIEW, false, false)
VIEWS(VIEW_ROW)
#undef VIEW_ROW

/* the program */
ROW(COMMAND, "command", NULL, "type an action or a command", NULL, ":", IN_SCREENS, GROUP_PROGRAM, false, false)
ROW(HELP, "help", NULL, "all keys of this screen", "help", "? F1", IN_SCREENS | IN_REVIEW, GROUP_PROGRAM, false, false)
ROW(MOUSE, "mouse", NULL, "use the mouse, or leave it to the terminal", NULL, "%", IN_SCREENS, GROUP_PROGRAM, false, false)
ROW(REDRAW, "redraw", NULL, "draw everything again", NULL, "^L", IN_SCREENS | IN_FORM | IN_REVIEW | IN_LINE, GROUP_PROGRAM, false, false)
ROW(SUSPEND, "suspend", NULL, "back to the shell; fg comes back", NULL, "^Z", IN_SCREENS | IN_FORM | IN_REVIEW | IN_LINE, GROUP_PROGRAM, false, false)
ROW(QUIT, "quit", NULL, "leave the program; drafts are kept", "quit", "Q", IN_SCREENS, GROUP_PROGRAM, false, false)

/* forms */
ROW(SEND, "send", NULL, "review, then send", "review+send", "^X", IN_FORM | IN_REVIEW, GROUP_FORM, true, false)
ROW(POSTPONE, "postpone", NULL, "keep it as a draft and leave", "postpone", "^O", IN_FORM, GROUP_FORM, false, false)
ROW(EDITOR, "editor", NULL, "this field, or this line, in $EDITOR", "$EDITOR", "^E", IN_FORM | IN_LINE, GROUP_FORM, false, false)
ROW(REVIEW, "review", NULL, "exactly what would be sent", "preview", "^P", IN_FORM, GROUP_FORM, false, false)
ROW(NEXT_FIELD, "next-field", NULL, "next field", NULL, "Tab ^N", IN_FORM, GROUP_FORM, false, false)
ROW(PREVIOUS_FIELD, "previous-field", NULL, "previous field", NULL, "BackTab", IN_FORM, GROUP_FORM, false, false)
ROW(LEAVE, "leave", NULL, "leave; a form stays as a draft", "leave(keeps)", "Esc", IN_FORM | IN_LINE, GROUP_FORM, false, false)

/* editing a line or a field */
ROW(COMPLETE, "complete", NULL, "complete a name, a tag, a file or a command", NULL, "Tab", IN_LINE, GROUP_EDIT, false, false)
ROW(ACCEPT, "accept", NULL, "do it", NULL, "Enter", IN_LINE, GROUP_EDIT, false, false)
ROW(NEWLINE, "newline", NULL, "a new line", NULL, "Enter", IN_FIELD, GROUP_EDIT, false, false)
ROW(LEFT, "left", NULL, "a character to the left", NULL, "Left", IN_TEXT, GROUP_EDIT, false, false)
ROW(RIGHT, "right", NULL, "a character to the right", NULL, "Right", IN_TEXT, GROUP_EDIT, false, false)
ROW(UP, "up", NULL, "a line up; what was typed before", NULL, "Up", IN_TEXT, GROUP_EDIT, false, false)
ROW(DOWN, "down", NULL, "a line down; what was typed after", NULL, "Down", IN_TEXT, GROUP_EDIT, false, false)
ROW(WORD_LEFT, "word-left", NULL, "a word to the left", NULL, "Alt-b Ctrl-Left", IN_TEXT, GROUP_EDIT, false, false)
ROW(WORD_RIGHT, "word-right", NULL, "a word to the right", NULL, "Alt-f Ctrl-Right", IN_TEXT, GROUP_EDIT, false, false)
ROW(LINE_START, "line-start", NULL, "start of the line", NULL, "Home ^A", IN_TEXT, GROUP_EDIT, false, false)
ROW(LINE_END, "line-end", NULL, "end of the line", NULL, "End Alt-e", IN_TEXT, GROUP_EDIT, false, false)
ROW(DELETE_BACK, "delete-back", NULL, "delete the character before", NULL, "Backspace", IN_TEXT, GROUP_EDIT, false, false)
ROW(DELETE, "delete", NULL, "delete the character", NULL, "Delete ^D", IN_TEXT, GROUP_EDIT, false, false)
ROW(DELETE_WORD_BACK, "delete-word-back", NULL, "delete the word before", NULL, "^W Alt-Backspace", IN_TEXT, GROUP_EDIT, false, false)
ROW(DELETE_WORD, "delete-word", NULL, "delete the word behind", NULL, "Alt-d", IN_TEXT, GROUP_EDIT, false, false)
ROW(DELETE_TO_START, "delete-to-start", NULL, "delete to the start of the line", NULL, "^U", IN_TEXT, GROUP_EDIT, false, false)
ROW(DELETE_TO_END, "delete-to-end", NULL, "delete to the end of the line", NULL, "^K", IN_TEXT, GROUP_EDIT, false, false)
ROW(YANK, "yank", NULL, "put back what was deleted last", NULL, "^Y", IN_TEXT, GROUP_EDIT, false, false)
ROW(EDIT_UNDO, "edit-undo", NULL, "take the last edit back", NULL, "^_ Alt-u", IN_TEXT, GROUP_EDIT, false, false)
ROW(EDIT_REDO, "edit-redo", NULL, "do it again", NULL, "^R Alt-r", IN_TEXT, GROUP_EDIT, false, false)
#undef ROW
