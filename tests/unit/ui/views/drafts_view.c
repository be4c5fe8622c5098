/* Tests drafts, snoozes and kept lines in stores without any source, and the news of them. */
#include "tests/unit/store/state/state_support.h"

#include "base/time.h"
#include "store/config/config.h"
#include "store/store_local.h"
#include "store/worker.h"

#include <poll.h>
#include <time.h>

enum { LIMIT_S = 20 };
static const int64_t now_us = 1000;

TestSuite(drafts, .init = make_home, .fini = clear_home, .timeout = 120);

static struct err err;
static struct saved_drafts drafts;

static struct store *open_local(bool readonly)
{
    struct store *store =
        store_open(&(struct store_options){.local_only = true, .readonly = readonly}, &err);

    cr_assert_not_null(store, "%s", err.text);
    cr_assert_eq(store_source_count(store), 0);
    return store;
}

static struct saved_draft draft_of(const char *fields)
{
    return (struct saved_draft){
        .form = {"compose", 7}, .to = {"bob", 3}, .fields = span_of(fields), .updated_us = now_us};
}

static void finish(struct store *store)
{
    saved_drafts_free(&drafts);
    store_close(store);
}

Test(drafts, a_store_without_sources_opens_where_nothing_is_and_makes_nothing)
{
    struct store *store = open_local(false);
    struct snoozes snoozes = {0};
    struct str text = {0};

    cr_assert(store_drafts(store, &drafts, &err), "%s", err.text);
    cr_assert_eq(drafts.count, 0);
    cr_assert(store_snoozes(store, now_us, &snoozes, &err), "%s", err.text);
    cr_assert_eq(snoozes.count, 0);
    cr_assert(store_kept(store, span_of("search"), &text, &err), "%s", err.text);
    cr_assert_eq(text.len, 0);
    cr_assert_not(store_draft(store, span_of("9f3a"), &drafts, &err));
    cr_assert_eq(err.scope, ERR_ABSENT, "%s", err.text);
    cr_assert_not(tmp_exists(&tmp, DB));
    finish(store);
}

Test(drafts, named_sources_are_no_part_of_a_store_without_any)
{
    const char *const sources[] = {"/nowhere/at/all"};
    struct store *store = store_open(
        &(struct store_options){.local_only = true, .sources = sources, .source_count = 1}, &err);

    cr_assert_not_null(store, "%s", err.text);
    cr_assert_eq(store_source_count(store), 0);
    store_close(store);
}

Test(drafts, a_store_without_sources_leaves_the_outbox_to_others)
{
    struct outbox_entry entry = {.created_us = 1, .due_us = 1, .state = OUTBOX_WRITTEN};
    int64_t before[TALLY_COUNT], after[TALLY_COUNT];
    struct state *state = open_state();

    cr_assert(outbox_record(state, &entry, 1, now_us, &err), "%s", err.text);
    cr_assert(outbox_release(state, entry.number, &err), "%s", err.text);
    cr_assert(state_tally(state, before, &err), "%s", err.text);
    store_close(open_local(false));
    cr_assert(state_tally(state, after, &err), "%s", err.text);
    cr_assert_eq(after[TALLY_OUTBOX], before[TALLY_OUTBOX]);
    state_close(state);
}

