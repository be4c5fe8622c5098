/* Marks: gathered from what md4c says. It tells of texts by pointing into what it was given. */
#include "mail/page/document_markup.h"

#include "base/mem.h"
#include "mail/page/look.h"

#include <md4c.h>
#include <stdlib.h>

enum {
    LINKS_MAX = 8,       /* within each other: images in links; deeper ones show their markup */
    EVENTS_PER_BYTE = 8, /* more of them come only of texts that are made for it */
    EVENTS_FREE = 1000,
    NOTES_FREE = 4096,
};

/* A link, first while it is read, then while what follows it is waited for. */
struct link {
    struct str address;
    size_t first; /* mark */
};

struct reading {
    struct markup *markup;
    struct span text;
    size_t events;
    unsigned spans[MD_SPAN_U + 1]; /* how many of each are open */
    unsigned blocks[MD_BLOCK_TD + 1];
    struct link open[LINKS_MAX], ended[LINKS_MAX];
    size_t open_count, too_deep, ended_count;
    bool table_waits; /* for its first text, which tells where it is */
    uint32_t table_rows;
};

static bool goes_on(struct reading *in)
{
    return ++in->events <= in->text.len * EVENTS_PER_BYTE + EVENTS_FREE;
}

static enum look look_of(const struct reading *in, MD_TEXTTYPE type)
{
    if (type == MD_TEXT_CODE || type == MD_TEXT_HTML)
        return LOOK_CODE;
    if (in->spans[MD_SPAN_A] || in->spans[MD_SPAN_IMG])
        return LOOK_LINK;
    if (in->blocks[MD_BLOCK_H])
        return LOOK_HEADING;
    if (in->spans[MD_SPAN_DEL])
        return LOOK_STRUCK;
    if (in->spans[MD_SPAN_STRONG] || in->blocks[MD_BLOCK_TH])
        return LOOK_STRONG;
    if (in->spans[MD_SPAN_EM])
        return LOOK_EMPHASIS;
    return in->blocks[MD_BLOCK_QUOTE] ? LOOK_QUOTE : LOOK_PLAIN;
}

static uint32_t end_of(const struct mark *mark)
{
    return mark->at + mark->len;
}

/* What an address that stands by itself may go without. */
static const char *const implied[] = {"", "mailto:", "http://"};

/* [text](address) says where it leads, and so does an address by itself. */
static bool says_so(const struct reading *in, const struct link *link, struct span behind)
{
    const struct markup *markup = in->markup;
    const struct mark *first = &markup->items[link->first],
                      *last = &markup->items[markup->count - 1];
    struct span address = str_span(&link->address);
    struct span shown = {in->text.at + first->at, end_of(last) - first->at};
    const char *close = memchr(behind.at, ']', behind.len);

    if (!address.len)
        return true;
    if (close && close + 1 < behind.at + behind.len && close[1] == '(' &&
        memmem(behind.at, behind.len, address.at, address.len))
        return true;
    for (size_t i = 0; i < sizeof implied / sizeof *implied; i++) {
        struct span start = span_of(implied[i]);
        if (span_starts(address, start) &&
            span_eq((struct span){address.at + start.len, address.len - start.len}, shown))
            return true;
    }
    return false;
}

/* Behind [text] or [text][name]. */
static size_t end_of_reference(struct span behind)
{
    const char *end = behind.at + behind.len, *at = memchr(behind.at, ']', behind.len);

    if (!at)
        return 0;
    const char *more = ++at < end && *at == '[' ? memchr(at, ']', (size_t)(end - at)) : NULL;
    return (size_t)((more ? more + 1 : at) - behind.at);
}

/* What lies between the end of links and the next text is known: do they show where they lead? Many
 * can share one long address: when it has been repeated enough, its definition has to do. */
static void settle_links(struct reading *in, size_t next)
{
    struct markup *markup = in->markup;

    for (size_t i = 0; i < in->ended_count; i++) {
        struct link *link = &in->ended[i];
        uint32_t end = end_of(&markup->items[markup->count - 1]);
        struct span behind = {in->text.at + end, next > end ? next - end : 0};
        size_t len = link->address.len;
        if (!says_so(in, link, behind) &&
            markup->notes_text.len + len <= in->text.len + NOTES_FREE) {
            markup->notes = mem_grow(markup->notes, &markup->note_cap, markup->note_count + 1,
                                     sizeof *markup->notes);
            markup->notes[markup->note_count++] =
                (struct mark_note){end + (uint32_t)end_of_reference(behind),
                                   (uint32_t)markup->notes_text.len, (uint32_t)len};
            str_add_span(&markup->notes_text, str_span(&link->address));
        }
        str_free(&link->address);
    }
    in->ended_count = 0;
}

