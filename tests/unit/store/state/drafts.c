/* Tests drafts in the local state: typed text is never lost, and two processes never edit one
 * draft. */
#include "state_support.h"

#include "store/state/drafts.h"

enum { NOW = 1000, KILLS = 20, SAVES = 40, LONG = 20000 };

TestSuite(state_drafts, .init = make_home, .fini = clear_home, .timeout = 120);

static struct saved_drafts drafts;
static struct draft_saved saved;
static struct err err;

static struct saved_draft draft_of(const char *fields)
{
    return (struct saved_draft){.form = {"reply", 5},
                                .format = {"roo", 3},
                                .root = {"/srv/mail", 9},
                                .to = {"bob", 3},
                                .subject = {"hello", 5},
                                .fields = span_of(fields),
                                .updated_us = NOW};
}

/* Updates a draft after a save. */
static void follow(struct saved_draft *draft)
{
    static char ids[64][DRAFT_ID_LEN + 1];
    static int next;

    next = (next + 1) % 64;
    memcpy(ids[next], saved.id, sizeof saved.id);
    draft->id = span_of(ids[next]);
    draft->version = saved.version;
    draft->created_us = saved.created_us;
}

static enum draft_saving save(struct state *state, struct saved_draft *draft)
{
    cr_assert(state_save_draft(state, draft, &saved, &err), "%s", err.text);
    follow(draft);
    return saved.how;
}

static const struct saved_draft *style(struct state *state, struct span id)
{
    cr_assert(state_draft(state, id, &drafts, &err), "%s", err.text);
    cr_assert_eq(drafts.count, 1);
    return &drafts.items[0];
}

static size_t count(struct state *state)
{
    cr_assert(state_drafts(state, &drafts, &err), "%s", err.text);
    return drafts.count;
}

static void expect(bool done, enum err_scope scope, const char *word)
{
    cr_assert_not(done);
    cr_assert_eq(err.scope, scope, "%s", err.text);
    cr_assert(strstr(err.text, word), "\"%s\" is not in: %s", word, err.text);
}

static void finish(struct state *state)
{
    saved_drafts_free(&drafts);
    state_close(state);
}

Test(state_drafts, a_saved_draft_comes_back_whole)
{
    const struct span odd = {"{\"a\":\"\0\xff\n\"}", 12};
    struct state *state = open_state();
    struct saved_draft draft = draft_of("");

    cr_assert_eq(count(state), 0);
    draft.fields = odd;
    draft.subject = (struct span){"s\x1b'", 3};
    cr_assert_eq(save(state, &draft), DRAFT_SAVED);
    cr_assert_eq(strlen(saved.id), DRAFT_ID_LEN);
    cr_assert_eq(strspn(saved.id, "0123456789abcdef"), DRAFT_ID_LEN);
    cr_assert_eq(saved.version, 1);
    state_close(state);
    state = open_state();
    const struct saved_draft *got = style(state, draft.id);
    cr_assert(span_eq(got->id, draft.id) && span_eq(got->form, draft.form));
    cr_assert(span_eq(got->format, draft.format) && span_eq(got->root, draft.root));
    cr_assert(span_eq(got->to, draft.to) && span_eq(got->subject, draft.subject));
    cr_assert(span_eq(got->fields, odd));
    cr_assert(got->version == 1 && got->created_us == NOW && got->updated_us == NOW && !got->pid);
    cr_assert_eq(count(state), 1);
    cr_assert_null(drafts.items[0].fields.at);
    assert_span(drafts.items[0].to, "bob");
    finish(state);
}

Test(state_drafts, saving_again_replaces_and_keeps_when_it_was_begun)
{
    struct state *state = open_state();
    struct saved_draft draft = draft_of("one");

    save(state, &draft);
    struct span id = draft.id;
    for (int i = 0; i < 3; i++) {
        draft.fields = span_of("two");
        draft.form = span_of("handoff");
        draft.root = span_of("/srv/other");
        draft.to = span_of("carol");
        draft.updated_us++;
        cr_assert_eq(save(state, &draft), DRAFT_SAVED);
        cr_assert(span_eq(draft.id, id));
    }
    cr_assert_eq(count(state), 1);
    const struct saved_draft *got = style(state, id);
    assert_span(got->fields, "two");
    assert_span(got->form, "handoff");
    assert_span(got->root, "/srv/other");
    assert_span(got->to, "carol");
    cr_assert(got->version == 4 && got->created_us == NOW && got->updated_us == NOW + 3);
    finish(state);
}

