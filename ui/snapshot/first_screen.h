/* What stands first in the list is told first the next time (store/foremost.h). */
#ifndef UI_SNAPSHOT_FIRST_SCREEN_H
#define UI_SNAPSHOT_FIRST_SCREEN_H

struct ui;

/* Notes it as it is now: when everything is there for the first time, and in the end. */
void ui_keep_first_screen(struct ui *ui);

#endif
