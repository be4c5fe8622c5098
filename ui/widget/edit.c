/* Edit: what keys and pastes do to the text. */
#include "ui/widget/edit_private.h"

#include "base/text/utf8.h"

#include <stdlib.h>

void edit_clip_free(struct edit_clip *clip)
{
    str_free(&clip->text);
}

void edit_free(struct edit *edit)
{
    str_free(&edit->text);
    free(edit->rows.starts);
    edit_undo_free(&edit->undo);
    *edit = (struct edit){0};
}

struct span edit_text(const struct edit *edit)
{
    return str_span(&edit->text);
}

uint64_t edit_version(const struct edit *edit)
{
    return edit->version;
}

/* Terminals send a newline in a paste as CR. */
static int32_t next_code(struct span *rest)
{
    int32_t code = utf8_next(rest);

    if (code == UTF8_INVALID || (code >= 0xd800 && code <= 0xdfff))
        return 0xfffd;
    if (code != '\r')
        return code;
    if (rest->len && rest->at[0] == '\n')
        utf8_next(rest);
    return '\n';
}

/* Appends a text as it may stand in this edit. */
static void take_in(struct str *out, const struct edit *edit, struct span text)
{
    size_t solid = out->len; /* behind the last that is no newline */

    while (text.len) {
        int32_t code = next_code(&text);
        if (code == 0)
            continue;
        utf8_add(out, code == '\n' && edit->single ? ' ' : code);
        if (code != '\n')
            solid = out->len;
    }
    if (edit->single && solid < out->len) {
        out->len = solid;
        out->at[solid] = '\0';
    }
}

static bool fits(const struct edit *edit, size_t without, size_t more)
{
    return edit->text.len - without + more <= (edit->most ? edit->most : EDIT_MOST);
}

enum edit_result edit_set(struct edit *edit, struct span text)
{
    struct str clean = {0};

    take_in(&clean, edit, text);
    if (!fits(edit, edit->text.len, clean.len)) {
        str_free(&clean);
        return EDIT_FULL;
    }
    str_free(&edit->text);
    edit->text = clean;
    edit->cursor = clean.len;
    edit->version++;
    edit->rows.same = 0;
    edit->run = EDIT_RUN_NONE;
    edit_undo_free(&edit->undo);
    edit_forget_column(edit);
    return EDIT_DONE;
}

static enum edit_result put(struct edit *edit, size_t from, size_t to, struct span text,
                            enum edit_run run)
{
    struct str clean = {0};
    enum edit_result result = EDIT_DONE;

    take_in(&clean, edit, text);
    if (from == to && !clean.len)
        result = EDIT_NOTHING;
    else if (!fits(edit, to - from, clean.len))
        result = EDIT_FULL;
    else
        edit_change(edit, from, to, str_span(&clean), run);
    str_free(&clean);
    return result;
}

enum edit_result edit_insert(struct edit *edit, struct span text)
{
    struct span rest = text;
    bool typed = text.len && (utf8_next(&rest), !rest.len);

    return put(edit, edit->cursor, edit->cursor, text, typed ? EDIT_RUN_TYPE : EDIT_RUN_NONE);
}

enum edit_result edit_replace(struct edit *edit, size_t from, size_t to, struct span text)
{
    from = edit_snap(edit, from);
    to = edit_snap(edit, to < from ? from : to);
    return put(edit, from, to, text, EDIT_RUN_NONE);
}

/* An emoji that is joined to the one before goes with its joiner: alone that would become visible.
 */
static size_t with_joiner(const struct edit *edit, size_t from)
{
    static const struct span joiner = {"\xe2\x80\x8d", 3};
    size_t before = edit_left(edit, from);

    if (from - before > joiner.len &&
        memcmp(edit->text.at + from - joiner.len, joiner.at, joiner.len) == 0)
        return from - joiner.len;
    return from;
}

static void clip(struct edit *edit, struct span text, bool backwards)
{
    struct str kept = {0};

    if (!edit->clip)
        return;
    if (edit->run != EDIT_RUN_CUT)
        str_clear(&edit->clip->text);
    str_add_span(&kept, backwards ? text : str_span(&edit->clip->text));
    str_add_span(&kept, backwards ? str_span(&edit->clip->text) : text);
    str_free(&edit->clip->text);
    edit->clip->text = kept;
}

