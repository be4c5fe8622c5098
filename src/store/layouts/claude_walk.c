/* The Claude layout: going through an inbox, sound or damaged. */
#include "store/layouts/claude_private.h"
#include "store/layouts/fields.h"

/* So much broken text is looked at in vain, one brace after the other: it may be hostile. */
enum { SALVAGE_BYTES = 256 << 20 };

static const char *const key_names[CLAUDE_KEY_COUNT] = {
    [CLAUDE_FROM] = "from",
    [CLAUDE_TEXT] = "text",
    [CLAUDE_SUMMARY] = "summary",
    [CLAUDE_TIMESTAMP] = "timestamp",
    [CLAUDE_COLOR] = "color",
    [CLAUDE_READ] = "read",
    [CLAUDE_CONTENT] = "content",
    [CLAUDE_VERSION] = "msgV",
    [CLAUDE_MSG_ID] = "msg_id",
    [CLAUDE_MESSAGE_ID] = "messageId",
    [CLAUDE_MESSAGE_ID_SNAKE] = "message_id",
};

bool claude_open(struct claude_walk *walk, struct span box, struct err *err)
{
    *walk = (struct claude_walk){0};
    if (!json_open(&walk->json, box, JSON_STRICT, err))
        return false;
    return walk->json.kind == JSON_ARRAY ||
           err_set(err, ERR_MESSAGE, "it is a JSON object, not an array");
}

void claude_walk_free(struct claude_walk *walk)
{
    map_free(&walk->ids);
    arena_free(&walk->arena);
}

bool claude_ended(const struct claude_walk *walk)
{
    return walk->json.finished;
}

struct span claude_unique(struct claude_walk *walk, struct span id)
{
    struct str numbered = {0};
    bool fresh;
    struct span kept = arena_copy(&walk->arena, id);
    uint32_t *seen = map_put(&walk->ids, kept, &fresh);

    if (fresh) {
        *seen = 1;
        return kept;
    }
    do {
        str_set(&numbered, id);
        str_addf(&numbered, "-%u", ++*seen);
        kept = str_span(&numbered);
    } while (map_get(&walk->ids, kept));
    kept = arena_copy(&walk->arena, kept);
    *map_put(&walk->ids, kept, &fresh) = 1;
    str_free(&numbered);
    return kept;
}

bool claude_is_damaged(const struct claude_entry *entry)
{
    return entry->value.kind != JSON_OBJECT || !entry->from.at || !entry->text.at;
}

struct span claude_id(struct claude_walk *walk, const struct claude_entry *entry)
{
    static const enum claude_key keys[] = {CLAUDE_MSG_ID, CLAUDE_MESSAGE_ID,
                                           CLAUDE_MESSAGE_ID_SNAKE};
    char derived[CLAUDE_ID_SIZE];
    struct span id = {0};

    for (size_t i = 0; !id.len && i < sizeof keys / sizeof *keys; i++)
        id = json_text(&walk->arena, entry->fields[keys[i]]);
    if (!id.len)
        id = claude_derive_id(entry, derived);
    return claude_unique(walk, id);
}

static void collect(struct claude_entry *entry)
{
    struct fields_found found;
    struct err ignored;

    if (entry->value.kind == JSON_OBJECT &&
        fields_read(entry->value.raw, JSON_STRICT, key_names, CLAUDE_KEY_COUNT, entry->fields,
                    &found, &ignored))
        entry->equal_keys = found.flags & MESSAGE_EQUAL_KEYS;
}

bool claude_step(struct claude_walk *walk, struct claude_entry *entry)
{
    struct json none;

    *entry = (struct claude_entry){0};
    if (!json_next(&walk->json, &none, &entry->value))
        return false;
    walk->index++;
    return true;
}

void claude_open_entry(struct claude_walk *walk, struct claude_entry *entry)
{
    collect(entry);
    entry->from = json_text(&walk->arena, entry->fields[CLAUDE_FROM]);
    entry->timestamp = json_text(&walk->arena, entry->fields[CLAUDE_TIMESTAMP]);
    entry->text = json_text(&walk->arena, entry->fields[CLAUDE_TEXT]);
    if (entry->fields[CLAUDE_TEXT].kind == JSON_ABSENT) /* some bridges call it so */
        entry->text = json_text(&walk->arena, entry->fields[CLAUDE_CONTENT]);
}

bool claude_next(struct claude_walk *walk, struct claude_entry *entry)
{
    bool is_one = claude_step(walk, entry);

    if (is_one)
        claude_open_entry(walk, entry);
    return is_one;
}

/* An object that starts here and could be an entry; absent when there is none. *end is as far as it
 * was looked at. */
static struct span entry_at(struct span text, const char **end)
{
    struct json_walk array = {.kind = JSON_ARRAY,
                              .text = text,
                              .at = text.at,
                              .end = text.at + text.len,
                              .dialect = JSON_STRICT};
    struct claude_entry entry = {0};
    struct json none;
    bool whole = json_next(&array, &none, &entry.value); /* as deep as it may be in an inbox */

    *end = array.at;
    if (!whole)
        return (struct span){0};
    collect(&entry);
    bool has_text = entry.fields[CLAUDE_TEXT].kind == JSON_STRING ||
                    (entry.fields[CLAUDE_TEXT].kind == JSON_ABSENT &&
                     entry.fields[CLAUDE_CONTENT].kind == JSON_STRING);
    return entry.fields[CLAUDE_FROM].kind == JSON_STRING && has_text ? entry.value.raw
                                                                     : (struct span){0};
}

/* Objects that are the value of a key are parts of an entry, not entries. */
static bool is_value(struct span box, const char *at)
{
    while (at > box.at && strchr(" \t\r\n", at[-1]))
        at--;
    return at > box.at && at[-1] == ':';
}

void claude_salvage(struct span box, void (*found)(void *context, struct span entry), void *context)
{
    const char *at = box.at, *end = box.at + box.len, *looked;
    size_t looked_at = 0;

    while (at < end && looked_at < SALVAGE_BYTES && (at = memchr(at, '{', (size_t)(end - at)))) {
        struct span entry = {0};
        if (!is_value(box, at)) {
            entry = entry_at((struct span){at, (size_t)(end - at)}, &looked);
            looked_at += (size_t)(looked - at);
        }
        if (entry.at) {
            found(context, entry);
            looked_at -= entry.len;
        }
        at += entry.at ? entry.len : 1;
    }
}
