/* Records of changes: kept in one arena, in the order they were made. */
#include "store/record.h"

#include "base/mem.h"

#include <stdlib.h>

void change_records_free(struct change_records *records)
{
    arena_free(&records->arena);
    free(records->items);
    *records = (struct change_records){0};
}

struct change_record *change_records_add(struct change_records *records,
                                         const struct message *message)
{
    records->items =
        mem_grow(records->items, &records->cap, records->count + 1, sizeof *records->items);
    struct change_record *record = &records->items[records->count++];
    *record = (struct change_record){0};
    message_keep(&record->message, message, &records->arena);
    return record;
}