Test(drafts, a_draft_goes_its_way_through_the_verbs)
{
    struct store *store = open_local(false), *other = open_local(false);
    struct saved_draft draft = draft_of("one");
    struct draft_saved saved;

    cr_assert(store_save_draft(store, &draft, &saved, &err), "%s", err.text);
    cr_assert(saved.how == DRAFT_SAVED && saved.version == 1);
    struct span id = span_of(saved.id);
    cr_assert(store_drafts(other, &drafts, &err), "%s", err.text);
    cr_assert_eq(drafts.count, 1);
    cr_assert(store_draft(other, id, &drafts, &err), "%s", err.text);
    assert_span(drafts.items[0].fields, "one");
    cr_assert_not(store_claim_draft(other, id, &drafts, &err));
    cr_assert_eq(err.scope, ERR_REFUSED, "%s", err.text);
    cr_assert(store_release_draft(store, id, &err), "%s", err.text);
    cr_assert(store_claim_draft(other, id, &drafts, &err), "%s", err.text);
    cr_assert_not(store_drop_draft(store, id, 1, &err));
    cr_assert_eq(err.scope, ERR_REFUSED, "%s", err.text);
    cr_assert(store_drop_draft(other, id, 1, &err), "%s", err.text);
    cr_assert(store_drafts(store, &drafts, &err), "%s", err.text);
    cr_assert_eq(drafts.count, 0);
    store_close(other);
    finish(store);
}

Test(drafts, with_readonly_what_is_there_can_be_read_and_nothing_changed)
{
    struct store *store = open_local(false), *reader = open_local(true);
    struct saved_draft draft = draft_of("one");
    struct snooze snooze = {.until_us = now_us + 1, .key = {.format = "roo", .root = "/srv"}};
    struct draft_saved saved;

    cr_assert(store_save_draft(store, &draft, &saved, &err), "%s", err.text);
    cr_assert(store_release_draft(store, span_of(saved.id), &err), "%s", err.text);
    cr_assert(store_drafts(reader, &drafts, &err), "%s", err.text);
    cr_assert_eq(drafts.count, 1);
    cr_assert(store_draft(reader, span_of(saved.id), &drafts, &err), "%s", err.text);
    struct draft_saved again;
    cr_assert_not(store_save_draft(reader, &draft, &again, &err));
    cr_assert_eq(err.scope, ERR_REFUSED, "%s", err.text);
    cr_assert_not(store_claim_draft(reader, span_of(saved.id), &drafts, &err));
    cr_assert_not(store_drop_draft(reader, span_of(saved.id), 1, &err));
    cr_assert_not(store_snooze(reader, &snooze, 1, now_us, &err));
    cr_assert_not(store_keep(reader, span_of("search"), span_of("x"), &err));
    cr_assert_eq(err.scope, ERR_REFUSED, "%s", err.text);
    cr_assert(store_drafts(store, &drafts, &err), "%s", err.text);
    cr_assert_eq(drafts.count, 1);
    store_close(reader);
    finish(store);
}

Test(drafts, lines_are_kept_through_the_store)
{
    struct store *store = open_local(false), *other = open_local(false);
    struct str text = {0};

    cr_assert(store_keep(store, span_of("search"), span_of("from:bob\nis:unread"), &err));
    cr_assert(store_kept(other, span_of("search"), &text, &err), "%s", err.text);
    cr_assert_str_eq(str_c(&text), "from:bob\nis:unread");
    cr_assert(store_kept(other, span_of("filter"), &text, &err), "%s", err.text);
    cr_assert_eq(text.len, 0);
    str_free(&text);
    store_close(other);
    finish(store);
}

/* Opens a store with a source. */
static struct store *open_mail(void)
{
    char path[512];
    const char *const sources[] = {path};

    tmp_write(&tmp, "project/mail/alice/inbox/.keep", span_of(""));
    snprintf(path, sizeof path, "adr:%s/project/mail", tmp.path);
    struct store *store = store_open(
        &(struct store_options){.sources = sources, .source_count = 1, .identity = "lead"}, &err);
    cr_assert_not_null(store, "%s", err.text);
    return store;
}

