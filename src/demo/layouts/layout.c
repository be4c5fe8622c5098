/* The table of layouts, and functions for all of them. */
#include "demo/layouts/layout.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const struct layout *const layouts[] = {&layout_claude, &layout_openclaw, &layout_inbox,
                                        &layout_adr,    &layout_roo,      NULL};

bool layout_name(const struct layout *layout, struct message *message, struct dice *dice)
{
    CLEANUP(text_free) struct text id = {0};

    if (!layout->id)
        return false;
    for (const char *at = layout->id; !message->part[PART_ID] && *at; at++) {
        if (*at == '#')
            dice_add_hex(&id, dice, 1);
        else if (*at == '@')
            dice_add_uuid(&id, dice);
        else if (*at == '^')
            text_addf(&id, "%s-%lld", message_get(message, PART_FROM),
                      (long long)(message->time_us / 1000));
        else
            text_putc(&id, *at);
    }
    if (!message->part[PART_ID])
        message_set(message, PART_ID, text_c(&id));
    if (layout->conversations && !message->part[PART_THREAD])
        message_setf(message, PART_THREAD, "conv-%lld", (long long)(message->time_us / 1000));
    return true;
}

bool post_wants(struct post *post, const char *from)
{
    if (post->asleep && strcmp(from, post->layout->lead) == 0)
        post->asleep = false;
    return !post->asleep && strcmp(from, post->who) != 0;
}

bool post_has_seen(const struct post *post, const char *name)
{
    for (size_t i = post->seen.count; i--;)
        if (strcmp(post->seen.names[i], name) == 0)
            return true;
    return false;
}

void post_note(struct post *post, const char *name)
{
    enum { KEPT = 512 };

    if (post->seen.count ==
        KEPT) { /* the files of the oldest names were removed or finished long ago */
        free(post->seen.names[0]);
        memmove(post->seen.names, post->seen.names + 1, --post->seen.count * sizeof(char *));
    }
    post->seen.names = demo_resize(post->seen.names, (post->seen.count + 1) * sizeof(char *));
    post->seen.names[post->seen.count++] = demo_copy(name);
}

bool post_has_changed(struct post *post, const char *path)
{
    struct stat st;

    if (stat(path, &st) != 0)
        return false;
    bool same =
        st.st_mtim.tv_sec == post->changed.tv_sec && st.st_mtim.tv_nsec == post->changed.tv_nsec;
    post->changed = st.st_mtim;
    return !same;
}
