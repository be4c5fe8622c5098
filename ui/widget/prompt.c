/* The prompt: drawing, keys, history and completion. */
#include "ui/widget/prompt.h"

#include "base/mem.h"
#include "base/text/sanitize.h"
#include "base/text/utf8.h"
#include "ui/ui_state.h"

#include <stdlib.h>

/* State of the prompt. */

struct prompt {
    const struct prompt_spec *spec; /* NULL: a question */
    void *context;
    struct edit edit;
    struct history_walk walk;
    struct completion completion;
    bool completing;
    size_t from;        /* start of the word that is completed */
    bool waits;         /* complete when the candidates are there, ... */
    uint64_t waited;    /* ... if the text still has this version */
    struct str kept;    /* form of the text that is in the history */
    int64_t changed_us; /* since when the text differs from `kept`; 0: it does not */
    struct str question;
    void (*yes)(struct ui *ui, void *context);
    void (*no)(void *context);
};

static void prompt_stop_completing(struct prompt *prompt)
{
    complete_free(&prompt->completion);
    prompt->completing = false;
}

static void prompt_complete(struct ui *ui, bool forward);

/* Drawing: the line or the question, and the completions. */

static void draw_line(struct ui *ui, struct grid *grid, const struct area *line)
{
    struct prompt *prompt = ui->prompt;
    int x = grid_puts(grid, line, 0, 0, STYLE_PROMPT, prompt->spec->label);
    int columns = line->columns - x - 1;
    CLEANUP(str_free) struct str row = {0};

    if (columns < 1)
        return;
    struct edit_layout layout = edit_layout(&prompt->edit, (size_t)columns);
    edit_draw(&prompt->edit, layout.row, &row);
    grid_put(grid, line, 0, x, columns, STYLE_PLAIN, str_span(&row));
    if (!prompt->edit.text.len && prompt->spec->hint)
        grid_put(grid, line, 0, x + 1, columns - 1, STYLE_DIM, span_of(prompt->spec->hint));
    grid_cursor(grid, line, 0, x + (int)layout.column);
}

/* Draws the completions above the line. */
static void draw_matches(struct ui *ui, struct grid *grid, const struct area *line)
{
    const struct completion *completion = &ui->prompt->completion;
    struct area above = {line->y - 1, line->x, 1, line->columns};
    int x = 1;

    for (int i = 0; i < above.columns; i++)
        grid_puts(grid, &above, 0, i, STYLE_STATUS, " ");
    size_t first = completion->at < completion->matches ? completion->at : 0;
    struct span note = completion->candidates[first].note;
    /* names are more important: the note of the first one comes after them */
    int room = note.len && above.columns >= 60 ? above.columns / 2 : above.columns;
    for (size_t i = first; i < completion->matches && x < room; i++) {
        int style = i == completion->at ? STYLE_SELECTED : STYLE_STATUS;
        x += grid_put(grid, &above, 0, x, room - x, style, completion->candidates[i].text) + 2;
    }
    if (room < above.columns)
        grid_put(grid, &above, 0, x, above.columns - x, STYLE_STATUS, note);
}

void prompt_draw(struct ui *ui, struct grid *grid, const struct area *line)
{
    struct prompt *prompt = ui->prompt;

    if (prompt->spec) {
        draw_line(ui, grid, line);
        if (prompt->completing && prompt->completion.matches > 1)
            draw_matches(ui, grid, line);
        return;
    }
    int x = 1 + grid_put(grid, line, 0, 1, line->columns - 8, STYLE_PROMPT,
                         str_span(&prompt->question));
    x += grid_puts(grid, line, 0, x, STYLE_KEY, " (y/n) ");
    grid_cursor(grid, line, 0, x);
}

/* Opening, closing and answering. */

/* As for forms: a kill loses no more than two seconds of typing. */
#define KEEP_US INT64_C(1500000)

void prompt_free(struct prompt *prompt)
{
    if (!prompt)
        return;
    if (prompt->spec && prompt->spec->free)
        prompt->spec->free(prompt->context);
    if (prompt->no)
        prompt->no(prompt->context);
    edit_free(&prompt->edit);
    history_walk_free(&prompt->walk);
    complete_free(&prompt->completion);
    str_free(&prompt->kept);
    str_free(&prompt->question);
    free(prompt);
}

/* Detaches the prompt from the foot before its callbacks run: they may open another one. */
static struct prompt *take_away(struct ui *ui)
{
    struct prompt *prompt = ui->prompt;

    ui->prompt = NULL;
    ui_touch(ui);
    return prompt;
}

static void remember_text(struct ui *ui, struct prompt *prompt)
{
    struct span text = edit_text(&prompt->edit);

    prompt->changed_us = 0;
    if (prompt->spec->history < 0 || span_eq(text, str_span(&prompt->kept)))
        return;
    ui_remember(ui, (enum history_kind)prompt->spec->history, str_span(&prompt->kept), text);
    str_set(&prompt->kept, text);
}