Test(drafts, messages_are_snoozed_for_who_we_are_in_their_source_until_a_moment)
{
    struct store *mail = open_mail(), *local = open_local(false);
    const struct source *source = store_source(mail, 0);
    struct place place = {.root = source->path, .box = {"alice", 5}};
    struct message one = {.id = {"1", 1}, .file = {"1.json", 6}, .place = &place};
    struct message two = {.id = {"2", 1}, .file = {"2.json", 6}, .place = &place};
    struct message damaged = {.file = {"3.json", 6}, .place = &place, .damaged = "it is cut"};
    struct message torn = {.file = {"4.json", 6}, .place = &place, .damaged = "it is cut"};
    struct snooze items[] = {snooze_of(source, &one, now_us + 10),
                             snooze_of(source, &damaged, now_us + 20)};
    struct snoozes snoozes = {0};

    cr_assert_not(snoozes_hide(&snoozes, source, &one, now_us));
    assert_span(items[0].viewer, "lead");
    cr_assert(store_snooze(local, items, 2, now_us, &err), "%s", err.text);
    cr_assert(store_snoozes(mail, now_us, &snoozes, &err), "%s", err.text);
    cr_assert_eq(snoozes.count, 2);
    cr_assert(snoozes_hide(&snoozes, source, &one, now_us));
    cr_assert(snoozes_hide(&snoozes, source, &one, now_us + 9));
    cr_assert_not(snoozes_hide(&snoozes, source, &one, now_us + 10));
    cr_assert_not(snoozes_hide(&snoozes, source, &two, now_us));
    cr_assert(snoozes_hide(&snoozes, source, &damaged, now_us + 10));
    cr_assert_not(snoozes_hide(&snoozes, source, &torn, now_us));
    struct place elsewhere = place;
    elsewhere.box = span_of("bob");
    one.place = &elsewhere;
    cr_assert_not(snoozes_hide(&snoozes, source, &one, now_us));
    snoozes_free(&snoozes);
    store_close(mail);
    finish(local);
}

static size_t told[NEWS_DONE + 1];

static struct worker *worker_for(const struct store *store)
{
    struct worker *worker = worker_start(store_copy(store, &err), &err);

    cr_assert_not_null(worker, "%s", err.text);
    return worker;
}

static void take_news(struct worker *worker, int wait_ms)
{
    struct pollfd fd = {.fd = worker_fd(worker), .events = POLLIN};
    struct news news;

    poll(&fd, 1, wait_ms);
    while (worker_next(worker, &news)) {
        told[news.kind]++;
        news_free(&news);
    }
}

static void wait_for(struct worker *worker, enum news_kind kind, size_t count, const char *what)
{
    for (time_t end = time(NULL) + LIMIT_S; told[kind] < count;) {
        cr_assert(time(NULL) < end, "%s", what);
        take_news(worker, 50);
    }
}

/* The result of a save on the storage thread. */
struct saving {
    struct draft_saved saved;
    bool ok;
};

static void save_in_place(struct store *store, void *context)
{
    struct saving *saving = context;
    struct saved_draft draft = draft_of("one");
    struct err ignored;

    saving->ok = store_save_draft(store, &draft, &saving->saved, &ignored) &&
                 store_release_draft(store, span_of(saving->saved.id), &ignored);
}

Test(drafts, a_draft_is_saved_without_anybody_waiting_for_it)
{
    struct store *local = open_local(false);
    struct worker *worker = worker_for(local);
    struct saving saving = {.ok = false};

    worker_begin(worker, save_in_place, &saving);
    wait_for(worker, NEWS_DONE, 1, "saved");
    worker_stop(worker);
    cr_assert(saving.ok);
    cr_assert(store_draft(local, span_of(saving.saved.id), &drafts, &err), "%s", err.text);
    assert_span(drafts.items[0].fields, "one");
    finish(local);
}

/* News is in order: when this has come, the results of all earlier changes have come. */
static void wait_for_kept(struct worker *worker, const char *what)
{
    size_t before = told[NEWS_KEPT];

    wait_for(worker, NEWS_KEPT, before + 1, what);
}

