/* A source: beneath which directories it is read and written, for who gives up all others.
 *
 * A directory that is removed and made again is another one for the kernel. So what is read is the
 * root as a whole, and where the root lies in a directory that is the layout's own, as mailboxes in
 * workspace, that one: mail that comes back is seen. What is written is less, because a root may be
 * a project, or hold the settings of an agent's program. */
#include "store/source/discover.h"
#include "store/source/source.h"

struct places {
    const struct source *source;
    void (*add)(void *context, const char *path, bool writes);
    void *context;
};

/* The first directory on the way of a pattern, "teams" of "teams/{team}/...", or else the root. */
static void add_written(const struct places *places, const char *pattern)
{
    struct span first = place_component(pattern, 0);
    struct str path = {0};

    str_puts(&path, places->source->path);
    if (!memchr(first.at, '{', first.len)) {
        str_putc(&path, '/');
        str_add_span(&path, first);
    }
    bool there = path_is_dir(str_c(&path));
    places->add(places->context, there ? str_c(&path) : places->source->path, true);
    str_free(&path);
}

/* Of workspace/mailboxes, workspace. */
static void add_own(const struct places *places)
{
    const struct source *source = places->source;
    const char *below = strchr(source->format->home, '/');
    struct str path = {0};

    if (!below || !source_is_at_home(source))
        return;
    str_add(&path, source->path, strlen(source->path) - strlen(below));
    places->add(places->context, str_c(&path), true);
    str_free(&path);
}

/* Programs replace their settings, so it is the directory. */
static void add_settings(const struct places *places)
{
    const struct source *source = places->source;
    struct str path = {0};

    if (!source->format->settings_file)
        return;
    str_addf(&path, "%s/%s", source->path, source->format->settings_file);
    *strrchr(path.at, '/') = '\0';
    places->add(places->context, path.at, false);
    str_free(&path);
}

void source_places(const struct source *source,
                   void (*add)(void *context, const char *path, bool writes), void *context)
{
    struct places places = {source, add, context};

    add(context, source->path, false);
    add_own(&places);
    for (size_t i = 0; i < source->format->rule_count; i++)
        add_written(&places, source->format->rules[i].pattern);
    if (source->format->log_file)
        add_written(&places, source->format->log_file);
    add_settings(&places);
    if (source->roster_path && source->format->parse_roster) /* else names are enough */
        add(context, source->roster_path, false);
    if (source->base_path)
        add(context, source->base_path, false);
}
