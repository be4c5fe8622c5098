/* File systems: which of them tell what changes. */
#ifndef STORE_SOURCE_NETWORK_FS_H
#define STORE_SOURCE_NETWORK_FS_H

/* Why changes in the directory may go untold, or NULL: on a network others change it unseen. */
const char *filesystem_is_silent(int dir);

#endif
