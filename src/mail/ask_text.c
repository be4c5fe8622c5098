/* Asks in words: from the fields of the protocol where there is one. */
#include "mail/ask_text.h"

#include "base/json.h"
#include "mail/kind.h"
#include "mail/protocol.h"

/* What tells most about the use of a tool, in this order. */
static const char *const telling[] = {"command", "file_path", "notebook_path", "path",
                                      "url",     "query",     "pattern"};

/* The member that tells most, else the first text, else all of it. */
static struct span telling_input(struct span input, struct arena *arena)
{
    enum { TELLING = sizeof telling / sizeof *telling };
    size_t best = TELLING + 1;
    struct span found = input;
    struct json_walk walk;
    struct json key, value;
    struct err ignored;

    if (!input.len || !json_open(&walk, input, JSON_STRICT, &ignored))
        return input;
    while (json_next(&walk, &key, &value)) {
        size_t rank = 0;
        while (rank < TELLING && !json_is(key, telling[rank]))
            rank++;
        /* of equal keys the last one counts */
        if (value.kind != JSON_STRING || rank > best || (rank == best && rank == TELLING))
            continue;
        best = rank;
        found = json_text(arena, value);
    }
    return found;
}

static void add_permission(struct str *out, const struct protocol *p, struct arena *arena)
{
    struct span input = span_trim(telling_input(p->input, arena));

    if (span_is(input, "{}"))
        input = span_trim(p->description); /* the agent's own words are all there is */
    str_add_span(out, p->tool_name);
    if (p->tool_name.len && input.len)
        str_puts(out, ": ");
    str_add_span(out, input);
}

void ask_add_text(struct str *out, const struct message *message)
{
    const struct message_data *data = message->data;
    struct arena arena = {0};
    struct protocol p = {0};
    size_t before = out->len;

    if (data && data->protocol.len)
        protocol_parse(&p, data->protocol, &arena);
    if (p.kind == PROTOCOL_PERMISSION_REQUEST)
        add_permission(out, &p, &arena);
    else if (p.kind == PROTOCOL_SANDBOX_PERMISSION_REQUEST)
        str_add_span(out, p.host);
    else if (p.kind == PROTOCOL_PLAN_APPROVAL_REQUEST)
        str_add_span(out, span_trim(p.plan));
    else if (p.kind == PROTOCOL_SHUTDOWN_REQUEST)
        str_add_span(out, span_trim(p.reason));
    if (out->len == before)
        str_add_span(out, message->subject);
    if (out->len == before && data)
        str_add_span(out, span_trim(data->body));
    arena_free(&arena);
}

void ask_add_title(struct str *out, const struct message *message)
{
    struct str whole = {0};

    ask_add_text(&whole, message);
    struct span text = span_trim(str_span(&whole));
    struct span line = span_first_line(text);
    bool more = line.len < text.len;
    while (message->kind == KIND_PLAN && line.len && line.at[0] == '#') {
        line.at++;
        line.len--;
    }
    str_add_span(out, span_trim(line));
    str_puts(out, more && message->kind != KIND_PLAN ? " ..." : "");
    str_free(&whole);
}
