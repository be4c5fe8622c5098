/* Previews: packs as for sending, checks the target, and stops. */
#include "store/send/preview.h"

#include "base/uuid.h"
#include "store/send/outbox.h"

#include <unistd.h>

enum { NUMBER_MAX = 999 };

void preview_free(struct preview *preview)
{
    struct str *texts[] = {&preview->from,  &preview->to, &preview->path,
                           &preview->bytes, &preview->id, &preview->warning};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        str_free(texts[i]);
    *preview = (struct preview){0};
}

/* Adds the entry to a copy of its file, and takes its bytes as they are formatted there. */
static bool lay_out(const struct outgoing_file *outgoing, int dir, struct preview *preview,
                    struct err *err)
{
    const struct format *format = outgoing->source->format;
    const char *name = str_c(&outgoing->name);
    CLEANUP(str_free) struct str box = {0};
    CLEANUP(str_free) struct str after = {0};
    CLEANUP(batch_free) struct batch batch = {0};
    struct appended result;
    struct file_id id;
    enum file_result read =
        dir < 0 ? FILE_GONE : file_read(dir, name, FILE_SIZE_MAX, &box, &id, err);
    bool ok = read == FILE_OK || read == FILE_GONE;

    ok = ok && format->append(str_span(&box), str_span(&outgoing->bytes), str_span(&outgoing->uuid),
                              &after, &result, err);
    ok = ok && format_parse_bytes(format, str_span(&outgoing->name), str_span(&after), WANT_HEAD,
                                  &batch, err);
    if (ok) {
        const struct message *last = &batch.items[batch.count - 1];
        str_add(&preview->bytes, after.at + last->raw_at, last->raw_len);
        str_set(&preview->id, last->id);
    }
    preview->is_entry = true;
    return ok || err_at(err, name);
}

/* Finds the name that it would get: a taken name gets a number, or is refused where it comes from
 * an id. */
static bool find_name(struct outgoing_file *outgoing, int dir, struct err *err)
{
    CLEANUP(str_free) struct str plain = {0};
    bool taken = outgoing_file_name_is_taken(dir, str_c(&outgoing->name));

    if (taken && !outgoing->source->format->numbered)
        return err_set(err, ERR_REFUSED, "%s/%s: a message with this id is there already",
                       str_c(&outgoing->path), str_c(&outgoing->name));
    str_add_span(&plain, str_span(&outgoing->name));
    for (int number = 2; taken && number <= NUMBER_MAX; number++) {
        str_clear(&outgoing->name);
        file_numbered_name(&outgoing->name, str_c(&plain), number);
        taken = outgoing_file_name_is_taken(dir, str_c(&outgoing->name));
    }
    return !taken || err_set(err, ERR_MESSAGE, "%s/%s: this name and %d more are taken",
                             str_c(&outgoing->path), str_c(&outgoing->name), NUMBER_MAX);
}

static bool check_target(const struct delivery *how, struct outgoing_file *outgoing,
                         struct preview *preview, struct err *err)
{
    int dir = source_dir(how->source, str_c(&outgoing->path));
    bool array = how->source->format->storage == STORAGE_ARRAY;
    bool ok = true;

    preview->makes_box =
        dir < 0 || (array && !outgoing_file_name_is_taken(dir, str_c(&outgoing->name)));
    switch (how->source->format->storage) {
    case STORAGE_FILES:
        ok = find_name(outgoing, dir, err);
        break;
    case STORAGE_ARRAY:
        ok = lay_out(outgoing, dir, preview, err);
        break;
    case STORAGE_SLOT:
        outgoing->number = INT64_MAX; /* all that wait are before it */
        preview->queued = outgoing_file_name_is_taken(dir, str_c(&outgoing->name)) ||
                          (how->state && outbox_has_queue(how, outgoing));
        break;
    }
    if (dir >= 0)
        close(dir);
    return ok;
}

static void describe_message(const struct delivery *how, struct outgoing_message *letter,
                             const struct outgoing_file *outgoing, struct preview *preview)
{
    preview->source = how->source->index;
    str_add_span(&preview->from, letter->draft.from);
    str_add_span(&preview->to, letter->to.agent);
    if (letter->to.team.len) {
        str_putc(&preview->to, '@');
        str_add_span(&preview->to, letter->to.team);
    }
    str_addf(&preview->path, "%s/%s%s%s", how->source->path, str_c(&outgoing->path),
             outgoing->path.len ? "/" : "", str_c(&outgoing->name));
    if (!preview->is_entry)
        str_add_span(&preview->bytes, str_span(&outgoing->bytes));
    str_add_span(&preview->warning, str_span(&letter->warning));
    str_clear(&letter->warning); /* sending adds it again */
}

bool preview_letter(const struct delivery *how, struct outgoing_message *letter,
                    struct preview *preview, struct err *err)
{
    CLEANUP(outgoing_file_free) struct outgoing_file outgoing = {.dir = -1};

    preview_free(preview);
    if (letter->draft.created_us == TIME_NONE)
        letter->draft.created_us = time_now();
    if (!letter->uuid.len)
        uuid_add(&letter->uuid);
    if (!deliver_pack(how, letter, &outgoing, err))
        return false;
    str_add_span(&preview->id, str_span(&outgoing.id));
    if (!check_target(how, &outgoing, preview, err))
        return false;
    describe_message(how, letter, &outgoing, preview);
    if (how->source->format->new_id)
        letter->draft.id = str_span(&preview->id);
    return true;
}
