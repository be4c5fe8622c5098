/* Saves the files of the first screen, which the next session reports first
 * (store/scan/first_screen.h). */
#ifndef UI_SNAPSHOT_FIRST_SCREEN_H
#define UI_SNAPSHOT_FIRST_SCREEN_H

struct ui;

/* Saves them when all mail is loaded for the first time, and at the end. */
void ui_keep_first_screen(struct ui *ui);

#endif
