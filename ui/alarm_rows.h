/* Alarms of the queue: orders of a lead that neither the lead nor the person has given. */
#ifndef UI_ALARM_ROWS_H
#define UI_ALARM_ROWS_H

#include "ui/ui.h"

/* Keys of the picture. Zero-initialised is empty and valid. */
struct alarm_rows {
    struct span_list keys;
    struct arena arena;
};

void alarm_rows_free(struct alarm_rows *rows);

/* Finds them anew, without waiting; `take` takes them over, unless the screen is gone by then. */
void alarm_rows_find(struct screen *screen,
                     void (*take)(struct screen *screen, struct alarm_rows *rows));

#endif
