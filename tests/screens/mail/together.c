/* Two programs on the same mailboxes and the same state, and programs that are killed: no text is
 * lost, and each shows the other's changes. */
#include "base/time.h"
#include "store/state/drafts.h"
#include "tests/screens/harness/stage.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

TestSuite(together, .fini = stage_close, .timeout = 300);

static void open_both(unsigned parts)
{
    stage_open(parts, NULL);
    stage.other = mailbox_start(&stage.mailbox, NULL);
    terminal_wait_text(stage.other, "watch ok");
    terminal_wait_idle(stage.other);
}

static void go(struct terminal *terminal, const char *keys, const char *text)
{
    terminal_keys(terminal, keys);
    terminal_wait_idle(terminal);
    terminal_wait_text(terminal, text);
}

static void quit_other(void)
{
    terminal_wait_idle(stage.other);
    terminal_key(stage.other, "Q");
    cr_expect_eq(terminal_end(stage.other), 0);
    terminal_free(stage.other);
    stage.other = NULL;
}

static void begin_message(struct terminal *terminal, const char *subject)
{
    go(terminal, "m", "NEW MESSAGE");
    terminal_type(terminal, "builder-1\t");
    terminal_type(terminal, subject);
    go(terminal, "Down", subject);
}

/* Types letters in turns, like two people. */
static void type_in_turns(const char *here, const char *there)
{
    for (; *here || *there; here += *here != '\0', there += *there != '\0') {
        terminal_type(stage.terminal, (const char[]){*here, '\0'});
        terminal_type(stage.other, (const char[]){*there, '\0'});
    }
}

Test(together, both_write_and_one_is_killed)
{
    open_both(MAILBOX_CLAUDE);
    begin_message(stage.terminal, "Mine");
    begin_message(stage.other, "Other");
    type_in_turns("written here", "written over there");
    terminal_wait_text(stage.terminal, "written here");
    terminal_wait_text(stage.other, "written over there");
    terminal_wait_text(stage.terminal, "drafts:2");
    terminal_wait_text(stage.other, "drafts:2");
    /* mail arrives in both, and neither form changes */
    mailbox_tell(&stage.mailbox,
                 &(struct mailbox_said){"team-lead", "w7", 30, "news", "New.", false});
    terminal_wait_row(stage.terminal, 0, "7 new");
    terminal_wait_row(stage.other, 0, "7 new");
    type_in_turns(" and more", " and more as well");
    terminal_wait_text(stage.terminal, "written here and more");
    terminal_wait_text(stage.other, "written over there and more as well");
    terminal_signal(stage.other, SIGKILL);
    cr_expect_eq(terminal_end(stage.other), -SIGKILL);
    terminal_free(stage.other);
    stage.other = NULL;
    terminal_type(stage.terminal, ", still.");
    terminal_wait_text(stage.terminal, "written here and more, still.");
    /* both are there, the other one as it was saved */
    stage_go("^O", "kept as a draft");
    stage_go("4", "DRAFTS 2");
    terminal_wait_gone(stage.terminal, "open in process");
    stage_go("/ o t h e r Enter", "?:help");
    stage_wait_selected("Other");
    stage_go("Enter", "written over there");
    stage_go("^O", "DRAFTS 2");
    stage_go("/ m i n e Enter", "?:help");
    stage_wait_selected("Mine");
    stage_go("Enter", "written here and more, still.");
    stage_go("^O", "DRAFTS 2");
    stage_quit();
}

Test(together, mail_comes_to_both_and_moves_neither_selection)
{
    open_both(MAILBOX_CLAUDE | MAILBOX_ADR);
    stage_go("/ q u e u e Enter", "?:help");
    stage_wait_selected("Which names");
    go(stage.other, "3", "DECIDE 6");
    go(stage.other, "]", "HANDOFF from swarm_dev/implementer");
    mailbox_tell(&stage.mailbox,
                 &(struct mailbox_said){"team-lead", "w7", 30, "for both", "New.", false});
    terminal_wait_text(stage.terminal, "for both");
    terminal_wait_row(stage.terminal, 0, "11 new");
    terminal_wait_row(stage.other, 0, "11 new");
    stage_wait_selected("Which names");
    cr_expect(terminal_has(stage.other, "HANDOFF from swarm_dev/implementer"));
    /* mail read in one counts as read in the other, and mail archived in one vanishes in the
     * other */
    go(stage.other, "1 / w h i c h Space p a g e Enter Enter", "Which page shall I write first?");
    terminal_wait_row(stage.terminal, 0, "10 new");
    stage_go("/ R e v i e w e d Enter", "?:help");
    stage_wait_selected("Reviewed: parser");
    go(stage.other, "q", "Reviewed: parser");
    stage_go("d", "u takes it back");
    terminal_wait_gone(stage.other, "Reviewed: parser");
    /* only the program that did it can undo it */
    go(stage.other, "u", "there is nothing to take back");
    stage_go("u", "taken back");
    terminal_wait_text(stage.other, "Reviewed: parser");
    quit_other();
    stage_quit();
}

