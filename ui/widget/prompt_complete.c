/* The prompt, completing: what the word at the cursor may become. */
#include "ui/widget/prompt_private.h"

void prompt_stop_completing(struct prompt *prompt)
{
    complete_free(&prompt->completion);
    prompt->completing = false;
}

/* Nothing is offered that might not be the best there is. */
static void complete_later(struct ui *ui)
{
    struct prompt *prompt = ui->prompt;

    complete_free(&prompt->completion);
    prompt->waits = true;
    prompt->waited = edit_version(&prompt->edit);
    ui_say(ui, LOOK_DIM, "looking for what fits ...");
}

void prompt_complete(struct ui *ui, bool forward)
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
            ui_say(ui, LOOK_DIM, "nothing fits");
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
