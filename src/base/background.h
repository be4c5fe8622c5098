/* Work that nobody waits for. */
#ifndef BASE_BACKGROUND_H
#define BASE_BACKGROUND_H

/* From now on the calling thread gives way to whoever works at the machine. There is no way back.
 */
void background_enter(void);

#endif
