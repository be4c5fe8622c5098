/* Lists of conversations: tagging what matches a query, and untagging what was dealt with. */
#include "base/mem.h"
#include "ui/mail/mailbox_private.h"
#include "ui/snapshot/names.h"
#include "ui/widget/prompt.h"

#include <stdlib.h>

static void tag_rows(struct screen *screen)
{
    struct mailbox *box = (struct mailbox *)screen;
    const struct talks *talks = &ui_picture(screen->ui)->sight.talks;
    bool whole = !filter_is_looking(&box->tagging);
    struct str reading = {0};
    size_t count = 0;

    for (size_t i = 0; i < box->list.count; i++) {
        const struct list_row *row = &box->list.rows[i];
        if (row->kind != ROW_TALK ||
            !filter_matches_talk(&box->tagging, screen->ui, &talks->items[row->item]))
            continue;
        count++;
        if (!key_set_has(&box->tagged, row->key))
            key_set_toggle(&box->tagged, row->key);
    }
    filter_explain(&box->tagging, &reading);
    if (whole) /* otherwise it was said that the files could not be searched */
        ui_say(screen->ui, LOOK_PLAIN, "%zu tagged%s%s", count, reading.len ? "; " : "",
               str_c(&reading));
    str_free(&reading);
    filter_free(&box->tagging);
    ui_touch(screen->ui);
}

/* What only the files know is looked for there first; the keys go on meanwhile. */
bool mailbox_tag_matching(struct mailbox *box, struct span text)
{
    struct err err;

    if (box->tagging.looking) {
        ui_say(box->screen.ui, LOOK_WARNING, "still looking for what to tag; try again");
        return false;
    }
    if (!filter_set(&box->tagging, text, &err)) {
        ui_fail(box->screen.ui, &err);
        return false;
    }
    if (!filter_is_looking(&box->tagging)) {
        tag_rows(&box->screen);
        return true;
    }
    ui_say(box->screen.ui, LOOK_DIM, "looking for what to tag ...");
    filter_look(&box->tagging, &box->screen, tag_rows);
    return true;
}

static bool tag_accept(struct ui *ui, void *context, struct span text)
{
    struct mailbox *box = (struct mailbox *)ui_screen(ui, *(uint64_t *)context);

    return !box || mailbox_tag_matching(box, text);
}

static const struct prompt_spec tag_spec = {.label = "tag: ",
                                            .hint = "a query; everything shown that matches",
                                            .history = HISTORY_FILTER,
                                            .accept = tag_accept,
                                            .complete = names_complete_query,
                                            .free = free};

void mailbox_tag_ask(struct mailbox *box)
{
    uint64_t *screen = mem_zero(1, sizeof *screen);

    *screen = box->screen.id;
    ui_prompt(box->screen.ui, &tag_spec, (struct span){0}, screen);
}

void mailbox_untag(struct screen *screen, const struct span_list *keys)
{
    struct mailbox *box = (struct mailbox *)screen;
    struct map done = {0};
    bool fresh;

    for (size_t i = 0; i < keys->count; i++)
        *map_put(&done, keys->items[i], &fresh) = 1;
    for (size_t i = 0; i < box->list.count; i++) {
        const struct list_row *row = &box->list.rows[i];
        struct span_list messages = {0};
        struct arena arena = {0};
        bool any = false;
        if (!row->key.at || !key_set_has(&box->tagged, row->key))
            continue;
        mailbox_add_row(box, row, &messages, &arena);
        for (size_t k = 0; k < messages.count; k++)
            any = any || map_get(&done, messages.items[k]);
        if (any)
            key_set_toggle(&box->tagged, row->key);
        span_list_free(&messages);
        arena_free(&arena);
    }
    map_free(&done);
}
