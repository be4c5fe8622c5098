/* The list of views: everything about a view that is needed outside its own file.
 *
 * A view is a file of ui that defines view_NAME (ui/screen.h), and a line here, in the order of
 * their numbers: the symbol of VIEW_, IN_ and ACTION_VIEW_, its name in the config and as the
 * action that opens it, its key, and its text in help. The list is here because the config needs
 * the names. */
#ifndef STORE_VIEW_NAMES_H
#define STORE_VIEW_NAMES_H

/* clang-format off */
#define VIEWS(X) \
    X(INBOX, inbox, "1", "what needs you, what is unread, the rest") \
    X(AGENTS, agents, "2", "who is stuck, and why") \
    X(DECIDE, decide, "3", "what waits for your decision") \
    X(DRAFTS, drafts, "4", "drafts, and what is on its way") \
    X(ARCHIVE, archived, "5", "what was archived") \
    X(FLOW, flow, "6", "who talks to whom")
/* clang-format on */

#define VIEW_NUMBER(symbol, name, key, help) VIEW_##symbol,
enum view_number { VIEWS(VIEW_NUMBER) VIEW_COUNT };
#undef VIEW_NUMBER

#endif
