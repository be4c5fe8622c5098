/* The five layouts: any file is read or refused with a reason, and a change of a readable one
 * leaves everything else in it unchanged. */
#include "base/mem.h"
#include "fuzz.h"
#include "mail/message/kind.h"
#include "mail/security/approval_check.h"
#include "store/layouts/adr.h"
#include "store/layouts/agent_inbox.h"
#include "store/layouts/claude.h"
#include "store/layouts/claude_private.h"
#include "store/layouts/openclaw.h"
#include "store/layouts/roo.h"

#include <stdlib.h>

#define NOW_US INT64_C(1794830400000000) /* 2026-11-16T12:00:00Z */
#define UUID "5f0c6a1e-8f0b-4f43-9a5e-1d2c3b4a5f60"

static const struct place place = {
    .root = "/", .team = {"web", 3}, .box = {"bob", 3}, .dir = {"web", 3}};

/* Parses a copy that ends where its memory ends and is freed afterwards: nothing may be read beyond
 * it, or point into it. */
static bool parse(const struct format *format, struct span bytes, unsigned want,
                  struct batch *batch, struct err *err)
{
    char *copy = mem_alloc(bytes.len ? bytes.len : 1);
    struct mail_file file = {.place = &place,
                             .name = span_of(format == &roo_format ? "to-bob.md" : "bob.json"),
                             .bytes = {copy, bytes.len},
                             .mtime_us = NOW_US};

    if (bytes.len)
        memcpy(copy, bytes.at, bytes.len);
    bool ok = format->parse(&file, want, batch, err);
    free(copy);
    return ok;
}

static bool same_head(const struct message *a, const struct message *b)
{
    return span_eq(a->id, b->id) && span_eq(a->from, b->from) && span_eq(a->to, b->to) &&
           span_eq(a->subject, b->subject) && span_eq(a->type, b->type) &&
           span_eq(a->thread, b->thread) && a->created_us == b->created_us &&
           a->status == b->status && a->priority == b->priority && !a->damaged == !b->damaged &&
           a->flags == b->flags && a->raw_at == b->raw_at && a->raw_len == b->raw_len;
}

/* Requires that a request that may be approved hides nothing, and that the reason why any other may
 * not is one plain line. */
static void check_trust(struct message *message, struct span bytes)
{
    struct span raw = {bytes.at + message->raw_at, message->raw_len ? message->raw_len : bytes.len};
    struct str why = {0};

    if (!message->data || message->damaged)
        return;
    message_classify(message);
    bool refused = approval_refuses(&why, message, raw);
    require(refused == (why.len > 0), "%s", str_c(&why));
    fuzz_require_clean(str_span(&why));
    str_free(&why);
}

/* Requires that a file parses alike whatever is wanted of it. Returns true if it could be read. */
static bool check_parse(const struct format *format, struct span bytes)
{
    struct batch heads = {0}, whole = {0}, saved = {0};
    struct err err = {0};
    bool ok = parse(format, bytes, WANT_HEAD, &heads, &err);

    require(ok || err.text[0], "refused without a reason");
    require(parse(format, bytes, WANT_DATA | WANT_BODY, &whole, &err) == ok, "%s", err.text);
    require(!ok || heads.count == whole.count, "%zu, %zu", heads.count, whole.count);
    for (size_t i = 0; ok && i < whole.count; i++) {
        const struct message *message = &whole.items[i];
        require(same_head(&heads.items[i], message), "message %zu", i);
        require((uint64_t)message->raw_at + message->raw_len <= bytes.len, "message %zu", i);
        require(message->priority <= PRIORITY_URGENT && message->status <= STATUS_NONE, "%zu", i);
        check_trust(&whole.items[i], bytes);
    }
    bool salvaged = parse(format, bytes, WANT_DATA | WANT_BODY | WANT_SALVAGE, &saved, &err);
    require(salvaged || !ok, "%s", err.text);
    require(!ok || saved.count >= whole.count, "%zu, %zu", saved.count, whole.count);
    batch_free(&heads);
    batch_free(&whole);
    batch_free(&saved);
    return ok;
}

/* --- changing a state --- */

static void add_ids(struct span_list *ids, const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++)
        span_list_add(ids, batch->items[i].id);
}

