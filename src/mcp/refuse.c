/* Refusing what an agent may not send: decisions, orders, and text that looks like somebody
 * else's. */
#include "mcp/refuse.h"

#include "base/text/sanitize.h"
#include "base/text/utf8.h"
#include "mail/message/kind.h"
#include "mail/protocol/lead_command.h"
#include "mail/protocol/protocol.h"

#include <ctype.h>

/* Skips everything that any reader may treat as blank, and invisible characters. */
static struct span skip_blanks(struct span text)
{
    for (struct span rest = text; rest.len;) {
        if (!sanitize_is_blank(utf8_next(&rest)))
            return text;
        text = rest;
    }
    return text;
}

/* Reports whether the text may contain a key "type", plain or with some of its letters escaped. */
static bool may_have_type(struct span text)
{
    return memmem(text.at, text.len, "type", 4) || memmem(text.at, text.len, "\\u", 2);
}

static bool has_type(struct json object)
{
    struct json_walk walk;
    struct json key, value;
    bool found = false;

    json_open(&walk, object.raw, JSON_STRICT, NULL);
    while (json_next(&walk, &key, &value))
        found |= json_is(key, "type");
    return found;
}

bool refuse_is_protocol(struct span text)
{
    struct json value;

    text = skip_blanks(text);
    if (!text.len || text.at[0] != '{')
        return false;
    if (json_scan(text, JSON_STRICT, &value, NULL))
        return has_type(value);
    /* Other parsers may accept what ours rejects: deeper nesting, NaN, text after the object. */
    return may_have_type(text);
}

static bool check_text(const char *name, struct span text, struct err *err)
{
    if (refuse_is_protocol(text))
        return err_set(err, ERR_REFUSED,
                       "`%s` could be a protocol message: a program that gets a JSON object with "
                       "a \"type\" may act on it, and decisions and orders do not go through here; "
                       "put words before it",
                       name);
    if (teammate_tag_found(text))
        return err_set(err, ERR_REFUSED,
                       "`%s` holds \"<teammate-message\" or \"</teammate-message\", the tag that "
                       "agents see a message in: what follows would not be yours",
                       name);
    return true;
}

/* Returns the kind of a message that has this type, or that starts with this subject. */
static enum kind kind_of(struct span type, struct span subject)
{
    struct message probe = {.type = type, .subject = subject};

    message_classify(&probe);
    return probe.kind;
}

static bool is_decided(enum kind kind)
{
    return kind == KIND_PLAN || kind == KIND_PERMISSION || kind == KIND_HOST;
}

static bool is_ordered(enum kind kind)
{
    return kind == KIND_SHUTDOWN || kind == KIND_TASK || kind == KIND_MODE || kind == KIND_RULES ||
           kind == KIND_IDLE;
}

static bool check_kind(const char *name, enum kind kind, struct err *err)
{
    return (!is_decided(kind) && !is_ordered(kind)) ||
           err_set(err, ERR_REFUSED,
                   "`%s` makes it a message about \"%s\", and decisions and orders do not go "
                   "through here: they are a person's",
                   name, kind_name(kind));
}

static bool check_type(struct span type, struct err *err)
{
    CLEANUP(str_free) struct str small = {0};

    for (size_t i = 0; i < type.len; i++)
        str_putc(&small, (char)tolower((unsigned char)type.at[i]));
    return check_kind("type", kind_of(span_trim(str_span(&small)), (struct span){0}), err);
}

static bool check_one(const struct argument *argument, struct err *err)
{
    const char *name = argument->spec->name;
    bool opens = strcmp(name, "subject") == 0 || strcmp(name, "body") == 0;

    if (argument->spec->kind == ARGUMENT_TEXT && !check_text(name, argument->text, err))
        return false;
    for (size_t i = 0; i < argument->texts.count; i++)
        if (!check_text(name, argument->texts.items[i], err))
            return false;
    if (strcmp(name, "type") == 0)
        return check_type(argument->text, err);
    struct span first = span_trim(span_first_line(skip_blanks(argument->text)));
    return !opens || check_kind(name, kind_of((struct span){0}, first), err);
}

/* Checks subject and body as one text: layouts with only one text put the body after the
 * subject. */
static bool check_together(const struct arguments *arguments, struct err *err)
{
    struct span body = arguments_text(arguments, "body");
    CLEANUP(str_free) struct str text = {0};

    str_add_span(&text, arguments_text(arguments, "subject"));
    str_putc(&text, '\n');
    str_add_span(&text, body);
    return !body.at || check_text("subject` and `body", str_span(&text), err);
}

bool refuse_arguments(const struct arguments *arguments, struct err *err)
{
    for (size_t i = 0; i < arguments->count; i++)
        if (!check_one(&arguments->items[i], err))
            return false;
    return check_together(arguments, err);
}

bool refuse_mark(const struct message *message, struct err *err)
{
    bool decides = is_decided(message->kind) || message->kind == KIND_SHUTDOWN;

    return (!message_is_lead_command(message) &&
            !(decides && message->verdict == VERDICT_UNSAID)) ||
           err_set(err, ERR_REFUSED,
                   "%.*s is about a decision or an order (%s) and is not marked through here: the "
                   "person, or the program that it is for, has to see it",
                   (int)message->id.len, message->id.at, kind_name(message->kind));
}

bool refuse_answer(const struct message *original, struct err *err)
{
    return !is_decided(original->kind) || original->verdict != VERDICT_UNSAID ||
           err_set(err, ERR_REFUSED,
                   "%.*s is about a decision (%s), and those do not go through here: they are a "
                   "person's; what you think of it can be a message of its own",
                   (int)original->id.len, original->id.at, kind_name(original->kind));
}
