/* A draft: its beginning and its end, and the objects that it may carry. */
#include "mail/message/draft.h"

#include "base/json/json.h"

struct draft draft_new(void)
{
    return (struct draft){
        .priority = PRIORITY_NORMAL, .created_us = WHEN_NONE, .expires_us = WHEN_NONE};
}

void draft_free(struct draft *draft)
{
    span_list_free(&draft->tags);
    span_list_free(&draft->attachments);
}

struct span draft_giver(const struct draft *draft)
{
    return draft->giver.len ? draft->giver : draft->from;
}

bool draft_read_object(const char *name, struct span *object, struct err *err)
{
    struct json value;
    struct arena arena = {0};
    bool ok = true;

    if (!object->at)
        return true;
    if (!json_scan(*object, JSON_PYTHON, &value, err)) {
        err_at(err, name);
        err->scope = ERR_USAGE;
        return false;
    }
    struct span twice = json_duplicate_key(value, &arena);
    if (value.kind != JSON_OBJECT)
        ok = err_set(err, ERR_USAGE, "%s takes a JSON object", name);
    else if (twice.at)
        ok = err_set(err, ERR_USAGE, "%s: the key \"%.*s\" stands twice in one object", name,
                     (int)twice.len, twice.at);
    *object = value.raw;
    arena_free(&arena);
    return ok;
}