void prompt_give_up(struct ui *ui)
{
    struct prompt *prompt = take_away(ui);

    if (prompt && prompt->spec && prompt->spec->words)
        remember_text(ui, prompt);
    if (prompt && prompt->spec && prompt->spec->cancel)
        prompt->spec->cancel(ui, prompt->context);
    prompt_free(prompt);
}

int64_t prompt_due_us(const struct ui *ui)
{
    const struct prompt *prompt = ui->prompt;

    if (!prompt || !prompt->changed_us)
        return TIME_NONE;
    return time_left(prompt->changed_us + KEEP_US);
}

void prompt_work(struct ui *ui)
{
    if (prompt_due_us(ui) == 0)
        remember_text(ui, ui->prompt);
}

void ui_prompt(struct ui *ui, const struct prompt_spec *spec, struct span initial, void *context)
{
    struct prompt *prompt = mem_zero(1, sizeof *prompt);

    prompt_give_up(ui);
    *prompt = (struct prompt){.spec = spec, .context = context};
    prompt->edit = (struct edit){
        .clip = &ui->clip, .single = !spec->words, .ascii = (ui->grid.clean & SANITIZE_ASCII) != 0};
    edit_set(&prompt->edit, initial.at ? initial : (struct span){"", 0});
    ui->prompt = prompt;
    ui_touch(ui);
}

void ui_prompt_for(struct screen *screen, const struct prompt_spec *spec)
{
    uint64_t *id = mem_alloc(sizeof *id);

    *id = screen->id;
    ui_prompt(screen->ui, spec, (struct span){0}, id);
}

void ui_confirm(struct ui *ui, const char *question, void (*yes)(struct ui *ui, void *context),
                void (*no)(void *context), void *context)
{
    struct prompt *prompt = mem_zero(1, sizeof *prompt);

    prompt_give_up(ui);
    *prompt = (struct prompt){.context = context, .yes = yes, .no = no};
    str_puts(&prompt->question, question);
    ui->prompt = prompt;
    ui_touch(ui);
}

/* --- keys --- */

/* Notifies the owner of a change of the line. */
static void prompt_changed(struct ui *ui)
{
    struct prompt *prompt = ui->prompt;

    if (prompt->spec->words && !prompt->changed_us)
        prompt->changed_us = time_steady();
    if (prompt->spec->changed)
        prompt->spec->changed(ui, prompt->context, edit_text(&prompt->edit));
}

static void accept_prompt(struct ui *ui)
{
    struct prompt *prompt = take_away(ui);
    struct span text = edit_text(&prompt->edit);

    if (!prompt->spec->accept(ui, prompt->context, text)) {
        if (ui->prompt)
            prompt_free(prompt); /* another prompt was opened */
        else
            ui->prompt = prompt;
        return;
    }
    remember_text(ui, prompt);
    prompt_free(prompt);
}

static void edit_outside(struct ui *ui)
{
    struct prompt *prompt = ui->prompt;
    CLEANUP(str_free) struct str text = {0};
    struct err err;

    if (prompt->spec->words)
        remember_text(ui, prompt);
    str_add_span(&text, edit_text(&prompt->edit));
    if (!ui_edit(ui, &text, &err))
        ui_error(ui, &err);
    else if (edit_replace(&prompt->edit, 0, prompt->edit.text.len, span_trim(str_span(&text))) ==
             EDIT_FULL)
        ui_failf(ui, "what the editor left is too long; the text is as it was");
    else
        prompt_changed(ui);
}

static void walk(struct ui *ui, bool older)
{
    struct prompt *prompt = ui->prompt;
    struct span now = edit_text(&prompt->edit), line = {0};
    enum history_kind kind = (enum history_kind)prompt->spec->history;

    if (prompt->spec->history < 0)
        return;
    line = older ? history_older(ui_history(ui), kind, &prompt->walk, now)
                 : history_newer(ui_history(ui), kind, &prompt->walk, now);
    if (line.at)
        edit_replace(&prompt->edit, 0, now.len, line);
    prompt_changed(ui);
}

static void line_act(struct ui *ui, enum action action)
{
    struct prompt *prompt = ui->prompt;

    if (action != ACTION_COMPLETE && action != ACTION_REDRAW && action != ACTION_SUSPEND)
        prompt_stop_completing(prompt);
    switch (action) {
    case ACTION_ACCEPT:
        accept_prompt(ui);
        break;
    case ACTION_LEAVE:
        prompt_give_up(ui);
        break;
    case ACTION_COMPLETE:
        prompt_complete(ui, true);
        break;
    case ACTION_EDITOR:
        edit_outside(ui);
        break;
    case ACTION_REDRAW:
    case ACTION_SUSPEND:
        ui_act(ui, action, (struct span){0});
        break;
    case ACTION_UP:
    case ACTION_DOWN:
        walk(ui, action == ACTION_UP);
        break;
    case ACTION_DELETE_BACK:
        if (!prompt->edit.text.len) {
            prompt_give_up(ui); /* as in other command lines */
            break;
        }
        /* fall through */
    default: {
        uint64_t before = edit_version(&prompt->edit);
        edit_act(&prompt->edit, action);
        if (edit_version(&prompt->edit) != before)
            prompt_changed(ui);
    }
    }
}

