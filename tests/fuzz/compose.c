/* New messages: the message that a layout makes of any draft can be read again and says the same.
 *
 * The first byte chooses the layout, the second the priority; the parts of the draft follow. */
#include "base/text/utf8.h"
#include "fuzz.h"

#define NOW_US INT64_C(1794830400000000) /* 2026-11-16T12:00:00Z */

/* Returns a part that is absent if it is empty. */
static struct span optional(struct span *input)
{
    struct span part = fuzz_part(input);

    return part.len ? part : (struct span){0};
}

static struct draft take_draft(const struct format *format, struct span *input)
{
    struct draft draft = draft_new();

    draft.priority = 1 + fuzz_byte(input) % PRIORITY_URGENT;
    draft.created_us = NOW_US;
    draft.from = fuzz_part(input);
    draft.to = fuzz_part(input);
    draft.subject = fuzz_part(input);
    draft.body = fuzz_part(input);
    struct span id = fuzz_part(input), type = optional(input), thread = optional(input);
    struct span reply_to = optional(input), tag = optional(input);
    if (format->new_id)
        draft.id = id.len ? id : span_of("made-up-id-0001");
    draft.type = format->fields & FIELD_TYPE ? type : (struct span){0};
    draft.thread = format->fields & FIELD_THREAD ? thread : (struct span){0};
    draft.reply_to = format->fields & FIELD_REPLY_TO ? reply_to : (struct span){0};
    if (tag.at && (format->fields & FIELD_TAGS))
        span_list_add(&draft.tags, tag);
    return draft;
}

static void check_read(const struct format *format, const struct draft *draft, struct span name,
                       struct span bytes, struct span id)
{
    static const struct place place = {.root = "/", .box = {"bob", 3}};
    struct mail_file file = {.place = &place, .name = name, .bytes = bytes, .mtime_us = NOW_US};
    struct batch batch = {0};
    struct err err = {0};

    require(format->parse(&file, WANT_DATA | WANT_BODY, &batch, &err), "%s", err.text);
    require(batch.count == 1, "%zu messages", batch.count);
    const struct message *message = &batch.items[0];
    require(!message->damaged, "%s", message->damaged);
    require(!utf8_valid(draft->from) || span_eq(message->from, draft->from), "from %.*s",
            (int)message->from.len, message->from.at);
    require(span_eq(message->id, id), "the id is %.*s", (int)message->id.len, message->id.at);
    require(message->status == STATUS_UNREAD, "it is not new");
    require(message->created_us == draft->created_us, "%lld", (long long)message->created_us);
    require(message->priority == format->priorities[draft->priority], "%d", message->priority);
    /* two halves of a character that are adjacent are read as that character */
    if ((format->fields & FIELD_SUBJECT) && utf8_valid(draft->subject) && utf8_valid(draft->body)) {
        require(!draft->subject.len || span_eq(message->subject, draft->subject), "%.*s",
                (int)message->subject.len, message->subject.at);
        require(span_eq(message->data->body, draft->body), "%.*s", (int)message->data->body.len,
                message->data->body.at);
    }
    batch_free(&batch);
}

void fuzz_compose(struct span input)
{
    const struct format *format = formats[fuzz_byte(&input) % 5];
    struct draft draft = take_draft(format, &input);
    struct str name = {0}, bytes = {0}, id = {0}, array = {0};
    struct err err = {0};

    if (format_compose(format, &draft, &name, &bytes, &id, &err)) {
        struct span made = str_span(&bytes);
        require(!name.len || (!memchr(name.at, '/', name.len) && !memchr(name.at, 0, name.len)),
                "%s", str_c(&name));
        if (format->storage == STORAGE_ARRAY) {
            str_addf(&array, "[%s]", str_c(&bytes));
            made = str_span(&array);
        }
        require(utf8_valid(made), "it is not UTF-8");
        check_read(format, &draft, str_span(&name), made, str_span(&id));
        if (format->holds)
            require(format->holds(made, str_span(&bytes)), "it is not found again");
    } else {
        require(err.text[0] && err.scope == ERR_REFUSED, "refused without a reason: %s", err.text);
    }
    draft_free(&draft);
    str_free(&name);
    str_free(&bytes);
    str_free(&id);
    str_free(&array);
}
