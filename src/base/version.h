/* The version of the sources, for display; see build-aux/version. */
#ifndef BASE_VERSION_H
#define BASE_VERSION_H

extern const char version_text[];

#endif
