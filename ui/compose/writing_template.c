/* Writing: what the config's templates put into a new form. */
#include "ui/compose/writing.h"

struct starting {
    const struct config_words *words;
    struct arena *arena;
};

static void start_text(const struct starting *in, struct span *field, struct span text)
{
    struct str filled = {0};

    if (field->len || !text.len)
        return;
    config_fill(&filled, text, in->words);
    *field = arena_copy(in->arena, str_span(&filled));
    str_free(&filled);
}

static void start_list(const struct starting *in, struct span_list *field,
                       const struct span_list *texts)
{
    if (field->count)
        return;
    for (size_t i = 0; i < texts->count; i++) {
        struct span text = {0};
        start_text(in, &text, texts->items[i]);
        if (text.len)
            span_list_add(field, text);
    }
}

static void start_handoff(const struct starting *in, struct handoff *to, const struct handoff *from)
{
    start_text(in, &to->work_completed, from->work_completed);
    start_text(in, &to->current_state, from->current_state);
    start_text(in, &to->state_file, from->state_file);
    start_text(in, &to->job_id, from->job_id);
    start_text(in, &to->notes, from->notes);
    start_list(in, &to->files_modified, &from->files_modified);
    start_list(in, &to->files_created, &from->files_created);
    start_list(in, &to->next_steps, &from->next_steps);
    start_list(in, &to->blockers, &from->blockers);
    start_list(in, &to->dependencies, &from->dependencies);
    start_list(in, &to->related_escalations, &from->related_escalations);
}

bool writing_start(const struct ui *ui, enum config_use use, const struct config_words *words,
                   struct draft_fields *fields, struct arena *arena)
{
    const struct config *config = ui_config(ui);
    struct starting in = {words, arena};

    for (size_t i = 0; config && i < config->template_count; i++) {
        const struct config_template *one = &config->templates[i];
        if (one->use != use)
            continue;
        start_text(&in, &fields->to, one->to);
        start_text(&in, &fields->subject, one->subject);
        start_text(&in, &fields->body, one->body);
        start_list(&in, &fields->tags, &one->tags);
        start_handoff(&in, &fields->handoff, &one->handoff);
        if (one->priority && fields->priority == PRIORITY_NORMAL)
            fields->priority = one->priority;
        return true;
    }
    return false;
}
