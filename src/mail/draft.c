/* A draft: letting go of its lists. */
#include "mail/draft.h"

void draft_free(struct draft *draft)
{
    span_list_free(&draft->tags);
    span_list_free(&draft->attachments);
}