Test(state_drafts, the_last_saved_comes_first)
{
    struct state *state = open_state();
    struct saved_draft first = draft_of("1"), second = draft_of("2"), third = draft_of("3");

    save(state, &first);
    save(state, &second); /* at the same time */
    third.updated_us = NOW - 1;
    save(state, &third);
    cr_assert_eq(count(state), 3);
    cr_assert(span_eq(drafts.items[0].id, second.id));
    cr_assert(span_eq(drafts.items[1].id, first.id));
    cr_assert(span_eq(drafts.items[2].id, third.id));
    first.updated_us = NOW + 1;
    save(state, &first);
    count(state);
    cr_assert(span_eq(drafts.items[0].id, first.id));
    finish(state);
}

Test(state_drafts, what_another_has_open_is_not_claimed_until_it_lets_go)
{
    struct state *one = open_state(), *two = open_state();
    struct saved_draft draft = draft_of("text");
    char process[40];

    save(one, &draft);
    snprintf(process, sizeof process, "process %d;", (int)getpid());
    expect(state_claim_draft(two, draft.id, &drafts, &err), ERR_REFUSED, process);
    cr_assert_eq(style(two, draft.id)->pid, getpid());
    cr_assert_eq(style(one, draft.id)->pid, 0);
    cr_assert(state_claim_draft(one, draft.id, &drafts, &err), "%s", err.text);
    assert_span(drafts.items[0].fields, "text");
    cr_assert(state_release_draft(two, draft.id, &err)); /* not its own claim */
    expect(state_claim_draft(two, draft.id, &drafts, &err), ERR_REFUSED, "open in another");
    cr_assert(state_release_draft(one, draft.id, &err), "%s", err.text);
    cr_assert_eq(style(two, draft.id)->pid, 0);
    cr_assert(state_claim_draft(two, draft.id, &drafts, &err), "%s", err.text);
    assert_span(drafts.items[0].fields, "text");
    expect(state_claim_draft(one, draft.id, &drafts, &err), ERR_REFUSED, "open in another");
    state_close(two);
    cr_assert(state_claim_draft(one, draft.id, &drafts, &err), "%s", err.text);
    expect(state_claim_draft(one, span_of("nothing"), &drafts, &err), ERR_ABSENT, "nothing");
    expect(state_draft(one, span_of("nothing"), &drafts, &err), ERR_ABSENT, "nothing");
    finish(one);
}

Test(state_drafts, a_save_over_what_another_changed_keeps_both)
{
    struct state *one = open_state(), *two = open_state();
    struct saved_draft mine = draft_of("first");

    save(one, &mine);
    struct saved_draft theirs = mine;
    cr_assert(state_release_draft(one, mine.id, &err));
    theirs.fields = span_of("theirs");
    cr_assert_eq(save(two, &theirs), DRAFT_SAVED);
    cr_assert(state_release_draft(two, theirs.id, &err));
    mine.fields = span_of("mine");
    mine.updated_us = NOW + 1;
    struct span old = mine.id;
    cr_assert_eq(save(one, &mine), DRAFT_CHANGED);
    cr_assert_not(span_eq(mine.id, old));
    cr_assert_eq(mine.version, 1);
    cr_assert_eq(count(one), 2);
    assert_span(style(one, old)->fields, "theirs");
    assert_span(style(one, mine.id)->fields, "mine");
    mine.fields = span_of("mine goes on");
    cr_assert_eq(save(one, &mine), DRAFT_SAVED);
    cr_assert_eq(count(one), 2);
    state_close(two);
    finish(one);
}