static enum edit_result move(struct edit *edit, size_t to)
{
    edit->cursor = to;
    edit->run = EDIT_RUN_NONE;
    edit_forget_column(edit);
    return EDIT_DONE;
}

static enum edit_result delete (struct edit *edit, size_t to) {
    bool back = to < edit->cursor;
    size_t from = back ? to : edit->cursor, end = back ? edit->cursor : to;

    edit_change(edit, with_joiner(edit, from), end, span_of(""),
                back ? EDIT_RUN_BACK : EDIT_RUN_AHEAD);
    return EDIT_DONE;
}

static enum edit_result cut(struct edit *edit, size_t to)
{
    bool back = to < edit->cursor;
    size_t from = back ? to : edit->cursor, end = back ? edit->cursor : to;

    clip(edit, (struct span){edit->text.at + from, end - from}, back);
    edit_change(edit, from, end, span_of(""), EDIT_RUN_CUT);
    return EDIT_DONE;
}

/* To the end of the line; from there, the newline. */
static size_t rest_of_line(const struct edit *edit, size_t at)
{
    size_t end = edit_line_end(edit, at);

    return end > at ? end : edit_right(edit, at);
}

static enum edit_result newline(struct edit *edit)
{
    return edit->single ? EDIT_NOTHING : edit_insert(edit, span_of("\n"));
}

static enum edit_result yank(struct edit *edit)
{
    if (!edit->clip)
        return EDIT_NOTHING;
    return put(edit, edit->cursor, edit->cursor, str_span(&edit->clip->text), EDIT_RUN_NONE);
}

static enum edit_result up(struct edit *edit)
{
    return edit_go_rows(edit, -1);
}

static enum edit_result down(struct edit *edit)
{
    return edit_go_rows(edit, 1);
}

static enum edit_result undo(struct edit *edit)
{
    edit->run = EDIT_RUN_NONE;
    edit_forget_column(edit);
    return edit_undo(edit);
}

static enum edit_result redo(struct edit *edit)
{
    edit->run = EDIT_RUN_NONE;
    edit_forget_column(edit);
    return edit_redo(edit);
}

/* Either something of its own, or something done from the cursor to a place. */
struct act {
    enum edit_result (*run)(struct edit *edit);
    enum edit_result (*with)(struct edit *edit, size_t to);
    size_t (*to)(const struct edit *edit, size_t at);
};

static const struct act acts[ACTION_COUNT] = {
    [ACTION_NEWLINE] = {.run = newline},
    [ACTION_LEFT] = {.with = move, .to = edit_left},
    [ACTION_RIGHT] = {.with = move, .to = edit_right},
    [ACTION_UP] = {.run = up},
    [ACTION_DOWN] = {.run = down},
    [ACTION_WORD_LEFT] = {.with = move, .to = edit_word_left},
    [ACTION_WORD_RIGHT] = {.with = move, .to = edit_word_right},
    [ACTION_LINE_START] = {.with = move, .to = edit_line_start},
    [ACTION_LINE_END] = {.with = move, .to = edit_line_end},
    [ACTION_DELETE_BACK] = {.with = delete, .to = edit_left},
    [ACTION_DELETE] = {.with = delete, .to = edit_right},
    [ACTION_DELETE_WORD_BACK] = {.with = cut, .to = edit_word_left},
    [ACTION_DELETE_WORD] = {.with = cut, .to = edit_word_right},
    [ACTION_DELETE_TO_START] = {.with = cut, .to = edit_line_start},
    [ACTION_DELETE_TO_END] = {.with = cut, .to = rest_of_line},
    [ACTION_YANK] = {.run = yank},
    [ACTION_EDIT_UNDO] = {.run = undo},
    [ACTION_EDIT_REDO] = {.run = redo},
};

enum edit_result edit_act(struct edit *edit, enum action action)
{
    const struct act *act = &acts[action];

    if (act->run)
        return act->run(edit);
    if (!act->to)
        return EDIT_NOTHING;
    size_t to = act->to(edit, edit->cursor);
    return to == edit->cursor ? EDIT_NOTHING : act->with(edit, to);
}
