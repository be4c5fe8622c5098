/* The library: opening and closing, its sources, and how errors of callers are refused. */
#include "lib/handle.h"

#include "base/mem.h"
#include "base/text/utf8.h"
#include "base/version.h"

#include <stdlib.h>

_Static_assert(sizeof((struct swarmutt_error *)0)->text == sizeof((struct err *)0)->text,
               "an error fits");
_Static_assert((int)SWARMUTT_ABSENT == ERR_ABSENT && (int)SWARMUTT_USAGE == ERR_USAGE &&
                   (int)SWARMUTT_REFUSED == ERR_REFUSED && (int)SWARMUTT_MESSAGE == ERR_MESSAGE &&
                   (int)SWARMUTT_BOX == ERR_BOX && (int)SWARMUTT_SOURCE == ERR_SOURCE &&
                   (int)SWARMUTT_UNCONFIRMED == ERR_UNCONFIRMED,
               "scopes are the same");
/* NOLINTNEXTLINE(misc-redundant-expression): that they are equal is what is to be asserted */
_Static_assert(SWARMUTT_NO_TIME == TIME_NONE, "no time is the same");

int swarmutt_interface(void)
{
    return SWARMUTT_INTERFACE;
}

const char *swarmutt_version(void)
{
    return version_text;
}

void lib_begin(struct swarmutt_error *error)
{
    if (error) {
        error->scope = SWARMUTT_FINE;
        error->text[0] = '\0';
    }
}

bool lib_fail(struct swarmutt_error *error, const struct err *err)
{
    if (error) {
        error->scope = err->scope;
        memcpy(error->text, err->text, sizeof error->text);
    }
    return false;
}

bool lib_misused(struct swarmutt_error *error, const char *sentence)
{
    struct err err;

    err_set(&err, ERR_USAGE, "%s", sentence);
    return lib_fail(error, &err);
}

/* Bytes after the members that this library knows must be zero. */
static bool is_zero(const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i])
            return false;
    return true;
}

bool lib_take(void *copy, size_t known, const void *given, struct swarmutt_error *error)
{
    size_t size = known;

    memset(copy, 0, known);
    if (!given)
        return true;
    memcpy(&size, given, sizeof size);
    if (size < known)
        return lib_misused(error, "a structure without its size was given");
    if (size > known && !is_zero((const char *)given + known, size - known))
        return lib_misused(error, "a structure was given that needs a newer libswarmutt");
    memcpy(copy, given, known);
    return true;
}

bool lib_check_flags(unsigned flags, unsigned known, struct swarmutt_error *error)
{
    return !(flags & ~known) || lib_misused(error, "a flag was given that is not known");
}

bool lib_check_text(const char *text, const char *what, struct swarmutt_error *error)
{
    struct err err;

    if (!text || utf8_valid(span_of(text)))
        return true;
    err_set(&err, ERR_USAGE, "the %s is not UTF-8", what);
    return lib_fail(error, &err);
}

bool lib_query(struct querying *querying, const struct swarmutt *mail, const char *query,
               struct err *err)
{
    return querying_read(querying, mail->store, span_of(query ? query : ""), TIME_NONE, err, NULL);
}

struct swarmutt_text lib_text(struct arena *arena, struct span text)
{
    struct span kept = arena_copy(arena, text);

    return (struct swarmutt_text){kept.at, kept.len};
}

/* Fills in the descriptions of the sources, which borrow from the store. */
static void show_sources(struct swarmutt *mail)
{
    size_t count = store_source_count(mail->store);

    mail->sources = mem_zero(count, sizeof *mail->sources);
    for (size_t i = 0; i < count; i++) {
        const struct source *source = store_source(mail->store, i);
        mail->sources[i] = (struct swarmutt_source){.format = source->format->name,
                                                    .title = source->format->title,
                                                    .path = source->path,
                                                    .identity = source->identity,
                                                    .team = source->team,
                                                    .problem = source->problem};
    }
}

static bool check_options(const struct swarmutt_options *options, struct swarmutt_error *error)
{
    if (!lib_check_flags(options->flags,
                         SWARMUTT_READONLY | SWARMUTT_NO_CONFIG | SWARMUTT_NO_SOURCE, error) ||
        !lib_check_text(options->identity, "identity", error))
        return false;
    if (options->source_count && !options->sources)
        return lib_misused(error, "sources were counted and not given");
    for (size_t i = 0; i < options->source_count; i++)
        if (!options->sources[i])
            return lib_misused(error, "a source was given that is NULL");
    return true;
}

struct swarmutt *swarmutt_open(const struct swarmutt_options *given, struct swarmutt_error *error)
{
    struct swarmutt_options options;
    struct err err = {0};

    lib_begin(error);
    if (!lib_take(&options, sizeof options, given, error) || !check_options(&options, error))
        return NULL;
    struct swarmutt *mail = mem_zero(1, sizeof *mail);
    bool configured = !(options.flags & SWARMUTT_NO_CONFIG);
    struct store_options how = {.sources = options.sources,
                                .source_count = options.source_count,
                                .config = configured ? &mail->config : NULL,
                                .identity = options.identity,
                                .swarms = options.swarms,
                                .sourceless = options.flags & SWARMUTT_NO_SOURCE,
                                .readonly = options.flags & SWARMUTT_READONLY,
                                .tell = options.tell,
                                .report_context = options.tell_context};
    if (configured ? config_load(&mail->config, &err)
                   : config_parse(&mail->config, (struct span){"", 0}, &err))
        mail->store = store_open(&how, &err);
    if (!mail->store) {
        lib_fail(error, &err);
        swarmutt_close(mail);
        return NULL;
    }
    show_sources(mail);
    return mail;
}

void swarmutt_close(struct swarmutt *mail)
{
    if (!mail)
        return;
    swarmutt_unwatch(mail);
    store_close(mail->store);
    config_free(&mail->config);
    free(mail->sources);
    free(mail);
}

size_t swarmutt_source_count(const struct swarmutt *mail)
{
    return mail ? store_source_count(mail->store) : 0;
}

const struct swarmutt_source *swarmutt_source(const struct swarmutt *mail, size_t index)
{
    return index < swarmutt_source_count(mail) ? &mail->sources[index] : NULL;
}

void swarmutt_free(char *text)
{
    free(text);
}
