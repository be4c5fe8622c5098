/* File systems that do not report all changes. */
#ifndef STORE_SOURCE_NETWORK_FS_H
#define STORE_SOURCE_NETWORK_FS_H

/* Returns why changes in the directory may go unreported, or NULL if they do not: on a network file
 * system other machines change it without an event here. */
const char *filesystem_is_silent(int dir);

#endif
