/* A source: one mailbox tree on disk, with its layout and who we are there. */
#ifndef STORE_SOURCE_SOURCE_H
#define STORE_SOURCE_SOURCE_H

#include "store/format/format.h"

/* Discovery of mailbox trees in their default places. */

/* Calls `found` with FORMAT:PATH for every tree of the layout in its default places: below the
 * working directory and those above it, and in the home directory. Appends the places that were
 * searched to `looked`. Stops and returns false when `found` does. */
bool discover(const struct format *format, bool (*found)(void *context, const char *spec),
              void *context, struct str *looked);

/* Calls `missing` with each directory whose creation would make a tree found: one below the working
 * directory, and those in the home directory, where the layout has none. */
void discover_missing(const struct format *format, void (*missing)(void *context, const char *path),
                      void *context);

bool path_is_dir(const char *path);
/* Returns the path with ~/ or $VARIABLE at its start replaced; NULL if there is no such variable or
 * home. The caller frees it. */
char *path_expand(const char *path);

struct source {
    const struct format *format;
    char *path;        /* absolute */
    char *identity;    /* our name, without a team */
    char *team;        /* the team that was named with it, or NULL */
    char *swarm;       /* set by address_narrow(): the swarm of the agent that our bare name means,
                        * "" for none; NULL: any swarm's */
    int root;          /* descriptor of the root directory */
    char *roster_path; /* NULL if the layout has no rosters */
    char *base_path;   /* another directory with rosters, according to the settings; or NULL */
    int64_t lasts_us;  /* how long messages are kept; 0: no limit */
    char *zone_name;   /* of the time zone of its programs, or NULL ... */
    struct zone *zone; /* ... and the zone; NULL: our zone */
    char *problem;     /* the problem with its settings, or NULL */
    uint32_t index;    /* its number in the store */
    uint64_t seed;     /* for the hashes of its messages */
    /* Reports to the person what is being waited for; NULL if nobody listens. */
    void (*tell)(void *context, const char *sentence);
    void *report_context;
};

/* Opens [FORMAT:]PATH. Without FORMAT the layout is recognised, also from the project directory
 * above the mailboxes. `identity` and `swarms` may be NULL. The caller closes it. */
bool source_open(struct source *source, const char *spec, const char *identity, const char *swarms,
                 struct err *err);
/* Opens the same source again, also if its path cannot be accessed at present. The caller closes
 * the copy in any case. */
bool source_copy(struct source *copy, const struct source *source, struct err *err);
void source_close(struct source *source);
/* Replaces who we are there; NULL for the layout's default. */
void source_identify(struct source *source, const char *identity);
/* Sets the time zone of its programs; false, with the reason, if there is no such zone. */
bool source_set_zone(struct source *source, const char *name, struct err *err);
/* True if an agent there can have our name. */
bool source_has_name(const struct source *source);

/* True if there are mailboxes of the layout at the path, or at their default place below it. */
bool source_recognised(const struct format *format, const char *path);
/* True if there is mail at exactly this path; a roster alone does not count. */
bool source_has_mail(const struct format *format, const char *path);

/* Returns the place of files that match a rule; borrows from the names and the directory. */
struct place source_place(const struct source *source, const struct place_rule *rule,
                          const struct place_names *names, struct span dir);

/* Calls `add` with each path, existing or not, below which this source is read, or written if
 * `writes`. For a sandbox that denies all other paths. */
void source_places(const struct source *source,
                   void (*add)(void *context, const char *path, bool writes), void *context);

/* True if it is the source of that layout at that path. */
bool source_is(const struct source *source, struct span format, struct span root);

/* True if its path is the layout's default place below a project. */
bool source_is_at_home(const struct source *source);

/* Like source_open() for FORMAT:PATH, but for a path that cannot be accessed at present; see
 * source_follow(). False if FORMAT is missing or the path can be accessed. */
bool source_open_absent(struct source *source, const char *spec, const char *identity,
                        const char *swarms);
/* True if its path still leads to the directory that was opened, and that can be listed.
 * ERR_REFUSED if the path is missing. */
bool source_is_there(const struct source *source, struct err *err);
/* Opens the root again if its path leads to another directory: it was removed and made again. */
void source_follow(struct source *source);

/* Opens a directory below the root, "" for the root itself. -1 and errno on failure. */
int source_dir(const struct source *source, const char *dir);
/* Like source_dir(), but with a sentence in err on failure. */
int source_open_dir(const struct source *source, const char *dir, struct err *err);
/* Converts the errno of opening a directory into the result for a file in it: FILE_GONE, or
 * FILE_FAILED with a sentence. */
enum file_result source_dir_failed(int problem, struct err *err);
/* Like source_open_dir(), but creates missing directories. */
int source_make_dir(const struct source *source, const char *dir, struct err *err);

#endif
