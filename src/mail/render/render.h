/* Rendering: a message as text for people, agents and programs. */
#ifndef MAIL_RENDER_RENDER_H
#define MAIL_RENDER_RENDER_H

#include "mail/message/message.h"

/* How the reader of the output is reached. */
struct render_options {
    unsigned clean;      /* SANITIZE_ASCII or 0 */
    int64_t now_us;      /* for ages */
    struct span handoff; /* of render_text(): what became of the handoff that it is; or absent */
    size_t *escaped;     /* of render_markdown(), which no terminal gets: counts the characters that
                            were written out because nobody would see them; all others are as they
                            are. NULL: for a terminal */
};

/* The layout of the ADR-003 document's to_markdown(). Needs data and body. No final newline. */
void render_markdown(struct str *out, const struct message *message,
                     const struct render_options *style);

/* The whole message with its head, for reading in a terminal. Needs data and body. */
void render_text(struct str *out, const struct message *message,
                 const struct render_options *style);

/* The members of a valid object, KEY: VALUE, for reading: texts decoded, those with several lines
 * and the members of objects below their key and indented, the rest as it was written. */
void render_fields(struct str *out, struct span object, const struct render_options *style);

/* A list, one line a message, its columns as wide as they must be. With `columns` lines are cut to
 * that width; 0 cuts nothing. */
struct render_list {
    struct message *const *messages;
    size_t count;
    size_t columns;
    bool hide_to;
};
void render_list(struct str *out, const struct render_list *list,
                 const struct render_options *style);

/* Pending messages as a block to be put before an agent's prompt: the first five of them, 500
 * characters each. `least` is the priority they were chosen by. Each needs its body. */
void render_prompt(struct str *out, struct message *const *messages, size_t count,
                   enum priority least, const struct render_options *style);

/* As the programs of Claude Code teams show a message to the model, but so that nothing in it can
 * end the tag. Needs its body. */
void render_xml(struct str *out, const struct message *message, const struct render_options *style);

/* As the OpenClaw gateway tells an agent of a message: its label, then [URGENT] From NAME: text.
 * Needs its body. */
void render_event(struct str *out, const struct message *message,
                  const struct render_options *style);

/* One line of JSON, version 1 of the contract in swarmutt-json(5). `source` and `path` are
 * absolute. What was not asked for when the message was read is null. */
void render_json(struct str *out, const struct message *message, const char *format,
                 struct span source, struct span path);

#endif