static void add_mark(struct reading *in, size_t at, size_t len, MD_TEXTTYPE type)
{
    struct markup *markup = in->markup;
    enum mark_block block = in->blocks[MD_BLOCK_CODE] ? BLOCK_CODE
                            : in->blocks[MD_BLOCK_H]  ? BLOCK_HEADING
                                                      : BLOCK_TEXT;

    if (markup->count && at < end_of(&markup->items[markup->count - 1]))
        return;
    settle_links(in, at);
    if (in->table_waits) {
        markup->tables = mem_grow(markup->tables, &markup->table_cap, markup->table_count + 1,
                                  sizeof *markup->tables);
        markup->tables[markup->table_count++] = (struct mark_table){(uint32_t)at, in->table_rows};
        in->table_waits = false;
    }
    markup->items = mem_grow(markup->items, &markup->cap, markup->count + 1, sizeof *markup->items);
    markup->items[markup->count++] = (struct mark){
        (uint32_t)at, (uint32_t)len, (uint8_t)look_of(in, type), LOOK_PLAIN, (uint8_t)block};
}

static int on_text(MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size, void *context)
{
    struct reading *in = context;
    uintptr_t at = (uintptr_t)text, base = (uintptr_t)in->text.at;

    /* Line breaks and indents are its own texts. */
    if (size && at >= base && at - base < in->text.len && size <= in->text.len - (at - base))
        add_mark(in, at - base, size, type);
    return !goes_on(in);
}

static int on_block(MD_BLOCKTYPE type, void *detail, void *context)
{
    struct reading *in = context;
    const MD_BLOCK_TABLE_DETAIL *table = detail;

    in->blocks[type]++;
    if (type == MD_BLOCK_TABLE && table) {
        in->table_waits = true;
        in->table_rows = table->body_row_count;
    } else if (type == MD_BLOCK_TBODY) {
        in->table_waits = false; /* nothing stands in its head: it is shown as lines */
    }
    return !goes_on(in);
}

static int on_block_end(MD_BLOCKTYPE type, void *detail, void *context)
{
    struct reading *in = context;

    (void)detail;
    in->blocks[type] -= in->blocks[type] > 0;
    return !goes_on(in);
}

static bool is_link(MD_SPANTYPE type)
{
    return type == MD_SPAN_A || type == MD_SPAN_IMG;
}

static int on_span(MD_SPANTYPE type, void *detail, void *context)
{
    struct reading *in = context;

    in->spans[type]++;
    if (is_link(type) && in->open_count < LINKS_MAX && !in->too_deep) {
        const MD_ATTRIBUTE *address = type == MD_SPAN_A ? &((MD_SPAN_A_DETAIL *)detail)->href
                                                        : &((MD_SPAN_IMG_DETAIL *)detail)->src;
        struct link *link = &in->open[in->open_count++];
        *link = (struct link){.first = in->markup->count};
        str_add(&link->address, address->text, address->size);
    } else if (is_link(type)) {
        in->too_deep++;
    }
    return !goes_on(in);
}

static int on_span_end(MD_SPANTYPE type, void *detail, void *context)
{
    struct reading *in = context;

    (void)detail;
    in->spans[type] -= in->spans[type] > 0; /* there are texts for which ends come by themselves */
    if (is_link(type) && in->too_deep) {
        in->too_deep--;
    } else if (is_link(type) && in->open_count) {
        struct link *link = &in->open[--in->open_count];
        if (in->markup->count > link->first && in->ended_count < LINKS_MAX) {
            in->markup->items[in->markup->count - 1].after = LOOK_LINK;
            in->ended[in->ended_count++] = *link;
        } else {
            str_free(&link->address);
        }
    }
    return !goes_on(in);
}

void markup_read(struct markup *markup, struct span text)
{
    static const MD_PARSER parser = {
        .flags = MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS |
                 MD_FLAG_PERMISSIVEAUTOLINKS,
        .enter_block = on_block,
        .leave_block = on_block_end,
        .enter_span = on_span,
        .leave_span = on_span_end,
        .text = on_text,
    };
    struct reading in = {.markup = markup, .text = text};

    *markup = (struct markup){0};
    bool read = md_parse(text.at, (MD_SIZE)text.len, &parser, &in) == 0;
    settle_links(&in, text.len);
    while (in.open_count)
        str_free(&in.open[--in.open_count].address);
    if (!read)
        markup_free(markup);
}

void markup_free(struct markup *markup)
{
    free(markup->items);
    free(markup->notes);
    free(markup->tables);
    str_free(&markup->notes_text);
    *markup = (struct markup){0};
}

size_t markup_behind(const struct markup *markup, size_t at)
{
    size_t low = 0, high = markup->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (end_of(&markup->items[middle]) > at)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

size_t markup_note_behind(const struct markup *markup, size_t at)
{
    size_t low = 0, high = markup->note_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (markup->notes[middle].at > at)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}
