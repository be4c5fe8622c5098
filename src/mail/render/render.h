/* Rendering: a message as text for people, agents and programs. */
#ifndef MAIL_RENDER_RENDER_H
#define MAIL_RENDER_RENDER_H

#include "mail/message/message.h"

/* Options that depend on the reader of the output. */
struct render_options {
    unsigned clean;      /* SANITIZE_ASCII or 0 */
    int64_t now_us;      /* for ages */
    struct span handoff; /* for render_text(): the status of the handoff that it is; or absent */
    size_t *escaped; /* for render_markdown(), when no terminal gets the output: counts characters
                        that were written out because nobody would see them; others are kept. NULL:
                        for a terminal */
};

/* Writes the layout of to_markdown() of the ADR-003 document. Needs data and body. No final
 * newline. */
void render_markdown(struct str *out, const struct message *message,
                     const struct render_options *style);

/* Writes the whole message with its head, for a terminal. Needs data and body. */
void render_text(struct str *out, const struct message *message,
                 const struct render_options *style);

/* Writes the members of a valid object as KEY: VALUE. Texts are decoded; texts of several lines and
 * members of objects are below their key and indented; everything else is as it was written. */
void render_fields(struct str *out, struct span object, const struct render_options *style);

/* A list of messages, one line each, with columns as wide as needed. Lines are cut to `columns`; 0
 * cuts nothing. */
struct render_list {
    struct message *const *messages;
    size_t count;
    size_t columns;
    bool hide_to;
};
void render_list(struct str *out, const struct render_list *list,
                 const struct render_options *style);

/* Writes pending messages as a block that is put before an agent's prompt: the first five of them,
 * 500 characters each. `least` is the priority by which they were chosen. Each needs its body. */
void render_prompt(struct str *out, struct message *const *messages, size_t count,
                   enum priority least, const struct render_options *style);

/* Writes a message as the programs of Claude Code teams show it to the model, escaped so that
 * nothing in it can end the tag. Needs its body. */
void render_xml(struct str *out, const struct message *message, const struct render_options *style);

/* Writes a message as the OpenClaw gateway reports it to an agent: its label, then [URGENT] From
 * NAME: text. Needs its body. */
void render_event(struct str *out, const struct message *message,
                  const struct render_options *style);

/* Writes one line of JSON, version 1 of the contract in swarmutt-json(5). `source` and `path` are
 * absolute. Data that was not loaded with the message is null. */
void render_json(struct str *out, const struct message *message, const char *format,
                 struct span source, struct span path);

#endif
