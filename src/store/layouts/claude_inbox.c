/* The Claude layout, writing: adding an entry to an inbox, or marking entries as read.
 *
 * All other bytes of the file stay unchanged, in whatever style they were written. */
#include "base/json/json.h"
#include "base/json/json_print.h"
#include "base/mem.h"
#include "store/layouts/claude_private.h"
#include "store/layouts/json_fields.h"

#include <sha2.h>
#include <stdlib.h>

/* Iterating over an inbox, valid or damaged. */

/* Limit for searching broken text brace by brace, because the text may be hostile. */
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
    CLEANUP(str_free) struct str numbered = {0};
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

static void collect_entry(struct claude_entry *entry)
{
    struct fields_found found;

    if (entry->value.kind == JSON_OBJECT &&
        fields_read(entry->value.raw, JSON_STRICT, key_names, CLAUDE_KEY_COUNT, entry->fields,
                    &found, NULL))
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
    collect_entry(entry);
    entry->from = json_text(&walk->arena, entry->fields[CLAUDE_FROM]);
    entry->timestamp = json_text(&walk->arena, entry->fields[CLAUDE_TIMESTAMP]);
    entry->text = json_text(&walk->arena, entry->fields[CLAUDE_TEXT]);
    if (entry->fields[CLAUDE_TEXT].kind == JSON_ABSENT) /* the key that some bridges use */
        entry->text = json_text(&walk->arena, entry->fields[CLAUDE_CONTENT]);
}

bool claude_next(struct claude_walk *walk, struct claude_entry *entry)
{
    bool is_one = claude_step(walk, entry);

    if (is_one)
        claude_open_entry(walk, entry);
    return is_one;
}

/* Returns the object that starts here if it could be an entry, else absent. *end is how far the
 * text was scanned. */
static struct span entry_at(struct span text, const char **end)
{
    struct json_walk array = {.kind = JSON_ARRAY,
                              .text = text,
                              .at = text.at,
                              .end = text.at + text.len,
                              .dialect = JSON_STRICT};
    struct claude_entry entry = {0};
    struct json none;
    bool whole = json_next(&array, &none, &entry.value); /* as deep as inside an inbox */

    *end = array.at;
    if (!whole)
        return (struct span){0};
    collect_entry(&entry);
    bool has_text = entry.fields[CLAUDE_TEXT].kind == JSON_STRING ||
                    (entry.fields[CLAUDE_TEXT].kind == JSON_ABSENT &&
                     entry.fields[CLAUDE_CONTENT].kind == JSON_STRING);
    return entry.fields[CLAUDE_FROM].kind == JSON_STRING && has_text ? entry.value.raw
                                                                     : (struct span){0};
}

/* Returns true if the object is the value of a key: then it is part of an entry, not an entry. */
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

/* The end of a valid inbox, and the form of its entries. */
struct ending {
    struct span last;    /* the last entry; absent if the array is empty */
    struct span unread;  /* the last entry that is not read, or absent */
    size_t unread_index; /* its number, from 1 */
    const char *end;     /* after the closing bracket */
    bool versioned;      /* entries have a version and an id */
};

/* Appends the entry with the three additional keys of newer programs, before the read flag. */
static void add_envelope(struct str *out, struct span entry, struct span uuid)
{
    struct json_walk members;
    struct json key, value;
    bool first = true;

    str_putc(out, '{');
    json_open(&members, entry, JSON_STRICT, NULL);
    while (json_next(&members, &key, &value)) {
        str_puts(out, first ? "" : ",");
        first = false;
        if (json_is(key, "read")) {
            str_puts(out, "\"msgV\":1,\"msg_id\":");
            json_put_text(out, uuid, &json_style_node_line);
            str_puts(out, ",\"type\":\"message\",");
        }
        str_add_span(out, key.raw);
        str_putc(out, ':');
        str_add_span(out, value.raw);
    }
    str_putc(out, '}');
}

/* The formatting of the entries in a file. */
struct layout {
    bool lines;          /* each entry is on lines of its own; else all are on one line */
    struct span newline; /* line ending */
    struct span indent;  /* indentation of an entry */
    bool spaced;         /* on one line: with blanks after commas and colons */
};

static bool is_ascii(struct span text)
{
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.at[i] >= 0x80)
            return false;
    return true;
}

static struct layout layout_of(struct span entry)
{
    struct layout layout = {.newline = {"\n", 1}};
    struct json_walk members;
    struct json key, value;
    const char *start = entry.at;