void prompt_type(struct ui *ui, struct span text)
{
    if (!ui->prompt->spec)
        return; /* only a key answers a question, never a paste */
    prompt_stop_completing(ui->prompt);
    if (edit_insert(&ui->prompt->edit, text) == EDIT_FULL)
        ui_info(ui, STYLE_WARNING, "that is too long for a line");
    prompt_changed(ui);
}

static void answer_question(struct ui *ui, uint32_t key)
{
    struct prompt *prompt = take_away(ui);

    if (key == 'y' && prompt->yes) {
        prompt->no = NULL; /* yes() takes ownership of the context */
        prompt->yes(ui, prompt->context);
    } else {
        ui_info(ui, STYLE_DIM, "nothing was done");
    }
    prompt_free(prompt);
}

void prompt_key(struct ui *ui, uint32_t key)
{
    CLEANUP(str_free) struct str text = {0};
    enum fed fed;

    if (!ui->prompt->spec) {
        answer_question(ui, key);
        return;
    }
    if (key == K_BACKTAB) {
        prompt_complete(ui, false);
        return;
    }
    enum action action = keymap_feed(&ui->keymap, &ui->keys, IN_LINE, key, &fed);
    if (fed == FED_ACTION) {
        line_act(ui, action);
    } else if (fed == FED_TEXT) {
        utf8_add(&text, (int32_t)key);
        prompt_type(ui, str_span(&text));
    } else if (fed != FED_PENDING) {
        ui_info(ui, STYLE_DIM, "%s", str_c(&ui->keys.text));
    }
}

/* --- whole lines, without a screen --- */

void prompt_add_question(const struct ui *ui, struct str *out)
{
    const struct prompt *prompt = ui->prompt;
    CLEANUP(str_free) struct str text = {0};

    if (!prompt->spec) {
        str_add_span(&text, str_span(&prompt->question));
        str_puts(&text, " (y/n) ");
    } else {
        str_puts(&text, prompt->spec->label);
        if (prompt->spec->hint)
            str_addf(&text, "(%s) ", prompt->spec->hint);
        if (prompt->edit.text.len)
            str_addf(&text, "[%s] ", str_c(&prompt->edit.text));
    }
    sanitize_add(out, str_span(&text), ui->grid.clean);
}

void prompt_answer(struct ui *ui, struct span line)
{
    struct prompt *prompt = ui->prompt;

    if (!prompt->spec) {
        answer_question(ui, span_is(line, "y") || span_is(line, "yes") ? 'y' : 'n');
        return;
    }
    if (line.len)
        edit_set(&prompt->edit, line);
    prompt_changed(ui);
    if (ui->prompt == prompt)
        accept_prompt(ui);
}

/* Postpones the completion: it must not offer anything before all candidates are known. */
static void complete_later(struct ui *ui)
{
    struct prompt *prompt = ui->prompt;

    complete_free(&prompt->completion);
    prompt->waits = true;
    prompt->waited = edit_version(&prompt->edit);
    ui_info(ui, STYLE_DIM, "looking for what fits ...");
}

/* Completes the word at the cursor, or cycles to the next completion; does nothing else. */
static void prompt_complete(struct ui *ui, bool forward)
{
    struct prompt *prompt = ui->prompt;
    struct span text = edit_text(&prompt->edit);
    struct span before = {text.at, prompt->edit.cursor};

    if (!prompt->spec->complete)
        return;
    if (!prompt->completing) {
        prompt->from = before.len;
        prompt->spec->complete(ui, prompt->context, before, &prompt->from, &prompt->completion);
        if (prompt->completion.later) {
            complete_later(ui);
            return;
        }
        struct span word = {before.at + prompt->from, before.len - prompt->from};
        prompt->completing = true;
        if (!complete_open(&prompt->completion, word)) {
            ui_info(ui, STYLE_DIM, "nothing fits");
            prompt_stop_completing(prompt);
            return;
        }
    }
    struct span becomes =
        forward ? complete_next(&prompt->completion) : complete_previous(&prompt->completion);
    edit_replace(&prompt->edit, prompt->from, prompt->edit.cursor, becomes);
    if (prompt->completion.matches == 1)
        prompt_stop_completing(prompt);
    prompt_changed(ui);
}

void prompt_complete_again(struct ui *ui)
{
    struct prompt *prompt = ui->prompt;

    if (!prompt || !prompt->waits)
        return;
    prompt->waits = false;
    if (prompt->waited == edit_version(&prompt->edit)) {
        str_clear(&ui->saying.said);
        prompt_complete(ui, true);
    }
}
