/* Heads as bytes: the head as it is in memory, the length of its text, the text. */
#include "mail/live/head_bytes.h"

#include "mail/handoff/work.h"
#include "mail/live/head_private.h"
#include "mail/message/kind.h"
#include "mail/protocol/protocol.h"

void head_write(struct str *out, const struct message *message, const struct head_names *names)
{
    struct head head = head_of(message);
    uint32_t len = (uint32_t)head_text_size(message);

    head.from = names->from;
    head.to = names->to;
    head.type = names->type;
    str_add(out, (const char *)&head, sizeof head);
    str_add(out, (const char *)&len, sizeof len);
    head_put_text(str_room(out, len), message);
    out->len += len;
    out->at[out->len] = '\0';
}

struct span head_skip(struct span *bytes)
{
    const size_t fixed = sizeof(struct head) + sizeof(uint32_t);
    struct span skipped = {bytes->at, 0};
    uint32_t len;

    if (bytes->len < fixed)
        return (struct span){0};
    memcpy(&len, bytes->at + sizeof(struct head), sizeof len);
    if (bytes->len - fixed < len)
        return (struct span){0};
    skipped.len = fixed + len;
    *bytes = (struct span){bytes->at + skipped.len, bytes->len - skipped.len};
    return skipped;
}

static bool makes_sense(const struct head *head, size_t name_count)
{
    return head->from <= name_count && head->to <= name_count && head->type <= name_count &&
           head->priority <= PRIORITY_URGENT && head->status <= STATUS_NONE &&
           head->kind < KIND_COUNT && head->verdict <= VERDICT_YES && head->said <= WORK_FAILED;
}

bool head_read(struct span *bytes, const struct span *names, size_t name_count,
               const struct place *place, struct batch *batch)
{
    const size_t fixed = sizeof(struct head) + sizeof(uint32_t);
    struct span rest = *bytes, one = head_skip(&rest);
    struct head head;

    if (!one.at)
        return false;
    memcpy(&head, one.at, sizeof head);
    struct span text = {one.at + fixed, one.len - fixed};
    if (!makes_sense(&head, name_count) || !head_text_fits(&head, text))
        return false;
    head.text = memcpy(arena_bytes(&batch->arena, text.len), text.at, text.len);
    struct message *message = batch_add(batch);
    head_open(&head, names, place, message, &batch->arena);
    message->from = batch_name(batch, message->from);
    message->to = batch_name(batch, message->to);
    message->type = batch_name(batch, message->type);
    *bytes = rest;
    return true;
}