/* Requires that the entries of an inbox are unchanged but for the flag, and so is the text around
 * them. */
static void require_entries_kept(struct span before, struct span after)
{
    static const char *const flag[] = {"read", NULL};
    struct json_walk old, new;
    struct json key, was, is;
    const char *old_at = before.at, *new_at = after.at;
    struct err err;

    require(json_open(&old, before, JSON_STRICT, &err), "%s", err.text);
    require(json_open(&new, after, JSON_STRICT, &err), "%s", err.text);
    while (json_next(&old, &key, &was)) {
        require(json_next(&new, &key, &is), "an entry is gone");
        require(span_eq((struct span){old_at, (size_t)(was.raw.at - old_at)},
                        (struct span){new_at, (size_t)(is.raw.at - new_at)}),
                "before an entry");
        if (!span_eq(was.raw, is.raw))
            fuzz_require_kept(was.raw, is.raw, flag);
        old_at = was.raw.at + was.raw.len;
        new_at = is.raw.at + is.raw.len;
    }
    require(!json_next(&new, &key, &is), "an entry was added");
    require(span_eq((struct span){old_at, (size_t)(before.at + before.len - old_at)},
                    (struct span){new_at, (size_t)(after.at + after.len - new_at)}),
            "behind the entries");
}

static void check_changed(const struct format *format, struct span before, struct span after,
                          const struct batch *was, enum status status)
{
    struct batch is = {0};
    struct err err = {0};

    require(parse(format, after, WANT_DATA | WANT_BODY, &is, &err), "%s", err.text);
    require(is.count == was->count, "%zu, %zu", is.count, was->count);
    for (size_t i = 0; i < is.count; i++) {
        require(span_eq(is.items[i].id, was->items[i].id), "another id");
        require(is.items[i].damaged || is.items[i].status == status ||
                    was->items[i].status == is.items[i].status,
                "a state that nobody asked for");
    }
    if (format->storage == STORAGE_ARRAY)
        require_entries_kept(before, after);
    else
        fuzz_require_kept(before, after, format->state_keys);
    batch_free(&is);
}

static void check_edit(const struct format *format, struct span bytes)
{
    struct batch was = {0};
    struct span_list ids = {0};
    struct err err;

    parse(format, bytes, WANT_DATA | WANT_BODY, &was, &err);
    add_ids(&ids, &was);
    for (enum status status = STATUS_READ; status <= STATUS_ARCHIVED; status++) {
        const struct change change = {.status = status,
                                      .now_us = NOW_US,
                                      .ids = format->storage == STORAGE_ARRAY ? &ids : NULL};
        struct str out = {0};
        err.text[0] = '\0';
        if (format->edit(bytes, &change, &out, &err))
            check_changed(format, bytes, str_span(&out), &was,
                          format->storage == STORAGE_ARRAY ? STATUS_READ : status);
        else
            require(err.text[0], "refused without a reason");
        str_free(&out);
    }
    span_list_free(&ids);
    batch_free(&was);
}

static void check_reopen(const struct format *format, struct span bytes)
{
    struct batch is = {0};
    struct str out = {0};
    struct err err = {0};

    if (format->reopen(bytes, &out, &err)) {
        fuzz_require_kept(bytes, str_span(&out), format->state_keys);
        require(parse(format, str_span(&out), WANT_DATA, &is, &err), "%s", err.text);
        require(is.items[0].status <= STATUS_READ, "it is not open");
    } else {
        require(err.text[0], "refused without a reason");
    }
    str_free(&out);
    batch_free(&is);
}

/* --- the other files of a layout --- */

static void check_others(const struct format *format, struct span bytes)
{
    struct arena arena = {0};
    struct members members = {0};
    struct settings settings = {0};
    struct task task = {0};
    struct err err = {0};

    if (format->parse_roster && !format->parse_roster(bytes, &members, &arena, &err))
        require(err.text[0], "refused without a reason");
    for (size_t i = 0; i < members.count; i++)
        require(members.items[i].name.at, "a member without a name");
    free(members.items);
    if (format->parse_settings && !format->parse_settings(bytes, &settings, &arena, &err))
        require(err.text[0] && settings.lasts_us >= 0, "refused without a reason");
    if (format->parse_task && format->parse_task(bytes, &task, &arena))
        require(task.id.at || task.subject.at, "a task of nothing");
    arena_free(&arena);
}