static void assert_news_of_everything(const struct store *store, bool poll)
{
    struct worker *watcher = worker_for(store);
    struct store *other = open_local(false); /* like another process */
    struct saved_draft draft = draft_of("one");
    struct snooze snooze = {.until_us = now_us + 1, .key = {.format = "roo", .root = "/srv"}};
    struct config config = {0}; /* only defaults */
    struct draft_saved saved;

    worker_watch(watcher, &(struct watch_options){.poll = poll, .config = &config});
    wait_for(watcher, NEWS_READY, 1, "ready");
    cr_assert_eq(told[NEWS_KEPT], 0);
    size_t updates = told[NEWS_UPDATE], known = told[NEWS_KNOWN];
    cr_assert(store_save_draft(other, &draft, &saved, &err), "%s", err.text);
    wait_for_kept(watcher, "saved");
    cr_assert(store_release_draft(other, span_of(saved.id), &err), "%s", err.text);
    wait_for_kept(watcher, "released");
    cr_assert(store_drop_draft(other, span_of(saved.id), saved.version, &err), "%s", err.text);
    wait_for_kept(watcher, "dropped");
    cr_assert(store_snooze(other, &snooze, 1, now_us, &err), "%s", err.text);
    wait_for_kept(watcher, "snoozed");
    cr_assert_eq(told[NEWS_UPDATE], updates, "mail was looked at for it");
    cr_assert_eq(told[NEWS_KNOWN], known, "rosters were looked at for it");
    worker_stop(watcher);
    store_close(other);
}

Test(drafts, what_another_process_does_to_drafts_and_snoozes_is_told_and_no_mail_is_read_for_it)
{
    struct store *mail = open_mail();

    assert_news_of_everything(mail, false);
    finish(mail);
}

Test(drafts, a_store_without_sources_tells_it_too)
{
    struct store *local = open_local(false);

    assert_news_of_everything(local, false);
    finish(local);
}

Test(drafts, it_is_told_also_where_the_state_is_looked_at_every_second)
{
    struct store *local = open_local(false);

    assert_news_of_everything(local, true);
    finish(local);
}

Test(drafts, who_only_looks_is_told_of_the_first_state_there_is)
{
    struct store *reader = open_local(true), *other = open_local(false);
    struct saved_draft draft = draft_of("one");
    struct draft_saved saved;

    struct worker *watcher = worker_for(reader);
    worker_watch(watcher, &(struct watch_options){0});
    wait_for(watcher, NEWS_READY, 1, "ready");
    cr_assert(store_save_draft(other, &draft, &saved, &err), "%s", err.text);
    wait_for_kept(watcher, "saved");
    worker_stop(watcher);
    cr_assert(store_drafts(reader, &drafts, &err), "%s", err.text);
    cr_assert_eq(drafts.count, 1);
    store_close(other);
    finish(reader);
}

/* Lines, marks of a source that is not open and reading the state cause no news: the next draft is
 * the first one reported. */
Test(drafts, what_is_neither_draft_nor_snooze_is_not_told_as_such)
{
    struct store *local = open_local(false), *other = open_local(false);
    struct state_key key = {.format = "roo", .root = "/srv", .id = {"1", 1}};
    struct saved_draft draft = draft_of("one");
    struct draft_saved saved;

    struct worker *watcher = worker_for(local);
    worker_watch(watcher, &(struct watch_options){0});
    wait_for(watcher, NEWS_READY, 1, "ready");
    cr_assert(store_keep(other, span_of("search"), span_of("x"), &err), "%s", err.text);
    struct state *state = open_state();
    cr_assert(state_mark_seen(state, &key, 1, span_of("ann"), &err), "%s", err.text);
    state_close(state);
    take_news(watcher, 500);
    cr_assert_eq(told[NEWS_KEPT] + told[NEWS_KNOWN] + told[NEWS_UPDATE], 0);
    cr_assert(store_save_draft(other, &draft, &saved, &err), "%s", err.text);
    wait_for_kept(watcher, "saved");
    worker_stop(watcher);
    store_close(other);
    finish(local);
}
