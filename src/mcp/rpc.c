/* JSON-RPC: parsing lines from any client, writing answers. */
#include "mcp/rpc.h"

#include "base/json/json_print.h"
#include "base/text/utf8.h"

/* Lines: slices of the bytes read; only incomplete lines are copied. */

void lines_free(struct lines *lines)
{
    str_free(&lines->held);
}

static struct span take_line(struct span *bytes, size_t len, size_t mark)
{
    struct span piece = {bytes->at, len};

    bytes->at += len + mark;
    bytes->len -= len + mark;
    return piece;
}

static enum line_found end_line(struct lines *lines, struct span piece, struct span *line)
{
    if (lines->skipping) {
        lines->skipping = false;
        return LINE_NONE;
    }
    if (lines->held.len + piece.len > LINE_MAX_BYTES) {
        lines->given = true;
        return LINE_TOO_LONG;
    }
    if (!lines->held.len) {
        *line = piece;
        return LINE_WHOLE;
    }
    str_add_span(&lines->held, piece);
    lines->given = true;
    *line = str_span(&lines->held);
    return LINE_WHOLE;
}

enum line_found lines_next(struct lines *lines, struct span *bytes, struct span *line)
{
    if (lines->given)
        str_free(&lines->held);
    lines->given = false;
    while (bytes->len) {
        const char *end = memchr(bytes->at, '\n', bytes->len);
        struct span piece =
            take_line(bytes, end ? (size_t)(end - bytes->at) : bytes->len, end != NULL);
        if (end) {
            enum line_found found = end_line(lines, piece, line);
            if (found != LINE_NONE)
                return found;
        } else if (!lines->skipping) {
            str_add_span(&lines->held, piece);
            if (lines->held.len <= LINE_MAX_BYTES)
                continue;
            str_free(&lines->held);
            lines->skipping = true;
            return LINE_TOO_LONG;
        }
    }
    return LINE_NONE;
}

struct span lines_rest(const struct lines *lines)
{
    return lines->given || lines->skipping ? (struct span){"", 0} : str_span(&lines->held);
}

static void break_message(struct rpc_message *message, int code, const char *sentence)
{
    message->kind = RPC_BROKEN;
    message->code = code;
    err_set(&message->err, ERR_USAGE, "%s", sentence);
}

/* The members of a message; of equal keys, the last one. */
struct members {
    struct json version, id, method, params, result, error;
    size_t ids;
};

static void find_members(struct members *found, struct json object)
{
    const struct {
        const char *key;
        struct json *value;
    } known[] = {{"jsonrpc", &found->version}, {"id", &found->id},
                 {"method", &found->method},   {"params", &found->params},
                 {"result", &found->result},   {"error", &found->error}};
    struct json_walk walk;
    struct json key, value;

    json_open(&walk, object.raw, JSON_STRICT, NULL);
    while (json_next(&walk, &key, &value)) {
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            if (json_is(key, known[i].key))
                *known[i].value = value;
        found->ids += json_is(key, "id");
    }
}

static void check_members(struct rpc_message *message, const struct members *members,
                          struct arena *arena)
{
    bool has_id = members->id.kind == JSON_NUMBER || members->id.kind == JSON_STRING;

    if (!json_is(members->version, "2.0"))
        break_message(message, RPC_BAD_REQUEST, "\"jsonrpc\" is not \"2.0\"");
    else if (members->method.kind == JSON_ABSENT && /* also without an id: never answered */
             (members->result.kind != JSON_ABSENT || members->error.kind != JSON_ABSENT))
        message->kind = RPC_ANSWER;
    else if (members->method.kind != JSON_STRING)
        break_message(message, RPC_BAD_REQUEST, "\"method\" is not a string");
    else if (members->id.kind != JSON_ABSENT && !has_id)
        break_message(message, RPC_BAD_REQUEST, "\"id\" is neither a string nor a number");
    else if (members->params.kind != JSON_ABSENT && members->params.kind != JSON_OBJECT && has_id)
        break_message(message, RPC_BAD_PARAMS, "\"params\" is not an object");
    else
        message->kind = has_id ? RPC_CALL : RPC_NOTICE;
    message->method = json_text(arena, members->method);
    if (members->params.kind == JSON_OBJECT)
        message->params = members->params;
}

