/* Naming sources in lists. */
#include "cmd/read/naming.h"

void naming_see(struct naming *naming, struct span format, struct span root)
{
    if (!root.len)
        return;
    if (!naming->format.at) {
        naming->format = format;
        naming->root = root;
    }
    naming->several |= !span_eq(naming->format, format) || !span_eq(naming->root, root);
}

bool naming_needed(const struct naming *naming)
{
    return naming->several || store_source_count(naming->app->store) > 1;
}

void naming_add(struct str *out, const struct app *app, struct span format, struct span root)
{
    size_t alike = 0, same = 0;

    for (size_t i = 0; i < store_source_count(app->store); i++) {
        const struct source *source = store_source(app->store, i);
        alike += span_is(format, source->format->name);
        same += span_is(format, source->format->name) && span_is(root, source->path);
    }
    str_add_span(out, format);
    if (alike == 1 && same)
        return;
    str_putc(out, ':');
    str_add_span(out, root);
}