Test(state_drafts, a_save_into_what_another_has_open_keeps_both)
{
    struct state *one = open_state(), *two = open_state();
    struct saved_draft theirs = draft_of("theirs");

    save(one, &theirs);
    struct saved_draft mine = theirs;
    mine.fields = span_of("mine");
    cr_assert_eq(save(two, &mine), DRAFT_CHANGED);
    cr_assert_eq(count(one), 2);
    theirs.fields = span_of("theirs goes on");
    cr_assert_eq(save(one, &theirs), DRAFT_SAVED);
    assert_span(style(one, theirs.id)->fields, "theirs goes on");
    assert_span(style(one, mine.id)->fields, "mine");
    state_close(two);
    finish(one);
}

Test(state_drafts, a_save_of_what_another_sent_brings_it_back)
{
    struct state *one = open_state(), *two = open_state();
    struct saved_draft mine = draft_of("first");

    save(one, &mine);
    cr_assert(state_release_draft(one, mine.id, &err));
    struct span old = mine.id;
    cr_assert(state_drop_draft(two, old, mine.version, &err), "%s", err.text);
    cr_assert_eq(count(one), 0);
    mine.fields = span_of("more of it");
    mine.updated_us = NOW + 5;
    cr_assert_eq(save(one, &mine), DRAFT_REMOVED);
    cr_assert_not(span_eq(mine.id, old));
    assert_span(style(two, mine.id)->fields, "more of it");
    cr_assert_eq(drafts.items[0].created_us, NOW);
    expect(state_draft(one, old, &drafts, &err), ERR_ABSENT, "sent or dropped");
    state_close(two);
    finish(one);
}

Test(state_drafts, only_the_version_that_is_known_is_dropped)
{
    struct state *one = open_state(), *two = open_state();
    struct saved_draft draft = draft_of("first");

    save(one, &draft);
    draft.fields = span_of("second");
    save(one, &draft);
    expect(state_drop_draft(one, draft.id, 1, &err), ERR_REFUSED, "was changed");
    expect(state_drop_draft(two, draft.id, 2, &err), ERR_REFUSED, "open in another");
    assert_span(style(one, draft.id)->fields, "second");
    cr_assert(state_drop_draft(one, draft.id, 2, &err), "%s", err.text);
    cr_assert(state_drop_draft(one, draft.id, 2, &err), "%s", err.text); /* twice is no error */
    cr_assert_eq(count(two), 0);
    state_close(two);
    finish(one);
}

Test(state_drafts, a_save_that_fails_changes_nothing)
{
    struct state *state = open_state();
    struct saved_draft draft = draft_of("first");

    save(state, &draft);
    run_outside("CREATE TRIGGER no BEFORE UPDATE ON draft"
                " BEGIN SELECT RAISE(ABORT, 'no such luck'); END");
    struct saved_draft next = draft;
    next.fields = span_of("second");
    expect(state_save_draft(state, &next, &saved, &err), ERR_SOURCE, "no such luck");
    assert_span(style(state, draft.id)->fields, "first");
    run_outside("DROP TRIGGER no");
    cr_assert_eq(save(state, &next), DRAFT_SAVED);
    cr_assert_eq(next.version, 2);
    finish(state);
}

static int ready[2];

static bool save_and_hang(int number)
{
    struct state *state = state_open_within(true, PATIENCE_MS, &err);
    struct saved_draft draft = draft_of("text");

    (void)number;
    if (!state || !state_save_draft(state, &draft, &saved, &err) ||
        write(ready[1], saved.id, DRAFT_ID_LEN) != DRAFT_ID_LEN)
        return false;
    for (;;)
        pause();
}

static void end(pid_t pid)
{
    int status;

    cr_assert_eq(kill(pid, SIGKILL), 0);
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    cr_assert(WIFSIGNALED(status));
}

Test(state_drafts, the_draft_of_a_process_that_was_killed_is_free_at_once)
{
    char id[DRAFT_ID_LEN + 1] = "", process[40];

    cr_assert_eq(pipe(ready), 0);
    pid_t pid = start(save_and_hang, 0);
    close(ready[1]);
    cr_assert_eq(read(ready[0], id, DRAFT_ID_LEN), DRAFT_ID_LEN);
    close(ready[0]);
    struct state *state = open_state();
    snprintf(process, sizeof process, "process %d;", (int)pid);
    expect(state_claim_draft(state, span_of(id), &drafts, &err), ERR_REFUSED, process);
    end(pid);
    cr_assert_eq(style(state, span_of(id))->pid, 0);
    cr_assert(state_claim_draft(state, span_of(id), &drafts, &err), "%s", err.text);
    assert_span(drafts.items[0].fields, "text");
    finish(state);
}

