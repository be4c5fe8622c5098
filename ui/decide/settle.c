/* Settling: decides when bytes can be approved. */
#include "ui/decide/settle.h"

#include "base/mem.h"
#include "ui/ui_state.h"

#include <stdlib.h>

void settle_restart(struct settle *settle)
{
    *settle = (struct settle){0};
}

void settle_change(struct settle *settle, struct ui *ui)
{
    /* an open prompt keeps its input, since it checks by itself what it is for */
    if (settle->frame && settle->frame == ui->frame && !ui->prompt && !ui->options->plain)
        ui->drops_input = true;
    *settle = (struct settle){.changed = settle->frame || settle->changed};
}

/* True if the bytes are in the last frame, or at most `frames` before it, and no other program had
 * the terminal since. With --plain nothing is drawn over printed lines. */
static bool is_still_there(const struct settle *settle, const struct ui *ui, uint64_t frames)
{
    return ui->options->plain ||
           (settle->frame + frames >= ui->frame && settle->resumes == ui->terminal.resumes);
}

void settle_draw(struct settle *settle, const struct ui *ui)
{
    if (!ui_is_seen(ui))
        return;
    if (settle->frame && !settle->since_us)
        settle->since_us = ui->drawn_us;
    if (!is_still_there(settle, ui, 1))
        settle->since_us = 0;
    if (ui->options->plain)
        settle->changed = false; /* the person sees what is printed */
    settle->frame = ui->frame;
    settle->resumes = ui->terminal.resumes;
}

int64_t settle_left_us(const struct settle *settle, const struct ui *ui)
{
    int64_t wanted_us = ui_config(ui)->settle_us;
    int64_t since_us = settle->since_us ? settle->since_us : ui->drawn_us;

    if (!settle->frame || !is_still_there(settle, ui, 0))
        return wanted_us;
    return time_left(since_us + wanted_us);
}

int64_t settle_due_us(const struct settle *settle, const struct ui *ui)
{
    int64_t left_us = settle_left_us(settle, ui);

    return left_us && settle->frame == ui->frame ? left_us : TIME_NONE;
}

bool settle_allows(const struct settle *settle, const struct ui *ui, struct err *err)
{
    if (settle->changed)
        return err_set(err, ERR_REFUSED,
                       "changed since you looked, and not counted: read it again; Enter goes on");
    if (settle_left_us(settle, ui) > 0)
        return err_set(err, ERR_REFUSED,
                       "not counted: it was on the screen for less than %.1fs; press it again",
                       (double)ui_config(ui)->settle_us / 1e6);
    return true;
}

/* --- requests that were drawn --- */

void drawn_requests_free(struct drawn_requests *drawn)
{
    map_free(&drawn->sums);
    free(drawn->items);
    arena_free(&drawn->arena);
    *drawn = (struct drawn_requests){0};
}

/* Returns what identifies a request: its id where an agent's program knows requests by their ids.
 * Elsewhere ids may be used several times, so the file is part of the identity. */
static struct span identity_of(const struct request *request, struct str *scratch)
{
    const struct message *message = request->message;
    bool native = request_is_native(request);
    CLEANUP(str_free) struct str path = {0};

    if (!native)
        message_add_path(&path, message, false);
    const struct span parts[] = {message->place->team, message->from,
                                 native ? message->thread : message->id, str_span(&path)};
    return map_key(scratch, message->place->source, parts, sizeof parts / sizeof *parts);
}

void drawn_requests_add(struct drawn_requests *drawn, const struct request *request)
{
    CLEANUP(str_free) struct str scratch = {0};
    bool fresh;

    uint32_t *at =
        map_put_copy(&drawn->sums, &drawn->arena, identity_of(request, &scratch), &fresh);
    if (fresh) {
        *at = (uint32_t)drawn->count;
        drawn->items = mem_grow(drawn->items, &drawn->cap, drawn->count + 1, sizeof *drawn->items);
        memcpy(drawn->items[drawn->count++], request->sha256, sizeof request->sha256);
    } else if (strcmp(drawn->items[*at], request->sha256) != 0) {
        drawn->items[*at][0] = '\0'; /* equals no hash: from now on none of them is trusted */
    }
}

bool drawn_requests_differ(const struct drawn_requests *drawn, const struct request *request)
{
    CLEANUP(str_free) struct str scratch = {0};
    const uint32_t *at = map_get(&drawn->sums, identity_of(request, &scratch));

    return at && strcmp(drawn->items[*at], request->sha256) != 0;
}
