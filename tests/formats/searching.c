/* Searching over every format: with an index, without one, with one that is old, and a slow model
 * of what a search means must all say the same. */
#include "world.h"

#include "store/store_search.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LETTERS = 36, DEPTH = 3 };

TestSuite(searching, .fini = close_world, .timeout = 300);

#define searching(Name) test_every_format(searching, Name)

/* The same numbers in every run, so that a failure can be seen again. */
static uint64_t random_state = 20261117;

static uint32_t draw(uint32_t below)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random_state >> 33) % below;
}

/* --- a slow model, which knows words of its own --- */

/* What is written; the lower case of each is what is sought. For the model every byte beyond ASCII
 * belongs to a word, which is true of these. */
static const char *const vocabulary[] = {
    "alpha", "Alphabet", "beta", "BETA", "gamma", "delta42", "42", "caf\xc3\xa9", "zeta", "zeta",
};
static const char *const between[] = {" ", " ", " ", "\n", "/", "_", ", ", ": (", ")-"};
static const char *const names[] = {"alice", "bob", "carol", "dave"};

enum {
    VOCABULARY = sizeof vocabulary / sizeof *vocabulary,
    BETWEEN = sizeof between / sizeof *between,
    NAMES = sizeof names / sizeof *names
};

static bool is_letter(unsigned char c)
{
    return c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static void lower(char *text)
{
    for (; *text; text++)
        *text = *text >= 'A' && *text <= 'Z' ? (char)(*text + 32) : *text;
}

/* The words of a text, in lower case. */
static size_t split(struct span text, char words[][64], size_t most)
{
    size_t count = 0, len = 0;

    for (size_t i = 0; i <= text.len; i++) {
        bool inside = i < text.len && is_letter((unsigned char)text.at[i]);
        if (inside && len < 63 && count < most)
            words[count][len++] = text.at[i];
        if (!inside && len) {
            words[count][len] = '\0';
            lower(words[count++]);
            len = 0;
        }
    }
    return count;
}

/* A query, as it was made. */
struct wish {
    enum { WORDS, ARCHIVED, FROM, NOT, AND, OR } what;
    unsigned where; /* of words: bits of enum query_part */
    char words[3][64];
    size_t count;
    bool open;
    const char *name;
    int left, right;
};

static struct wish wishes[64];
static int wish_count;

static bool stands_in(const struct wish *wish, struct span text)
{
    static char words[4096][64];
    size_t count = split(text, words, 4096);

    for (size_t i = 0; i + wish->count <= count; i++) {
        bool all = true;
        for (size_t k = 0; all && k < wish->count; k++)
            all = wish->open && k + 1 == wish->count
                      ? strncmp(words[i + k], wish->words[k], strlen(wish->words[k])) == 0
                      : strcmp(words[i + k], wish->words[k]) == 0;
        if (all)
            return true;
    }
    return false;
}

static bool fulfils(const struct message *message, int number)
{
    const struct wish *wish = &wishes[number];

    switch (wish->what) {
    case WORDS:
        for (unsigned part = 0; part < QUERY_PART_COUNT; part++)
            if (wish->where >> part & 1 && stands_in(wish, query_part(message, part)))
                return true;
        return false;
    case ARCHIVED:
        return message->place->archived;
    case FROM:
        return span_is(message->from, wish->name);
    case NOT:
        return !fulfils(message, wish->left);
    case AND:
        return fulfils(message, wish->left) && fulfils(message, wish->right);
    default:
        return fulfils(message, wish->left) || fulfils(message, wish->right);
    }
}

/* --- making queries --- */

static void make_words(struct wish *wish, struct str *text)
{
    static const char *const fields[] = {"", "", "", "subject:", "body:"};
    static const unsigned parts[] = {QUERY_PARTS_ALL, QUERY_PARTS_ALL, QUERY_PARTS_ALL,
                                     1 << QUERY_PART_SUBJECT, 1 << QUERY_PART_BODY};
    uint32_t field = draw(5);

    wish->what = WORDS;
    wish->where = parts[field];
    wish->count = 1 + draw(8) / 6 + draw(8) / 7;
    wish->open = draw(4) == 0;
    str_puts(text, fields[field]);
    if (!wish->open)
        str_putc(text, '"');
    for (size_t i = 0; i < wish->count; i++) {
        snprintf(wish->words[i], sizeof wish->words[i], "%s", vocabulary[draw(VOCABULARY)]);
        str_puts(text, i ? wish->open ? "/" : " " : "");
        if (wish->open && i + 1 == wish->count)
            wish->words[i][1 + draw(2)] = '\0';
        str_puts(text, wish->words[i]);
        lower(wish->words[i]);
    }
    str_putc(text, wish->open ? '*' : '"');
}

static int make_wish(unsigned depth, struct str *text)
{
    int number = wish_count++;
    struct wish wish = {0};
    uint32_t what = depth ? draw(9) : draw(6);

    if (what < 4) {
        make_words(&wish, text);
    } else if (what == 4) {
        wish.what = ARCHIVED;
        str_puts(text, "is:archived");
    } else if (what == 5) {
        wish.what = FROM;
        wish.name = names[draw(NAMES)];
        str_addf(text, "from:%s", wish.name);
    } else {
        wish.what = what == 6 ? NOT : what == 7 ? AND : OR;
        str_puts(text, what == 6 ? "not (" : "((");
        wish.left = make_wish(depth - 1, text);
        if (what > 6) {
            str_puts(text, what == 7 ? ") (" : ") or (");
            wish.right = make_wish(depth - 1, text);
            str_putc(text, ')');
        }
        str_putc(text, ')');
    }
    wishes[number] = wish;
    return number;
}

/* --- searching --- */

static bool matches(void *context, const struct message *message)
{
    struct query_context known = {.layout = world.format->name, .words = true};

    return query_match(context, message, &known);
}

static void search(struct store *store, struct query *query, bool ranked, bool informed,
                   size_t limit, struct search_result *result)
{
    struct search search = {.query = query,
                            .ranked = ranked,
                            .limit = limit,
                            .informed = informed,
                            .matches = matches,
                            .context = query};
    struct err err = {0};

    *result = (struct search_result){0};
    cr_assert(store_search(store, &search, result, &err), "%s", err.text);
}

static int newest_first(const struct message *a, const struct message *b)
{
    int order = message_cmp_time(b, a);

    return order ? order : message_cmp_place(a, b);
}

static void name(struct str *out, struct message *const *messages, size_t count)
{
    str_clear(out);
    for (size_t i = 0; i < count; i++) {
        message_add_name(out, messages[i], false);
        str_addf(out, " %.*s%s%s\n", (int)messages[i]->id.len, messages[i]->id.at,
                 messages[i]->place->local ? " copy" : "",
                 messages[i]->flags & MESSAGE_IN_BOTH ? " both" : "");
    }
}

/* What the model says, by date. */
static void expect(struct str *out, const struct model *model, int wish)
{
    struct message **found = calloc(model->count + 1, sizeof *found);
    size_t count = 0;

    for (size_t i = 0; i < model->count; i++)
        if (!model->messages[i]->damaged && fulfils(model->messages[i], wish))
            found[count++] = model->messages[i];
    model_sort(found, count, newest_first);
    name(out, found, count);
    free(found);
}

static struct store *indexed, *bare;

/* Everything that is asked of both stores has the same answer, which is the model's. */
static void assert_all_agree(const char *when, bool informed)
{
    struct model model = load(true, true);
    struct str text = {0}, wanted = {0}, got = {0}, other = {0};
    size_t used = 0, found = 0;
    int queries = usual_rounds(250);

    for (int i = 0; i < queries; i++) {
        struct search_result with, without, some;
        struct query query;
        struct err err = {0};
        wish_count = 0;
        str_clear(&text);
        int wish = make_wish(draw(DEPTH), &text);
        cr_assert(query_parse(&query, str_span(&text), &err, NULL), "%s: %s", str_c(&text),
                  err.text);
        if (query_needs_words(&query)) {
            used++;
            expect(&wanted, &model, wish);
            search(indexed, &query, false, informed, SIZE_MAX, &with);
            search(bare, &query, false, false, SIZE_MAX, &without);
            model_sort(with.messages, with.count, newest_first);
            model_sort(without.messages, without.count, newest_first);
            found += with.count;
            name(&got, with.messages, with.count);
            name(&other, without.messages, without.count);
            cr_assert_str_eq(str_c(&got), str_c(&wanted), "%s, with the index: %s\n%s\nnot\n%s",
                             when, str_c(&text), str_c(&got), str_c(&wanted));
            cr_assert_str_eq(str_c(&other), str_c(&wanted), "%s, without: %s\n%s\nnot\n%s", when,
                             str_c(&text), str_c(&other), str_c(&wanted));
            search(indexed, &query, false, true, 2, &some);
            cr_assert_eq(some.count, with.count < 2 ? with.count : 2, "%s: %s", when, str_c(&text));
            for (size_t k = 0; k < some.count; k++)
                cr_assert_eq(some.messages[k]->created_us, with.messages[k]->created_us);
            search_result_free(&some);
            search_result_free(&with);
            search_result_free(&without);
            search(indexed, &query, true, true, SIZE_MAX, &with);
            search(bare, &query, true, true, SIZE_MAX, &without);
            name(&got, with.messages, with.count);
            name(&other, without.messages, without.count);
            cr_assert_str_eq(str_c(&got), str_c(&other), "%s, ranked: %s\n%s\nnot\n%s", when,
                             str_c(&text), str_c(&got), str_c(&other));
            search_result_free(&with);
            search_result_free(&without);
        }
        query_free(&query);
    }
    cr_assert(used > (size_t)queries / 4, "%zu", used);
    cr_assert(found > used, "%zu in %zu", found, used); /* they do find things */
    model_free(&model);
    str_free(&text);
    str_free(&wanted);
    str_free(&got);
    str_free(&other);
}

/* --- mail --- */

static char *make_text(size_t words)
{
    struct str text = {0};

    for (size_t i = 0; i < words; i++) {
        str_puts(&text, i ? between[draw(BETWEEN)] : "");
        str_puts(&text, vocabulary[draw(VOCABULARY)]);
    }
    return text.at;
}

/* Sends one, and says whether it could be: where a recipient has one place, it may be taken. */
static bool send_random(struct letter *letter)
{
    struct send_options options = {.create = true, .verify = VERIFY_NONE, .source = 0};
    uint32_t from = draw(NAMES), to = (from + 1 + draw(NAMES - 1)) % NAMES;
    char *subject = make_text(1 + draw(3)), *body = make_text(1 + draw(30));
    struct err err = {0};

    *letter = make_letter(names[from], names[to]);
    for (char *c = subject; *c; c++)
        *c = *c == '\n' ? ' ' : *c;
    if (world.format->fields & FIELD_SUBJECT || world.format->keeping == KEEP_ARRAY)
        letter->draft.subject = span_of(subject);
    letter->draft.body = span_of(body);
    bool sent = store_send(world.store, letter, &options, &err);
    cr_assert(sent, "%s", err.text);
    bool delivered = letter->delivered && !letter->queued;
    free(subject);
    free(body);
    return delivered;
}

/* Puts some away, so that there are archives and copies. */
static void archive_some(uint32_t one_in)
{
    struct model model = load(true, false);

    for (size_t i = 0; i < model.count; i++) {
        if (draw(one_in) || model.messages[i]->damaged)
            continue;
        char owner[100];
        struct span to = message_recipient(model.messages[i]);
        snprintf(owner, sizeof owner, "%.*s", (int)to.len, to.at);
        struct store *theirs = open_store(owner, false, NULL);
        change(theirs, model.messages[i], STATUS_ARCHIVED); /* not everything can be */
        store_close(theirs);
    }
    model_free(&model);
}

static void fill(size_t letters)
{
    for (size_t i = 0; i < letters; i++) {
        struct letter letter;
        bool delivered = send_random(&letter);
        letter_free(&letter);
        if (!delivered)
            archive_some(1); /* makes room */
    }
}

static void set_cache(const char *dir)
{
    char path[400];

    snprintf(path, sizeof path, "%s/%s", world.tmp.path, dir);
    setenv("XDG_CACHE_HOME", path, 1);
}

/* One store that has an index, and one that never does. */
static void open_both(bool build)
{
    struct index_build building = {.anew = true, .patient = true};
    struct search_result none;
    struct query query;
    struct err err = {0};

    set_cache("cache");
    if (build) {
        cr_assert(store_index_update(world.store, 0, &building, &err), "%s", err.text);
        cr_assert(building.docs > 0);
    }
    cr_assert(query_parse(&query, span_of("zeta"), &err, NULL));
    indexed = open_store(NULL, false, NULL);
    search(indexed, &query, false, false, 1, &none);
    search_result_free(&none);
    set_cache("nothing");
    bare = open_store(NULL, false, NULL);
    search(bare, &query, false, false, 1, &none);
    cr_assert_eq(none.indexed, 0);
    search_result_free(&none);
    set_cache("cache");
    query_free(&query);
}

static void close_both(void)
{
    store_close(indexed);
    store_close(bare);
    indexed = bare = NULL;
}

/* How many messages the index knows right now. */
static size_t known(void)
{
    struct search_result result;
    struct query query;
    struct err err;

    cr_assert(query_parse(&query, span_of("zeta"), &err, NULL));
    search(indexed, &query, false, false, SIZE_MAX, &result);
    size_t count = result.indexed;
    search_result_free(&result);
    query_free(&query);
    return count;
}

searching(an_index_the_files_and_a_slow_model_find_the_same)
{
    open_world(*index);
    fill(LETTERS);
    archive_some(3);
    open_both(true);
    cr_assert(known() >= 4, "%zu", known());
    assert_all_agree("fresh", false);
    assert_all_agree("informed", true);
    close_both();
}

/* Rewrites a message's file in place: the same length, another word. */
static bool rewrite(const struct message *message)
{
    char path[1024], whole[1500];
    char *word;

    path_of(message, path, sizeof path);
    snprintf(whole, sizeof whole, "%s/%s", world.tmp.path, path);
    int fd = open(whole, O_RDWR);
    struct stat st;
    cr_assert(fd >= 0 && fstat(fd, &st) == 0, "%s", whole);
    char *all = calloc(1, (size_t)st.st_size + 1);
    cr_assert_eq(pread(fd, all, (size_t)st.st_size, 0), st.st_size);
    word = strstr(all, "alpha");
    bool done = word != NULL;
    for (; (word = strstr(all, "alpha")); word += 5)
        memcpy(word, "gamma", 5);
    cr_assert_eq(pwrite(fd, all, (size_t)st.st_size, 0), st.st_size);
    close(fd);
    /* and its time is set back to what it was */
    struct timespec times[2] = {st.st_atim, st.st_mtim};
    cr_assert_eq(utimensat(AT_FDCWD, whole, times, 0), 0);
    free(all);
    return done;
}

searching(what_happened_since_the_index_was_built_is_found_as_well)
{
    open_world(*index);
    fill(LETTERS);
    archive_some(3);
    open_both(true);
    struct model model = load(true, true);
    size_t rewritten = 0, removed = 0;
    for (size_t i = 0; i < model.count; i++) {
        char path[1024], whole[1500];
        if (model.messages[i]->place->local)
            continue;
        path_of(model.messages[i], path, sizeof path);
        snprintf(whole, sizeof whole, "%s/%s", world.tmp.path, path);
        /* about one in five, whichever have the word: they come in any order */
        if (rewritten * 5 <= i && access(whole, F_OK) == 0)
            rewritten += rewrite(model.messages[i]);
        if (i % 7 == 3 && world.format->keeping == KEEP_FILES)
            removed += unlink(whole) == 0;
    }
    model_free(&model);
    /* a slot holds one message, which may not have the word */
    cr_assert(rewritten > 0 || world.format->keeping == KEEP_SLOT);
    cr_assert(removed > 0 || world.format->keeping != KEEP_FILES);
    assert_all_agree("rewritten in place", false);
    fill(4);
    archive_some(4);
    assert_all_agree("sent and archived", false);
    close_both();
}

searching(what_is_told_is_enough_to_know)
{
    open_world(*index);
    fill(LETTERS);
    open_both(true);
    struct str dir = {0};
    fill(1);
    struct model model = load(true, true);
    for (size_t i = 0; i < model.count; i++)
        if (!model.messages[i]->place->local)
            store_search_tell(indexed, 0, model.messages[i]->place->dir, model.messages[i]->file);
    for (size_t i = 0; i < NAMES; i++) { /* those that are gone */
        struct span team = world.teams ? span_of("dev") : (struct span){0};
        char file[200];
        str_clear(&dir);
        format_dir(&dir, world.format, false, team, span_of(names[i]));
        snprintf(file, sizeof file, "to-%s.md", names[i]);
        store_search_tell(indexed, 0, str_span(&dir), span_of(file));
    }
    assert_all_agree("told", true);
    model_free(&model);
    str_free(&dir);
    close_both();
}

searching(an_index_is_brought_up_to_date_by_reading_what_is_new)
{
    open_world(*index);
    fill(LETTERS);
    open_both(true);
    fill(3);
    size_t before = known();
    struct index_build more = {.patient = true};
    struct err err = {0};
    cr_assert(store_index_update(world.store, 0, &more, &err), "%s", err.text);
    cr_assert(more.docs > 0);
    struct model model = load(true, true);
    cr_assert_geq(known(), before);
    cr_assert_geq(known(), model.count);
    model_free(&model);
    assert_all_agree("up to date", false);
    struct index_build again = {.patient = true};
    cr_assert(store_index_update(world.store, 0, &again, &err), "%s", err.text);
    cr_assert_eq(again.docs, 0, "%zu", again.docs); /* there is nothing to do */
    close_both();
}

/* Damages the one file of the index. */
static void damage(void (*how)(int fd, off_t size))
{
    struct str path = {0};
    struct err err;

    cr_assert(index_add_path(&path, store_source(world.store, 0), false, &err));
    str_puts(&path, "/0000000000000001.segment");
    int fd = open(str_c(&path), O_RDWR);
    cr_assert(fd >= 0, "%s", str_c(&path));
    how(fd, lseek(fd, 0, SEEK_END));
    close(fd);
    str_free(&path);
}

static void cut_short(int fd, off_t size)
{
    cr_assert_eq(ftruncate(fd, size * 2 / 3), 0);
}

static void empty_it(int fd, off_t size)
{
    (void)size;
    cr_assert_eq(ftruncate(fd, 0), 0);
}

static void scribble(int fd, off_t size)
{
    for (off_t at = (off_t)sizeof(struct segment_header) + 7; at < size; at += 97)
        cr_assert_eq(pwrite(fd, "\xa5", 1, at), 1);
}

static void scribble_at_the_end(int fd, off_t size)
{
    for (off_t at = size - 400; at < size; at += 3)
        cr_assert_eq(pwrite(fd, "\x5a", 1, at), 1);
}

static void of_the_future(int fd, off_t size)
{
    uint32_t version = SEGMENT_VERSION + 1;

    (void)size;
    cr_assert_eq(pwrite(fd, &version, sizeof version, offsetof(struct segment_header, version)),
                 (ssize_t)sizeof version);
}

searching(a_damaged_index_changes_no_answer_and_is_built_anew)
{
    static void (*const ways[])(int fd, off_t size) = {cut_short, empty_it, scribble,
                                                       scribble_at_the_end, of_the_future};

    open_world(*index);
    fill(LETTERS / 2);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct index_build build = {.patient = true};
        struct index_status status;
        struct err err = {0};
        open_both(true);
        close_both();
        damage(ways[i]);
        open_both(false);
        assert_all_agree("damaged", false);
        close_both();
        cr_assert(store_index_update(world.store, 0, &build, &err), "%s", err.text);
        cr_assert(store_index_status(world.store, 0, &status, &err), "%s", err.text);
        cr_assert(status.damaged == 0 || ways[i] == scribble_at_the_end, "%s", status.problem);
        index_status_free(&status);
        cr_assert(store_index_drop(world.store, 0, &err), "%s", err.text);
    }
}
