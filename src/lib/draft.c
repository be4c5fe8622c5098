/* The library: what a caller wants to send, checked and as a letter. */
#include "lib/draft.h"

enum {
    SEND_FLAGS = SWARMUTT_CREATE | SWARMUTT_VERIFY_TWICE | SWARMUTT_VERIFY_NEVER | SWARMUTT_PREVIEW,
};

#define LASTS_MAX_S UINT64_C(100000000000) /* some thousand years: more cannot be written */

bool lib_add_texts(struct span_list *list, const char *const *texts, size_t count, const char *what,
                   struct swarmutt_error *error)
{
    if (count && !texts)
        return lib_misused(error, "texts were counted and not given");
    for (size_t i = 0; i < count; i++) {
        if (!texts[i])
            return lib_misused(error, "a text in a list is NULL");
        if (!lib_check_text(texts[i], what, error))
            return false;
        span_list_add(list, span_of(texts[i]));
    }
    return true;
}

/* Where each text of a draft goes. */
static const struct draft_text {
    const char *name;
    size_t from, to;
} draft_texts[] = {
#define TEXT(member) offsetof(struct swarmutt_draft, member), offsetof(struct draft, member)
    {"recipient", TEXT(to)},    {"sender", TEXT(from)},   {"subject", TEXT(subject)},
    {"body", TEXT(body)},       {"type", TEXT(type)},     {"payload", TEXT(payload)},
    {"context", TEXT(context)}, {"thread", TEXT(thread)}, {"answered id", TEXT(reply_to)},
    {"swarm", TEXT(swarm)},
#undef TEXT
};

static bool take_texts(const struct swarmutt_draft *given, struct draft *draft,
                       struct swarmutt_error *error)
{
    for (size_t i = 0; i < sizeof draft_texts / sizeof *draft_texts; i++) {
        const struct draft_text *row = &draft_texts[i];
        const char *text;
        memcpy(&text, (const char *)given + row->from, sizeof text);
        if (!lib_check_text(text, row->name, error))
            return false;
        *(struct span *)(void *)((char *)draft + row->to) = span_of(text);
    }
    return lib_add_texts(&draft->tags, given->tags, given->tag_count, "tag", error) &&
           lib_add_texts(&draft->attachments, given->attachments, given->attachment_count,
                         "attachment", error);
}

static bool take_values(const struct swarmutt *mail, const struct swarmutt_draft *given,
                        struct lib_draft *taken, struct swarmutt_error *error)
{
    struct draft *draft = &taken->letter.draft;

    if (!lib_check_flags(given->flags, SEND_FLAGS, error))
        return false;
    if (given->flags & SWARMUTT_VERIFY_TWICE && given->flags & SWARMUTT_VERIFY_NEVER)
        return lib_misused(error, "to verify twice and never exclude each other");
    if (given->priority < 0 || given->priority > SWARMUTT_URGENT)
        return lib_misused(error, "a priority was given that is not known");
    if (given->source > store_source_count(mail->store))
        return lib_misused(error, "a source was given that is not open");
    if (given->lasts_s > LASTS_MAX_S)
        return lib_misused(error, "the message would last for too long");
    if (given->priority)
        draft->priority = (enum priority)given->priority;
    if (given->lasts_s)
        draft->expires_us = when_now() + (int64_t)given->lasts_s * 1000000;
    draft->requires_response = given->requires_response;
    taken->preview = given->flags & SWARMUTT_PREVIEW;
    taken->how =
        (struct send_options){.create = given->flags & SWARMUTT_CREATE,
                              .verify = given->flags & SWARMUTT_VERIFY_TWICE   ? VERIFY_BOTH
                                        : given->flags & SWARMUTT_VERIFY_NEVER ? VERIFY_NONE
                                                                               : VERIFY_FIRST,
                              .source = given->source ? (uint32_t)(given->source - 1) : STORE_ANY};
    return true;
}

bool lib_draft_take(struct lib_draft *taken, const struct swarmutt *mail,
                    const struct swarmutt_draft *draft, struct swarmutt_error *error)
{
    struct swarmutt_draft given;
    struct err err = {0};

    lib_begin(error);
    *taken = (struct lib_draft){.letter.draft = draft_new()};
    if (!mail || !draft)
        return lib_misused(error, "a handle and a draft are needed");
    if (!lib_take(&given, sizeof given, draft, error) || !take_values(mail, &given, taken, error) ||
        !take_texts(&given, &taken->letter.draft, error))
        return false;
    return (draft_read_object("the payload", &taken->letter.draft.payload, &err) &&
            draft_read_object("the context", &taken->letter.draft.context, &err)) ||
           lib_fail(error, &err);
}

void lib_draft_free(struct lib_draft *taken)
{
    letter_free(&taken->letter);
}

bool lib_draft_needs(const struct span *texts, const char *const *names, size_t count,
                     struct swarmutt_error *error)
{
    struct err err;

    for (size_t i = 0; i < count; i++) {
        if (texts[i].at)
            continue;
        err_set(&err, ERR_USAGE, "the %s is missing", names[i]);
        return lib_fail(error, &err);
    }
    return true;
}