    while (start[-1] == ' ' || start[-1] == '\t') /* stops at the bracket of the array */
        start--;
    layout.lines = start[-1] == '\n';
    layout.indent = (struct span){start, (size_t)(entry.at - start)};
    if (layout.lines && start[-2] == '\r')
        layout.newline = (struct span){"\r\n", 2};
    if (json_open(&members, entry, JSON_STRICT, NULL) && json_next(&members, &key, &value))
        layout.spaced = value.raw.at[-1] == ' ';
    return layout;
}

/* Appends an entry on lines of its own. Each level of one blank becomes the indentation of the
 * file. */
static void add_lines(struct str *out, struct json value, const struct layout *layout)
{
    const struct json_style style = {.indent = 1};
    struct span unit = layout->indent.len ? layout->indent : span_of("  ");
    CLEANUP(str_free) struct str lines = {0};

    json_put_value(&lines, value, &style, 0);
    for (const char *at = str_c(&lines); *at;) {
        size_t depth = strspn(at, " "), len = strcspn(at, "\n");
        str_add_span(out, layout->newline);
        str_add_span(out, layout->indent);
        for (size_t i = 0; i < depth; i++)
            str_add_span(out, unit);
        str_add(out, at + depth, len - depth);
        at += len + (at[len] == '\n');
    }
}

/* Appends the inbox up to its last entry, and the new entry in the formatting of that one. */
static void splice_entry(struct str *out, struct span box, const struct ending *ending,
                         struct span entry)
{
    struct json value = {JSON_OBJECT, entry};
    struct layout layout = layout_of(ending->last);

    str_add(out, box.at, (size_t)(ending->last.at + ending->last.len - box.at));
    str_putc(out, ',');
    if (layout.lines) {
        add_lines(out, value, &layout);
    } else {
        struct json_style style = {.spaced = layout.spaced, .ascii = is_ascii(box)};
        str_puts(out, style.spaced ? " " : "");
        json_put_value(out, value, &style, 0);
    }
}

static void add_first(struct str *out, struct span entry)
{
    str_puts(out, "[\n  ");
    json_put_value(out, (struct json){JSON_OBJECT, entry}, &json_style_node, 1);
    str_puts(out, "\n]");
}

static void note_ending(struct ending *ending, const struct claude_entry *entry, size_t index)
{
    ending->last = entry->value.raw;
    if (entry->value.kind == JSON_OBJECT && entry->fields[CLAUDE_READ].kind != JSON_TRUE) {
        ending->unread = entry->value.raw;
        ending->unread_index = index;
    }
    ending->versioned |= entry->fields[CLAUDE_VERSION].kind != JSON_ABSENT;
}

static void sum_entries(struct span unread, struct span last, char sum[BOX_BEFORE_SUM + 1])
{
    SHA2_CTX hash;

    SHA256Init(&hash);
    SHA256Update(&hash, (const uint8_t *)unread.at, unread.len);
    SHA256Update(&hash, (const uint8_t *)last.at, last.len);
    SHA256End(&hash, sum);
}

static void note_before(struct box_before *before, const struct ending *ending, size_t count)
{
    before->count = (int64_t)count;
    before->unread = (int64_t)ending->unread_index;
    if (ending->unread.at)
        sum_entries(ending->unread, ending->last, before->sum);
}

struct rescue {
    struct str *out;
    size_t count;
};

static void keep_entry(void *context, struct span entry)
{
    struct rescue *rescue = context;

    str_puts(rescue->out, rescue->count++ ? ",\n  " : "[\n  ");
    str_add_span(rescue->out, entry);
}

/* Builds a new array from all entries that can be read, unchanged, and the new entry. */
static void rebuild_entries(struct str *out, struct span box, struct span entry)
{
    struct rescue rescue = {.out = out};

    claude_salvage(box, keep_entry, &rescue);
    if (!rescue.count) {
        add_first(out, entry);
        return;
    }
    str_puts(out, ",\n  ");
    json_put_value(out, (struct json){JSON_OBJECT, entry}, &json_style_node, 1);
    str_puts(out, "\n]");
}

static bool is_blank(struct span text)
{
    return !span_trim(text).len;
}

bool claude_append(struct span box, struct span entry, struct span uuid, struct str *out,
                   struct appended *result, struct err *err)
{
    CLEANUP(claude_walk_free) struct claude_walk walk = {0};
    struct claude_entry each;
    struct ending ending = {0};
    CLEANUP(str_free) struct str versioned = {0};

