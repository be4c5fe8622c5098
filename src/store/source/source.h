/* A source: one mailbox tree on disk, with the layout it is in and who we are there. */
#ifndef STORE_SOURCE_SOURCE_H
#define STORE_SOURCE_SOURCE_H

#include "store/format/format.h"

struct source {
    const struct format *format;
    char *path;        /* absolute */
    char *identity;    /* without a team */
    char *team;        /* the one that was named with it, or NULL */
    char *swarm;       /* whose agent a bare name of ours is, "" for none; NULL: any swarm's */
    int root;          /* descriptor of the root directory */
    char *roster_path; /* NULL where the layout has no rosters */
    char *base_path;   /* where the settings say that rosters lie too, or NULL */
    int64_t lasts_us;  /* how long messages are kept; 0: no limit */
    char *zone_name;   /* of the time zone that its programs are in, or NULL ... */
    struct zone *zone; /* ... and the zone: NULL: ours */
    char *problem;     /* what is wrong with its settings, or NULL */
    uint32_t index;    /* its number in the store */
    uint64_t seed;     /* for the prints of its messages */
    /* Tells the person what is waited for; NULL where nobody listens. */
    void (*tell)(void *context, const char *sentence);
    void *tell_context;
};

/* Opens [FORMAT:]PATH. Without FORMAT the layout is recognised, also from the project directory
 * above the mailboxes. `identity` and `swarms` may be NULL. The caller closes it. */
bool source_open(struct source *source, const char *spec, const char *identity, const char *swarms,
                 struct err *err);
void source_close(struct source *source);
/* Says anew who we are there. */
void source_identify(struct source *source, const char *identity);
/* Says in which time zone its programs are; false, with the reason, when there is no such zone. */
bool source_set_zone(struct source *source, const char *name, struct err *err);
/* Whether anybody can be called that there. */
bool source_has_name(const struct source *source);

/* Whether there are mailboxes of the layout at the path, or at their usual place beneath it. */
bool source_recognised(const struct format *format, const char *path);
/* Whether mail lies right there; a roster alone does not count. */
bool source_has_mail(const struct format *format, const char *path);

/* The place of what a rule leads to; borrows from the names and the directory. */
struct place source_place(const struct source *source, const struct place_rule *rule,
                          const struct place_names *names, struct span dir);

/* Calls `add` with each path, there or not, beneath which this source is read, or written where
 * `writes` says so; see source_places.c. */
void source_places(const struct source *source,
                   void (*add)(void *context, const char *path, bool writes), void *context);

/* Whether it is the one of that layout at that path. */
bool source_is(const struct source *source, struct span format, struct span root);

/* Whether its path is the layout's usual place beneath a project. */
bool source_is_at_home(const struct source *source);

/* The same as source_open() for FORMAT:PATH where nothing is at present; see source_follow(). */
bool source_open_absent(struct source *source, const char *spec, const char *identity,
                        const char *swarms);
/* Whether its path still leads to the directory that was opened, and that can be listed. */
bool source_is_there(const struct source *source, struct err *err);
/* Opens the root again when its path leads to another directory: it was removed and made again. */
void source_follow(struct source *source);

/* Opens a directory beneath the root, "" for the root itself: -1 and errno on failure. */
int source_dir(const struct source *source, const char *dir);
/* The same with a sentence when it cannot be. */
int source_open_dir(const struct source *source, const char *dir, struct err *err);
/* What that means for a file in it, by errno: it is gone, or nobody can tell, with a sentence. */
enum file_result source_dir_failed(int problem, struct err *err);
/* The same, and it is made if need be. */
int source_make_dir(const struct source *source, const char *dir, struct err *err);

#endif