static void read_message(struct rpc_message *message, struct json value, struct arena *arena)
{
    struct members members = {0};
    CLEANUP(arena_free) struct arena scratch = {0};

    *message = (struct rpc_message){0};
    if (value.kind != JSON_OBJECT) {
        break_message(message, RPC_BAD_REQUEST, "a message is a JSON object");
        return;
    }
    find_members(&members, value);
    if (members.ids == 1 && (members.id.kind == JSON_NUMBER || members.id.kind == JSON_STRING))
        message->id = members.id.raw;
    struct span twice = json_duplicate_key(value, &scratch);
    if (twice.at && !members.ids && members.method.kind == JSON_STRING) {
        message->kind = RPC_NOTICE; /* without a method: it is ignored and not answered */
    } else if (twice.at) {
        message->kind = RPC_BROKEN;
        message->code = RPC_BAD_REQUEST;
        err_set(&message->err, ERR_USAGE, "the key \"%.*s\" stands twice in one object",
                (int)(twice.len < 100 ? twice.len : 100), twice.at);
    } else {
        check_members(message, &members, arena);
    }
}

static struct rpc_message *add_only(struct rpc_line *out, struct arena *arena)
{
    out->items = arena_alloc(arena, sizeof *out->items);
    out->count = 1;
    return out->items;
}

static void read_batch(struct rpc_line *out, struct json array, struct arena *arena)
{
    struct json_walk walk;
    struct json key, value;
    size_t count = 0;

    json_open(&walk, array.raw, JSON_STRICT, NULL);
    while (json_next(&walk, &key, &value))
        count++;
    if (!count) {
        break_message(add_only(out, arena), RPC_BAD_REQUEST, "the batch is empty");
        return;
    }
    out->batch = true;
    out->items = arena_alloc(arena, count * sizeof *out->items);
    json_open(&walk, array.raw, JSON_STRICT, NULL);
    while (json_next(&walk, &key, &value))
        read_message(&out->items[out->count++], value, arena);
}

void rpc_read(struct rpc_line *out, struct span line, struct arena *arena)
{
    struct json value;
    struct err err;

    *out = (struct rpc_line){0};
    if (!span_trim(line).len)
        return;
    if (!utf8_valid(line))
        break_message(add_only(out, arena), RPC_NOT_JSON, "the line is not UTF-8");
    else if (!json_scan(line, JSON_STRICT, &value, &err))
        break_message(add_only(out, arena), RPC_NOT_JSON, err.text);
    else if (value.kind == JSON_ARRAY)
        read_batch(out, value, arena);
    else
        read_message(add_only(out, arena), value, arena);
}

bool rpc_same_id(struct span a, struct span b)
{
    CLEANUP(arena_free) struct arena arena = {0};
    struct json one, other;

    return span_eq(a, b) || (json_scan(a, JSON_STRICT, &one, NULL) && one.kind == JSON_STRING &&
                             json_scan(b, JSON_STRICT, &other, NULL) && other.kind == JSON_STRING &&
                             span_eq(json_text(&arena, one), json_text(&arena, other)));
}

struct json rpc_member(struct json object, const char *key)
{
    struct json found = {0}, name, value;
    struct json_walk walk;

    if (object.kind != JSON_OBJECT)
        return found;
    json_open(&walk, object.raw, JSON_STRICT, NULL);
    while (json_next(&walk, &name, &value))
        if (json_is(name, key))
            found = value;
    return found;
}

static void add_head(struct str *out, struct span id)
{
    str_puts(out, "{\"jsonrpc\":\"2.0\"");
    if (!id.at)
        return;
    str_puts(out, ",\"id\":");
    str_add_span(out, id);
}

void rpc_add_result(struct str *out, struct span id, struct span result)
{
    add_head(out, id);
    str_puts(out, ",\"result\":");
    str_add_span(out, result);
    str_putc(out, '}');
}

void rpc_add_error(struct str *out, struct span id, int code, const char *sentence)
{
    add_head(out, id);
    str_addf(out, ",\"error\":{\"code\":%d,\"message\":", code);
    json_put_text(out, span_of(sentence), &json_style_line);
    str_puts(out, "}}");
}

void rpc_add_notice(struct str *out, const char *method, struct span params)
{
    str_addf(out, "{\"jsonrpc\":\"2.0\",\"method\":\"%s\"", method);
    if (params.at) {
        str_puts(out, ",\"params\":");
        str_add_span(out, params);
    }
    str_putc(out, '}');
}