/* --- killed while typing --- */

enum { WORDS_MAX = 20000, TRIES = 3 };

#define TYPING_US INT64_C(5000000)
#define LOST_MOST_US INT64_C(2000000)

/* The typed words, and the saved part of them. */
struct typing {
    struct state *state;
    int64_t seen_us[WORDS_MAX]; /* time when each word was on the screen */
    int count, kept;            /* words typed, and words in the last save */
    int64_t version;            /* of that draft */
    int64_t worst_us;           /* the longest loss that a kill at any moment would have caused */
};

static bool find_draft(struct typing *typing, struct saved_drafts *found)
{
    struct err err;

    if (!typing->state)
        typing->state = state_open(false, &err);
    return typing->state && state_drafts(typing->state, found, &err) && found->count;
}

/* Returns how many words, counted from the first one, are in a draft. */
static int count_words(const struct typing *typing, struct span id)
{
    struct saved_drafts one = {0};
    struct str word = {0}, fields = {0};
    struct err err;
    int count = 0;

    cr_assert(state_draft(typing->state, id, &one, &err), "%s", err.text);
    str_add_span(&fields, one.items[0].fields);
    for (const char *at = str_c(&fields); at; count += at != NULL) {
        str_clear(&word);
        str_addf(&word, "w%05d", count);
        at = strstr(at, str_c(&word));
    }
    saved_drafts_free(&one);
    str_free(&word);
    str_free(&fields);
    return count;
}

/* Updates the worst loss: until now the disk had nothing after the last save. */
static void check_disk(struct typing *typing)
{
    int64_t now_us = time_steady();
    struct saved_drafts drafts = {0};

    if (typing->kept < typing->count && now_us - typing->seen_us[typing->kept] > typing->worst_us)
        typing->worst_us = now_us - typing->seen_us[typing->kept];
    if (find_draft(typing, &drafts) && drafts.items[0].version != typing->version) {
        typing->version = drafts.items[0].version;
        typing->kept = count_words(typing, drafts.items[0].id);
    }
    saved_drafts_free(&drafts);
}

/* Types word after word, each once the one before is on the screen, and kills the program. */
static void type_and_kill(struct typing *typing)
{
    int64_t start_us = time_steady();
    char word[16];

    do {
        snprintf(word, sizeof word, "w%05d", typing->count);
        terminal_type(stage.terminal, word);
        terminal_wait_text(stage.terminal, word);
        typing->seen_us[typing->count++] = time_steady();
        check_disk(typing);
        terminal_type(stage.terminal, " ");
    } while (time_steady() - start_us < TYPING_US && typing->count < WORDS_MAX);
    terminal_signal(stage.terminal, SIGKILL);
    cr_assert_eq(terminal_end(stage.terminal), -SIGKILL);
    terminal_free(stage.terminal);
    stage.terminal = NULL;
    check_disk(typing);
    state_close(typing->state);
}

/* Without a pause for saving. A busy machine may be late once. */
Test(together, a_kill_loses_at_most_two_seconds_of_typing)
{
    struct typing *typing = NULL;
    struct str home = {0};
    char word[16];

    mailbox_make(&stage.mailbox, MAILBOX_CLAUDE);
    str_addf(&home, "%s/home/state", stage.mailbox.tmp.path);
    cr_assert_eq(setenv("XDG_STATE_HOME", str_c(&home), 1), 0);
    str_free(&home);
    for (int i = 0; i < TRIES; i++) {
        free(typing);
        typing = calloc(1, sizeof *typing);
        stage_start(NULL);
        begin_message(stage.terminal, "Long");
        type_and_kill(typing);
        stage_start(NULL);
        snprintf(word, sizeof word, "w%05d", typing->kept - 1);
        stage_go("R", word);
        if (typing->worst_us <= LOST_MOST_US)
            break;
        stage_go("Alt-x", "(y/n)");
        stage_go("y", "thrown away");
        stage_quit();
    }
    cr_assert_leq(typing->worst_us, LOST_MOST_US, "the words of %g s would be lost",
                  (double)typing->worst_us / 1e6);
    cr_assert_gt(typing->version, 1, "it was hardly ever saved");
    stage_go("^O", "kept as a draft");
    stage_quit();
    free(typing);
}