    *result = (struct appended){.found = BOX_SOUND};
    if (is_blank(box)) {
        add_first(out, entry);
        return true;
    }
    if (claude_open(&walk, box, err))
        while (claude_next(&walk, &each))
            note_ending(&ending, &each, walk.index);
    result->has_uuid = ending.versioned;
    if (ending.versioned) {
        add_envelope(&versioned, entry, uuid);
        entry = str_span(&versioned);
    }
    if (!claude_ended(&walk)) {
        result->found = BOX_DAMAGED;
        rebuild_entries(out, box, entry);
    } else {
        ending.end = walk.json.at;
        struct span tail = {ending.end, (size_t)(box.at + box.len - ending.end)};
        if (!is_blank(tail))
            result->found = ending.last.at ? BOX_DAMAGED : BOX_CLEARED;
        if (!ending.last.at) {
            add_first(out, entry);
        } else {
            const char *rest = ending.last.at + ending.last.len;
            splice_entry(out, box, &ending, entry);
            str_add(out, rest, (size_t)(ending.end - rest));
        }
        if (result->found == BOX_SOUND) {
            str_add_span(out, tail);
            note_before(&result->before, &ending, walk.index);
        }
    }
    return true;
}

bool claude_edit(struct span bytes, const struct change *change, struct str *out, struct err *err)
{
    static const struct json_set read = {"read", {"true", 4}};
    CLEANUP(claude_walk_free) struct claude_walk walk = {0};
    struct claude_entry entry;
    CLEANUP(mem_free) struct json_edit *edits = NULL;
    CLEANUP(mem_free) struct str *texts = NULL;
    CLEANUP(map_free) struct map wanted = {0};
    size_t count = 0, cap = 0, text_cap = 0;
    bool fresh, ok = claude_open(&walk, bytes, err);
    size_t missing = change->ids->count;

    for (size_t i = 0; i < change->ids->count; i++)
        map_put(&wanted, change->ids->items[i], &fresh);
    while (ok && claude_next(&walk, &entry)) {
        bool is_wanted =
            missing && !claude_is_damaged(&entry) && map_get(&wanted, claude_id(&walk, &entry));
        missing -= is_wanted;
        if (!is_wanted || entry.fields[CLAUDE_READ].kind == JSON_TRUE)
            continue;
        edits = mem_grow(edits, &cap, count + 1, sizeof *edits);
        texts = mem_grow(texts, &text_cap, count + 1, sizeof *texts);
        texts[count] = (struct str){0};
        ok = json_set_members(&texts[count], entry.value.raw, JSON_STRICT, &read, 1, err);
        edits[count] = (struct json_edit){(size_t)(entry.value.raw.at - bytes.at),
                                          entry.value.raw.len, str_span(&texts[count])};
        count++;
    }
    if (ok && !claude_ended(&walk))
        ok = json_close(&walk.json, err);
    if (ok)
        json_edit_apply(out, bytes, edits, count);
    for (size_t i = 0; i < count; i++)
        str_free(&texts[i]);
    return ok;
}

bool claude_holds(struct span bytes, struct span message)
{
    CLEANUP(claude_walk_free) struct claude_walk walk = {0}, own = {0};
    struct claude_entry entry, ours;
    CLEANUP(str_free) struct str array = {0};
    bool found = false;

    str_putc(&array, '[');
    str_add_span(&array, message);
    str_putc(&array, ']');
    if (claude_open(&own, str_span(&array), NULL) && claude_next(&own, &ours) &&
        claude_open(&walk, bytes, NULL)) {
        while (!found && claude_next(&walk, &entry))
            found = span_eq(entry.from, ours.from) && span_eq(entry.text, ours.text) &&
                    span_eq(entry.timestamp, ours.timestamp);
    }
    return found;
}

bool claude_overwritten(struct span bytes, const struct box_before *before,
                        char newer[BOX_BEFORE_SUM + 1])
{
    const size_t unread_index = (size_t)before->unread, last_index = (size_t)before->count;
    struct span unread = {0}, last = {0}, ours = {0};
    struct claude_walk walk;
    struct claude_entry entry;
    char sum[BOX_BEFORE_SUM + 1];

    if (!before->sum[0] || !claude_open(&walk, bytes, NULL))
        return false;
    while (claude_step(&walk, &entry)) {
        if (walk.index == unread_index)
            unread = entry.value.raw;
        if (walk.index == last_index)
            last = entry.value.raw;
        if (walk.index == last_index + 1)
            ours = entry.value.raw;
    }
    bool whole = claude_ended(&walk) && unread.at && last.at && ours.at;
    claude_walk_free(&walk);
    if (!whole)
        return false;
    sum_entries(unread, last, sum);
    sum_entries(ours, (struct span){0}, newer);
    return strcmp(sum, before->sum) == 0;
}
