/* The database of terminals. */
#include "terminfo.h"

#include "base/mem.h"

#include <stdlib.h>
#include <unistd.h>

#include <curses.h>
#include <term.h>

struct terminfo {
    TERMINAL *entry;
};

struct terminfo *terminfo_open(const char *term)
{
    int found;

    /* A dumb terminal is an error too, yet its entry exists. */
    set_curterm(NULL);
    if (setupterm(term, STDOUT_FILENO, &found) != OK && !cur_term)
        return NULL;
    struct terminfo *info = mem_zero(1, sizeof *info);
    info->entry = cur_term;
    return info;
}

void terminfo_close(struct terminfo *info)
{
    if (!info)
        return;
    del_curterm(info->entry);
    free(info);
}

const char *terminfo_string(struct terminfo *info, const char *name)
{
    if (!info)
        return NULL;
    set_curterm(info->entry);
    const char *text = tigetstr(name);
    return text == (const char *)-1 ? NULL : text; /* absent, or not a string at all */
}
