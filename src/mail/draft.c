/* A draft: its beginning and its end. */
#include "mail/draft.h"

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
