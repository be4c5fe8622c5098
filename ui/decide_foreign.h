/* Alarms of the queue: orders of a lead that neither the lead nor the person has given. */
#ifndef UI_DECIDE_FOREIGN_H
#define UI_DECIDE_FOREIGN_H

#include "ui/ui.h"

/* Keys of the picture. Zero-initialised is empty and valid. */
struct foreign_orders {
    struct span_list keys;
    struct arena arena;
};

void decide_foreign_free(struct foreign_orders *rows);

/* Finds them anew, without waiting; `take` takes them over, unless the screen is gone by then. */
void decide_foreign_find(struct screen *screen,
                         void (*take)(struct screen *screen, struct foreign_orders *rows));

#endif