/* Makes a text that shows if it is torn: one letter throughout, long enough for many pages. */
static void fill(struct str *text, int64_t version)
{
    str_clear(text);
    str_pad(text, (char)('a' + version % 26), LONG + (size_t)version);
}

static bool save_for_ever(int number)
{
    struct state *state = state_open_within(true, PATIENCE_MS, &err);
    struct saved_draft draft = draft_of("");
    struct str text = {0};

    (void)number;
    for (int64_t version = 1;; version++) {
        fill(&text, version);
        draft.fields = str_span(&text);
        if (!state || !state_save_draft(state, &draft, &saved, &err) || saved.how != DRAFT_SAVED ||
            saved.version != version || write(ready[1], &saved, sizeof saved) != sizeof saved)
            return false;
        follow(&draft);
    }
}

Test(state_drafts, a_kill_at_any_moment_leaves_the_last_save_whole)
{
    struct str text = {0};

    for (int round = 0; round < KILLS; round++) {
        cr_assert_eq(pipe(ready), 0);
        pid_t pid = start(save_for_ever, 0);
        close(ready[1]);
        for (int i = 0; i <= round; i++)
            cr_assert_eq(read(ready[0], &saved, sizeof saved), sizeof saved);
        end(pid);
        while (read(ready[0], &saved, sizeof saved) == sizeof saved)
            ;
        close(ready[0]);
        struct state *state = open_state();
        cr_assert_eq(count(state), (size_t)round + 1);
        const struct saved_draft *got = style(state, span_of(saved.id));
        cr_assert(got->version == saved.version || got->version == saved.version + 1,
                  "version %lld, told %lld", (long long)got->version, (long long)saved.version);
        fill(&text, got->version);
        cr_assert(span_eq(got->fields, str_span(&text)), "round %d: it is torn", round);
        cr_assert(state_claim_draft(state, span_of(saved.id), &drafts, &err), "%s", err.text);
        finish(state);
    }
    str_free(&text);
}

/* Saves one draft as fast as it can, without claiming it; two processes do so at once. */
static bool save_some(int number)
{
    struct state *state = state_open_within(true, PATIENCE_MS, &err);
    struct saved_draft draft = draft_of("");
    char text[32], id[DRAFT_ID_LEN + 1] = "";
    bool ok = state && state_drafts(state, &drafts, &err) && drafts.count == 1;

    if (ok) {
        memcpy(id, drafts.items[0].id.at, DRAFT_ID_LEN);
        draft.id = span_of(id);
        draft.version = 1;
    }
    for (int i = 0; ok && i < SAVES; i++) {
        snprintf(text, sizeof text, "%d/%d", number, i);
        draft.fields = span_of(text);
        ok = state_save_draft(state, &draft, &saved, &err);
        if (ok)
            follow(&draft);
    }
    finish(state);
    return ok;
}

Test(state_drafts, two_processes_that_save_one_draft_end_with_the_last_text_of_each)
{
    struct state *state = open_state();
    struct saved_draft draft = draft_of("before");
    bool met[2] = {false, false};
    char last[32];

    save(state, &draft);
    state_close(state);
    pid_t pids[] = {start(save_some, 0), start(save_some, 1)};
    expect_success(pids[0]);
    expect_success(pids[1]);
    state = open_state();
    size_t all = count(state);
    cr_assert_eq(all, 2);
    struct saved_drafts list = drafts;
    drafts = (struct saved_drafts){0};
    for (size_t i = 0; i < all; i++) {
        const struct saved_draft *got = style(state, list.items[i].id);
        for (int k = 0; k < 2; k++) {
            snprintf(last, sizeof last, "%d/%d", k, SAVES - 1);
            met[k] |= span_is(got->fields, last);
        }
    }
    cr_assert(met[0] && met[1]);
    saved_drafts_free(&list);
    finish(state);
}
