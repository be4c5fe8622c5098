/* The table of actions. */
#include "ui/action.h"

#include <string.h>

const char *const action_groups[GROUP_COUNT] = {
    [GROUP_MOVE] = "Move",    [GROUP_READ] = "Read",       [GROUP_WRITE] = "Write",
    [GROUP_ACT] = "Act",      [GROUP_DECIDE] = "Decide",   [GROUP_FIND] = "Find",
    [GROUP_VIEW] = "Views",   [GROUP_PROGRAM] = "Program", [GROUP_FORM] = "Forms",
    [GROUP_EDIT] = "Editing",
};

/* clang-format off */
const struct action_info actions[ACTION_COUNT] = {
    [ACTION_NONE] = {"none", NULL, "do nothing; frees a key", NULL, "", 0, GROUP_PROGRAM, false, false},

    [ACTION_NEXT] = {"next", NULL, "next row or line", NULL, "j Down", IN_SCREENS | IN_REVIEW, GROUP_MOVE, false, false},
    [ACTION_PREVIOUS] = {"previous", NULL, "previous row or line", NULL, "k Up", IN_SCREENS | IN_REVIEW, GROUP_MOVE, false, false},
    [ACTION_FIRST] = {"first", NULL, "first row or line", NULL, "gg Home", IN_SCREENS | IN_REVIEW, GROUP_MOVE, false, false},
    [ACTION_LAST] = {"last", NULL, "last row or line", NULL, "G End", IN_SCREENS | IN_REVIEW, GROUP_MOVE, false, false},
    [ACTION_HALF_DOWN] = {"half-down", NULL, "half a page down", NULL, "^D", IN_SCREENS | IN_REVIEW, GROUP_MOVE, false, false},
    [ACTION_HALF_UP] = {"half-up", NULL, "half a page up", NULL, "^U", IN_SCREENS | IN_REVIEW, GROUP_MOVE, false, false},
    [ACTION_PAGE_DOWN] = {"page-down", NULL, "a page down", NULL, "PgDn ^F", IN_SCREENS | IN_REVIEW, GROUP_MOVE, false, false},
    [ACTION_PAGE_UP] = {"page-up", NULL, "a page up", NULL, "PgUp ^B", IN_SCREENS | IN_REVIEW, GROUP_MOVE, false, false},
    [ACTION_SCROLL] = {"scroll", NULL, "a page down; at the end of a message the next one", NULL, "Space", IN_READING | IN_DECIDE | IN_REVIEW, GROUP_MOVE, false, false},
    [ACTION_SCROLL_LEFT] = {"scroll-left", NULL, "to the left, where lines are not wrapped", NULL, "Left", IN_READING | IN_DECIDE | IN_REVIEW | IN_FLOW, GROUP_MOVE, false, false},
    [ACTION_SCROLL_RIGHT] = {"scroll-right", NULL, "to the right, where lines are not wrapped", NULL, "Right", IN_READING | IN_DECIDE | IN_REVIEW | IN_FLOW, GROUP_MOVE, false, false},
    [ACTION_OPEN] = {"open", NULL, "open what is selected; never approves anything", "open", "Enter", IN_LISTS, GROUP_MOVE, false, false},
    [ACTION_BACK] = {"back", NULL, "leave this screen; in a view: clear the filter", "back", "q Esc", IN_SCREENS | IN_REVIEW, GROUP_MOVE, false, false},
    [ACTION_NEXT_UNREAD] = {"next-unread", NULL, "next unread conversation or message", NULL, "Tab", IN_MAIL | IN_AGENTS | IN_THREAD, GROUP_MOVE, false, false},
    [ACTION_NEXT_DECISION] = {"next-decision", NULL, "next request that waits for you", "next", "]", IN_MAIL | IN_AGENTS | IN_THREAD, GROUP_MOVE, false, false},
    [ACTION_PREVIOUS_DECISION] = {"previous-decision", NULL, "previous request that waits for you", NULL, "[", IN_MAIL | IN_AGENTS | IN_THREAD, GROUP_MOVE, false, false},
    [ACTION_NEXT_AGENT] = {"next-agent", NULL, "mail of the next agent", NULL, "J", IN_MAIL & ~IN_DECIDE, GROUP_MOVE, false, false},
    [ACTION_PREVIOUS_AGENT] = {"previous-agent", NULL, "mail of the previous agent", NULL, "K", IN_MAIL & ~IN_DECIDE, GROUP_MOVE, false, false},
    [ACTION_PICK_AGENT] = {"agent", "[AGENT]", "pick an agent: only its mail is shown", NULL, "c", (IN_MAIL & ~IN_DECIDE) | IN_AGENTS, GROUP_FIND, false, false},
    [ACTION_OTHER_PANE] = {"other-pane", NULL, "go to the other pane", NULL, "^W", IN_MAIL | IN_DRAFTS | IN_THREAD, GROUP_MOVE, false, false},

    [ACTION_NEXT_MESSAGE] = {"next-message", NULL, "next message of the conversation", NULL, "^N }", IN_THREAD, GROUP_READ, false, false},
    [ACTION_PREVIOUS_MESSAGE] = {"previous-message", NULL, "previous message of the conversation", NULL, "^P {", IN_THREAD, GROUP_READ, false, false},
    [ACTION_RAW] = {"raw", NULL, "the bytes of the message's file, and back", "raw", "v", IN_MAIL | IN_THREAD, GROUP_READ, false, false},
    [ACTION_WRAP] = {"wrap", NULL, "wrap long lines, or not", NULL, "W", IN_READING | IN_DECIDE | IN_REVIEW, GROUP_READ, false, false},
    [ACTION_HEADERS] = {"headers", NULL, "all fields of the message, or the usual ones", NULL, "h", IN_THREAD | IN_DECIDE, GROUP_READ, false, false},
    [ACTION_PREVIEW] = {"preview", NULL, "show or hide the preview", NULL, "p", (IN_MAIL & ~IN_DECIDE) | IN_AGENTS | IN_DRAFTS, GROUP_READ, false, false},
    [ACTION_FOLD] = {"fold", NULL, "fold or unfold this conversation", NULL, "za", IN_MAIL & ~IN_DECIDE, GROUP_READ, false, false},
    [ACTION_FOLD_ALL] = {"fold-all", NULL, "fold all conversations", NULL, "zM", IN_MAIL & ~IN_DECIDE, GROUP_READ, false, false},
    [ACTION_UNFOLD_ALL] = {"unfold-all", NULL, "unfold all conversations", NULL, "zR", IN_MAIL & ~IN_DECIDE, GROUP_READ, false, false},

    [ACTION_COMPOSE] = {"compose", "[AGENT]", "write a message", "new", "m", IN_SCREENS & ~(IN_AGENTS | IN_AGENT), GROUP_WRITE, true, false},
    [ACTION_REPLY] = {"reply", NULL, "reply to the sender", "reply", "r", IN_MAIL | IN_THREAD, GROUP_WRITE, true, false},
    [ACTION_REPLY_ALL] = {"reply-all", NULL, "reply to everybody in the conversation", NULL, "ga", IN_MAIL | IN_THREAD, GROUP_WRITE, true, false},
    [ACTION_FORWARD] = {"forward", NULL, "pass a message on", NULL, "f", IN_MAIL | IN_THREAD, GROUP_WRITE, true, false},
    [ACTION_HANDOFF] = {"handoff", "[AGENT]", "hand work over from one agent to another", "handoff", "H", IN_SCREENS, GROUP_WRITE, true, false},
    [ACTION_BROADCAST] = {"broadcast", "[TEAM]", "write to all of a team", NULL, "B", IN_SCREENS, GROUP_WRITE, true, false},
    [ACTION_NUDGE] = {"nudge", "[AGENT]", "ask an agent how it is getting on", "nudge", "m gn", IN_AGENTS | IN_AGENT, GROUP_WRITE, true, false},
    [ACTION_SHUTDOWN] = {"shutdown", "[AGENT]", "ask an agent to stop", NULL, "Os", IN_MAIL | IN_AGENTS | IN_THREAD, GROUP_WRITE, true, false},
    [ACTION_MODE] = {"mode", "[AGENT [MODE]]", "set the mode that an agent works in", NULL, "Om", IN_MAIL | IN_AGENTS | IN_THREAD, GROUP_WRITE, true, false},
    [ACTION_ASSIGN] = {"assign", "[AGENT]", "assign a task to an agent", NULL, "Oa", IN_MAIL | IN_AGENTS | IN_THREAD, GROUP_WRITE, true, false},
    [ACTION_RULES] = {"rules", "[TEAM|AGENT]", "tell a team what a tool may be used for", NULL, "Or", IN_MAIL | IN_AGENTS | IN_THREAD, GROUP_WRITE, true, false},
    [ACTION_ESCALATE] = {"escalate", NULL, "pass something on to who stands above", NULL, "Oe", IN_MAIL | IN_AGENTS | IN_THREAD, GROUP_WRITE, true, false},
    [ACTION_RECALL] = {"recall", NULL, "go on with the last draft", NULL, "R", IN_SCREENS, GROUP_WRITE, true, false},

    [ACTION_ARCHIVE] = {"archive", NULL, "archive the message or the folded conversation", "archive", "d A", (IN_MAIL & ~IN_ARCHIVE) | IN_THREAD, GROUP_ACT, true, false},
    [ACTION_RESTORE] = {"restore", NULL, "bring it back out of the archive", NULL, "U", IN_ARCHIVE | IN_AGENT | IN_THREAD, GROUP_ACT, true, false},
    [ACTION_MARK] = {"mark", "STATUS", "mark as read, unread, processing, completed or failed", NULL, "M", IN_MAIL | IN_THREAD, GROUP_ACT, true, false},
    [ACTION_SNOOZE] = {"snooze", "[DURATION]", "hide it for a while, or until something new comes", NULL, "s", IN_MAIL | IN_THREAD, GROUP_ACT, true, false},
    [ACTION_TAG] = {"tag", NULL, "tag or untag, for what comes next", NULL, "t Space", IN_MAIL & ~IN_DECIDE, GROUP_ACT, false, false},
    [ACTION_TAG_FILTER] = {"tag-filter", "QUERY", "tag everything that matches a query", NULL, "T", IN_MAIL & ~IN_DECIDE, GROUP_ACT, false, false},
    [ACTION_UNTAG_ALL] = {"untag-all", NULL, "untag everything", NULL, "^T", IN_MAIL, GROUP_ACT, false, false},
    [ACTION_TAGGED] = {"tagged", NULL, "do the next action to all that is tagged", NULL, ";", IN_MAIL & ~IN_DECIDE, GROUP_ACT, false, false},
    [ACTION_UNDO] = {"undo", NULL, "take the last change back", "undo", "u", IN_SCREENS, GROUP_ACT, true, false},
    [ACTION_REDO] = {"redo", NULL, "do again what was taken back", NULL, "^R", IN_SCREENS, GROUP_ACT, true, false},
    [ACTION_RETRY] = {"retry", NULL, "send again what could not be sent", "retry", "gr", IN_DRAFTS, GROUP_ACT, true, false},
    [ACTION_DISCARD] = {"discard", NULL, "throw a draft away, or give up sending; asks first", "discard", "X Alt-x", IN_DRAFTS | IN_FORM, GROUP_ACT, true, false},

    [ACTION_APPROVE] = {"approve", NULL, "say yes to a plan, a handoff or a question", "approve", "aa", IN_DECIDE, GROUP_DECIDE, true, true},
    [ACTION_AMEND] = {"amend", NULL, "change the input of a tool, or choose the mode of a plan", "amend", "am", IN_DECIDE, GROUP_DECIDE, true, true},
    [ACTION_REJECT] = {"reject", NULL, "say no to it, and why", "reject", "ar", IN_DECIDE, GROUP_DECIDE, true, true},
    [ACTION_GRANT] = {"grant", NULL, "grant the use of a tool or a host, this once", "once", "ao", IN_DECIDE, GROUP_DECIDE, true, true},
    [ACTION_GRANT_SESSION] = {"grant-session", NULL, "grant the same use for the agent's session; asks for a word", "session", "as", IN_DECIDE, GROUP_DECIDE, true, true},
    [ACTION_GRANT_PATTERN] = {"grant-pattern", NULL, "grant what matches a pattern for the session; asks for a word", "pattern", "ap", IN_DECIDE, GROUP_DECIDE, true, true},
    [ACTION_DENY] = {"deny", NULL, "deny the use of a tool or a host", "deny", "ad", IN_DECIDE, GROUP_DECIDE, true, true},
    [ACTION_SUGGESTION] = {"suggestion", "[N]", "choose a suggestion of the request, or not; grants nothing yet", NULL, "ax", IN_DECIDE, GROUP_DECIDE, false, false},
    [ACTION_PLAN_FILE] = {"plan-file", NULL, "compare a plan with the file that it names", NULL, "af", IN_DECIDE, GROUP_DECIDE, false, false},
    [ACTION_TAG_REQUEST] = {"tag-request", NULL, "tag or untag a request: what is decided next is for all of them", NULL, "t", IN_DECIDE, GROUP_DECIDE, false, false},
    [ACTION_GO_DECIDE] = {"go-decide", NULL, "to this request, where it is decided", "decide", "a", IN_INBOX | IN_AGENT | IN_THREAD, GROUP_DECIDE, false, false},

    [ACTION_SEARCH] = {"search", "[TEXT]", "search while you type", "find", "/", IN_SCREENS, GROUP_FIND, false, false},
    [ACTION_SEARCH_NEXT] = {"search-next", NULL, "next place that matches", NULL, "n", IN_SCREENS, GROUP_FIND, false, false},
    [ACTION_SEARCH_PREVIOUS] = {"search-previous", NULL, "previous place that matches", NULL, "N", IN_SCREENS, GROUP_FIND, false, false},
    [ACTION_SEARCH_ALL] = {"search-all", "[QUERY]", "search all mail by its words while you type", NULL, "S", IN_SCREENS, GROUP_FIND, false, false},
    [ACTION_RANK] = {"rank", NULL, "the best first, or the newest first", "order", "o", IN_SEARCH, GROUP_FIND, false, false},
    [ACTION_FILTER] = {"filter", "[QUERY]", "show only what matches a query", "filter", "l", (IN_MAIL & ~IN_DECIDE) | IN_AGENTS, GROUP_FIND, false, false},
    [ACTION_SCOPE] = {"scope", "[mine|all|snoozed]", "everybody's mail, or only mine", NULL, "o", IN_INBOX | IN_ARCHIVE, GROUP_FIND, false, false},
    [ACTION_PERIOD] = {"period", "[hour|day]", "count the last hour, or the last day", "period", "p", IN_FLOW, GROUP_FIND, false, false},

    [ACTION_INBOX] = {"inbox", NULL, "what needs you, what is unread, the rest", NULL, "1", IN_SCREENS, GROUP_VIEW, false, false},
    [ACTION_AGENTS] = {"agents", NULL, "who is stuck, and why", NULL, "2", IN_SCREENS, GROUP_VIEW, false, false},
    [ACTION_DECIDE] = {"decide", NULL, "what waits for your decision", NULL, "3", IN_SCREENS, GROUP_VIEW, false, false},
    [ACTION_DRAFTS] = {"drafts", NULL, "drafts, and what is on its way", NULL, "4", IN_SCREENS, GROUP_VIEW, false, false},
    [ACTION_ARCHIVED] = {"archived", NULL, "what was archived", NULL, "5", IN_SCREENS, GROUP_VIEW, false, false},
    [ACTION_FLOW] = {"flow", NULL, "who talks to whom", NULL, "6", IN_SCREENS, GROUP_VIEW, false, false},

    [ACTION_COMMAND] = {"command", NULL, "type an action or a command", NULL, ":", IN_SCREENS, GROUP_PROGRAM, false, false},
    [ACTION_HELP] = {"help", NULL, "all keys of this screen", "help", "? F1", IN_SCREENS | IN_REVIEW, GROUP_PROGRAM, false, false},
    [ACTION_MOUSE] = {"mouse", NULL, "use the mouse, or leave it to the terminal", NULL, "%", IN_SCREENS, GROUP_PROGRAM, false, false},
    [ACTION_REDRAW] = {"redraw", NULL, "draw everything again", NULL, "^L", IN_SCREENS | IN_FORM | IN_REVIEW | IN_LINE, GROUP_PROGRAM, false, false},
    [ACTION_SUSPEND] = {"suspend", NULL, "back to the shell; fg comes back", NULL, "^Z", IN_SCREENS | IN_FORM | IN_REVIEW | IN_LINE, GROUP_PROGRAM, false, false},
    [ACTION_QUIT] = {"quit", NULL, "leave the program; drafts are kept", "quit", "Q", IN_SCREENS, GROUP_PROGRAM, false, false},

    [ACTION_SEND] = {"send", NULL, "review, then send", "review+send", "^X", IN_FORM | IN_REVIEW, GROUP_FORM, true, false},
    [ACTION_POSTPONE] = {"postpone", NULL, "keep it as a draft and leave", "postpone", "^O", IN_FORM, GROUP_FORM, false, false},
    [ACTION_EDITOR] = {"editor", NULL, "this field, or this line, in $EDITOR", "$EDITOR", "^E", IN_FORM | IN_LINE, GROUP_FORM, false, false},
    [ACTION_REVIEW] = {"review", NULL, "exactly what would be sent", "preview", "^P", IN_FORM, GROUP_FORM, false, false},
    [ACTION_NEXT_FIELD] = {"next-field", NULL, "next field", NULL, "Tab ^N", IN_FORM, GROUP_FORM, false, false},
    [ACTION_PREVIOUS_FIELD] = {"previous-field", NULL, "previous field", NULL, "BackTab", IN_FORM, GROUP_FORM, false, false},
    [ACTION_LEAVE] = {"leave", NULL, "leave; a form stays as a draft", "leave(keeps)", "Esc", IN_FORM | IN_LINE, GROUP_FORM, false, false},

    [ACTION_COMPLETE] = {"complete", NULL, "complete a name, a tag, a file or a command", NULL, "Tab", IN_LINE, GROUP_EDIT, false, false},
    [ACTION_ACCEPT] = {"accept", NULL, "do it", NULL, "Enter", IN_LINE, GROUP_EDIT, false, false},
    [ACTION_NEWLINE] = {"newline", NULL, "a new line", NULL, "Enter", IN_FIELD, GROUP_EDIT, false, false},
    [ACTION_LEFT] = {"left", NULL, "a character to the left", NULL, "Left", IN_TEXT, GROUP_EDIT, false, false},
    [ACTION_RIGHT] = {"right", NULL, "a character to the right", NULL, "Right", IN_TEXT, GROUP_EDIT, false, false},
    [ACTION_UP] = {"up", NULL, "a line up; what was typed before", NULL, "Up", IN_TEXT, GROUP_EDIT, false, false},
    [ACTION_DOWN] = {"down", NULL, "a line down; what was typed after", NULL, "Down", IN_TEXT, GROUP_EDIT, false, false},
    [ACTION_WORD_LEFT] = {"word-left", NULL, "a word to the left", NULL, "Alt-b Ctrl-Left", IN_TEXT, GROUP_EDIT, false, false},
    [ACTION_WORD_RIGHT] = {"word-right", NULL, "a word to the right", NULL, "Alt-f Ctrl-Right", IN_TEXT, GROUP_EDIT, false, false},
    [ACTION_LINE_START] = {"line-start", NULL, "start of the line", NULL, "Home ^A", IN_TEXT, GROUP_EDIT, false, false},
    [ACTION_LINE_END] = {"line-end", NULL, "end of the line", NULL, "End Alt-e", IN_TEXT, GROUP_EDIT, false, false},
    [ACTION_DELETE_BACK] = {"delete-back", NULL, "delete the character before", NULL, "Backspace", IN_TEXT, GROUP_EDIT, false, false},
    [ACTION_DELETE] = {"delete", NULL, "delete the character", NULL, "Delete ^D", IN_TEXT, GROUP_EDIT, false, false},
    [ACTION_DELETE_WORD_BACK] = {"delete-word-back", NULL, "delete the word before", NULL, "^W Alt-Backspace", IN_TEXT, GROUP_EDIT, false, false},
    [ACTION_DELETE_WORD] = {"delete-word", NULL, "delete the word behind", NULL, "Alt-d", IN_TEXT, GROUP_EDIT, false, false},
    [ACTION_DELETE_TO_START] = {"delete-to-start", NULL, "delete to the start of the line", NULL, "^U", IN_TEXT, GROUP_EDIT, false, false},
    [ACTION_DELETE_TO_END] = {"delete-to-end", NULL, "delete to the end of the line", NULL, "^K", IN_TEXT, GROUP_EDIT, false, false},
    [ACTION_YANK] = {"yank", NULL, "put back what was deleted last", NULL, "^Y", IN_TEXT, GROUP_EDIT, false, false},
    [ACTION_EDIT_UNDO] = {"edit-undo", NULL, "take the last edit back", NULL, "^_ Alt-u", IN_TEXT, GROUP_EDIT, false, false},
    [ACTION_EDIT_REDO] = {"edit-redo", NULL, "do it again", NULL, "^R Alt-r", IN_TEXT, GROUP_EDIT, false, false},
};
/* clang-format on */

/* Where an action is of more use, or goes one step further, than elsewhere. */
static const struct {
    enum action action;
    unsigned where;
    const char *bar;
} others[] = {{ACTION_SEND, IN_REVIEW, "send"}, {ACTION_RESTORE, IN_ARCHIVE, "restore"}};

const char *action_bar(enum action action, unsigned where)
{
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].action == action && others[i].where & where)
            return others[i].bar;
    return actions[action].bar;
}

enum action action_find(const char *name)
{
    for (int i = 1; i < ACTION_COUNT; i++)
        if (strcmp(actions[i].name, name) == 0)
            return (enum action)i;
    return ACTION_NONE;
}
