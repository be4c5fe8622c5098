/* Protocol messages: a message that was read is sent unchanged, a request that may be approved
 * hides nothing, and each risk is at its reported position. */
#include "mail/protocol/protocol.h"

#include "base/text/sanitize.h"
#include "fuzz.h"
#include "mail/message/kind.h"
#include "mail/security/approval_check.h"
#include "mail/security/risk.h"
#include "store/layouts/claude.h"

#define CWD "/home/lead/project"

/* --- reading and writing --- */

static void check_again(const struct protocol *p, struct span composed)
{
    struct protocol again;
    struct arena arena = {0};
    struct str twice = {0};

    require(protocol_parse(&again, composed, &arena), "%.*s", (int)composed.len, composed.at);
    require(again.kind == p->kind && again.acts && !again.problem.at, "%.*s", (int)composed.len,
            composed.at);
    require(again.verdict == p->verdict && span_eq(again.request_id, p->request_id) &&
                span_eq(again.input, p->input) && span_eq(again.tool_name, p->tool_name) &&
                span_eq(again.host, p->host) && span_eq(again.plan, p->plan),
            "%.*s", (int)composed.len, composed.at);
    protocol_compose(&twice, &again);
    require(span_eq(str_span(&twice), composed), "%s", str_c(&twice));
    str_free(&twice);
    arena_free(&arena);
}

static void check_words(const struct protocol *p)
{
    struct str title = {0}, words = {0}, use = {0};

    protocol_title(&title, p);
    protocol_add_words(&words, p);
    protocol_add_use(&use, p);
    require(title.len || p->kind == PROTOCOL_UNKNOWN, "no title");
    str_free(&title);
    str_free(&words);
    str_free(&use);
}

/* --- dangers --- */

/* True if a string of the value has those bytes in that place. */
static bool stands_in(const struct risk *risk, struct json value, struct arena *arena)
{
    struct json_strings walk = {.at = value.raw.at, .end = value.raw.at + value.raw.len};
    struct json string;
    bool is_key;

    for (size_t number = 0; json_next_string(&walk, &string, &is_key);) {
        struct span text = is_key ? (struct span){0} : json_text(arena, string);
        if (is_key || number++ != risk->string)
            continue;
        return risk->at <= text.len && risk->len <= text.len - risk->at &&
               span_eq(risk->text, (struct span){text.at + risk->at, risk->len});
    }
    return false;
}

static bool stands_where_it_says(const struct risk *risk, const struct protocol *p,
                                 struct arena *arena)
{
    struct span whole = p->kind == PROTOCOL_PERMISSION_REQUEST      ? p->tool_name
                        : p->kind == PROTOCOL_PLAN_APPROVAL_REQUEST ? p->plan
                                                                    : p->host;
    struct json_walk walk;
    struct json key, value;
    struct err err;
    bool found = !risk->len; /* true if the risk concerns the whole member */

    if (whole.at && risk->at + risk->len <= whole.len)
        found |= span_eq(risk->text, (struct span){whole.at + risk->at, risk->len});
    if (!found && p->input.at && json_open(&walk, p->input, JSON_STRICT, &err))
        while (!found && json_next(&walk, &key, &value))
            found = span_eq(json_text(arena, key), risk->key) &&
                    (value.kind != JSON_STRING) == risk->nested && stands_in(risk, value, arena);
    return found;
}

static void check_risks(const struct protocol *p)
{
    struct risk_list found = {0};
    struct span_list phrases = {0};
    struct arena arena = {0};
    unsigned kinds = risk_find(p, span_of(CWD), &found), listed = 0;

    for (size_t i = 0; i < found.count; i++) {
        const struct risk *risk = &found.items[i];
        listed |= 1U << risk->kind;
        require(risk->key.at && risk->kind < RISK_COUNT, "danger %zu", i);
        require(stands_where_it_says(risk, p, &arena), "danger %zu: %.*s in %.*s", i,
                (int)risk->text.len, risk->text.at, (int)risk->key.len, risk->key.at);
    }
    require(listed == kinds, "%x, %x", listed, kinds);
    risk_add_phrases(&phrases, &found, kinds, &arena);
    for (size_t i = 0; i < phrases.count; i++)
        fuzz_require_clean(phrases.items[i]);
    span_list_free(&phrases);
    risk_list_free(&found);
    arena_free(&arena);
}

/* --- trust --- */

/* Requires that a person sees all that the approval covers. */
static void check_approvable(struct span text)
{
    struct protocol p;
    struct sanitize_piece piece;
    struct arena arena = {0};
    struct json value;
    struct err err;

    require(protocol_parse(&p, text, &arena), "a request that is none");
    const struct span seen[] = {p.tool_name, p.host, p.plan, p.plan_path, p.request_id};
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++)
        require(!sanitize_find_hidden(seen[i], &piece), "part %zu hides something", i);
    require(p.request_id.len, "a request without an id");
    require(json_scan(text, JSON_STRICT, &value, &err), "%s", err.text);
    require(!json_duplicate_key(value, &arena).at, "a key stands twice");
    arena_free(&arena);
}

/* Prints the bytes as they are, also where they are not UTF-8. */
static void put_string(struct str *out, struct span text)
{
    str_putc(out, '"');
    for (size_t i = 0; i < text.len; i++) {
        unsigned char byte = (unsigned char)text.at[i];
        if (byte < 0x20)
            str_addf(out, "\\u%04x", byte);
        else if (byte == '"' || byte == '\\')
            str_addf(out, "\\%c", byte);
        else
            str_putc(out, (char)byte);
    }
    str_putc(out, '"');
}

static void check_entry(struct span text)
{
    static const struct place web = {
        .root = "/", .team = {"web", 3}, .box = {"team-lead", 9}, .dir = {"teams/web/inboxes", 17}};
    struct str box = {0}, why = {0};
    struct batch batch = {0};
    struct err err;

    str_puts(&box, "[{\"from\":\"w\",\"text\":");
    put_string(&box, text);
    str_puts(&box, ",\"timestamp\":\"2026-11-16T12:00:00.000Z\",\"read\":false}]");
    struct mail_file file = {
        .place = &web, .name = span_of("team-lead.json"), .bytes = str_span(&box)};
    require(claude_format.parse(&file, WANT_DATA | WANT_BODY, &batch, &err), "%s", err.text);
    require(batch.count == 1, "%zu", batch.count);
    struct message *message = &batch.items[0];
    message_classify(message);
    struct span raw = {box.at + message->raw_at, message->raw_len};
    bool refused = approval_refuses(&why, message, raw);
    require(refused == (why.len > 0), "%s", str_c(&why));
    fuzz_require_clean(str_span(&why));
    if (!refused)
        check_approvable(message->data->body);
    batch_free(&batch);
    str_free(&box);
    str_free(&why);
}

void fuzz_protocol(struct span input)
{
    struct protocol p;
    struct arena arena = {0};
    struct str composed = {0};
    struct err err = {0};

    if (protocol_parse(&p, input, &arena)) {
        check_words(&p);
        check_risks(&p);
        if (protocol_check(&p, &err)) {
            protocol_compose(&composed, &p);
            check_again(&p, str_span(&composed));
        } else {
            require(err.text[0], "refused without a reason");
        }
        check_entry(input);
    }
    str_free(&composed);
    arena_free(&arena);
}