static bool is_blank(struct span text)
{
    while (text.len && strchr(" \t\r", text.at[text.len - 1]) && text.at[text.len - 1])
        text.len--;
    return !text.len;
}

/* Requires that the log has one more line and no other change, except blanks after the bullet of an
 * empty item that is filled in. */
static void check_log(const struct format *format, struct span log)
{
    const struct message message = {
        .id = span_of("msg-1"), .from = span_of("code"), .subject = span_of("Tests")};
    struct str out = {0};
    struct err err;
    size_t front = 0, back = 0;

    require(format->log_line(log, &message, INT64_MAX, span_of("done"), log.len & 1, NOW_US, &out,
                             &err),
            "%s", err.text);
    while (front < log.len && log.at[front] == out.at[front])
        front++;
    while (back < log.len - front && log.at[log.len - 1 - back] == out.at[out.len - 1 - back])
        back++;
    require(is_blank((struct span){log.at + front, log.len - front - back}), "%s", str_c(&out));
    struct span added = {out.at + front, out.len - front - back};
    require(memmem(added.at, added.len, "id:msg-1", 8), "%s", str_c(&out));
    str_free(&out);
}

static void check(const struct format *format, struct span bytes)
{
    bool ok = check_parse(format, bytes);

    if (ok && format->edit)
        check_edit(format, bytes);
    if (ok && format->reopen)
        check_reopen(format, bytes);
    if (format->log_line)
        check_log(format, bytes);
    check_others(format, bytes);
}

void fuzz_adr(struct span input)
{
    check(&adr_format, input);
}

void fuzz_inbox(struct span input)
{
    check(&inbox_format, input);
}

void fuzz_openclaw(struct span input)
{
    check(&openclaw_format, input);
}

void fuzz_roo(struct span input)
{
    check(&roo_format, input);
}

/* --- appending to an inbox --- */

static void count_entry(void *context, struct span entry)
{
    (void)entry;
    ++*(size_t *)context;
}

/* Requires that all entries of the box are in the same order before the new one. */
static void check_entries(struct span before, struct span after)
{
    struct json_walk old, new;
    struct json key, was, is;
    struct err err;
    bool had = json_open(&old, before, JSON_STRICT, &err);

    require(json_open(&new, after, JSON_STRICT, &err), "%s", err.text);
    while (had && json_next(&old, &key, &was)) {
        require(json_next(&new, &key, &is), "an entry is gone");
        require(span_eq(was.raw, is.raw), "%.*s", (int)was.raw.len, was.raw.at);
    }
    while (json_next(&new, &key, &is))
        ;
    require(json_close(&new, &err), "%s", err.text);
}

static void check_append(struct span box)
{
    static const char entry[] = "{\"from\":\"lead\",\"text\":\"\\u00e9 \xc3\xa9\",\"timestamp\":"
                                "\"2026-11-16T12:00:00.000Z\",\"read\":false}";
    struct batch was = {0}, is = {0};
    struct str out = {0};
    struct appended result;
    struct err err = {0};
    size_t complete = 0;

    bool sound = parse(&claude_format, box, WANT_HEAD, &was, &err);
    require(claude_append(box, span_of(entry), span_of(UUID), &out, &result, &err), "%s", err.text);
    require(parse(&claude_format, str_span(&out), WANT_HEAD, &is, &err), "%s: %s", err.text,
            str_c(&out));
    require(claude_holds(str_span(&out), span_of(entry)), "%s", str_c(&out));
    if (sound)
        require(is.count == was.count + 1, "%zu, %zu", is.count, was.count);
    claude_salvage(box, count_entry, &complete);
    if (sound || result.found == BOX_SOUND)
        check_entries(box, str_span(&out));
    else
        require(is.count >= complete + 1, "%zu of %zu", is.count, complete);
    if (result.has_uuid)
        require(span_is(is.items[is.count - 1].id, UUID), "%s", str_c(&out));
    batch_free(&was);
    batch_free(&is);
    str_free(&out);
}

void fuzz_claude(struct span input)
{
    check(&claude_format, input);
    check_append(input);
}
