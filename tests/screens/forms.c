/* Forms as a person fills them in: what is written is kept, shown before it is sent, and sent once.
 */
#include "golden.h"
#include "mailbox.h"

#include <limits.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static struct mailbox mailbox;
static struct terminal *terminal, *other;

static void close_all(void)
{
    terminal_free(terminal);
    terminal_free(other);
    terminal = other = NULL;
    mailbox_remove(&mailbox);
}

TestSuite(forms, .fini = close_all, .timeout = 300);

static const char builder_box[] = "home/.claude/teams/dev/inboxes/builder-1.json";

static void start(const struct terminal_options *options)
{
    terminal = mailbox_start(&mailbox, options);
    terminal_wait_text(terminal, "needs you");
    terminal_wait_text(terminal, "since"); /* so agents are known, too */
    terminal_wait_idle(terminal);          /* and that there are no others */
}

static void open_mail(unsigned parts)
{
    mailbox_make(&mailbox, parts);
    start(NULL);
}

/* A new message to builder-1 that is ready to be sent. */
static void write_message(void)
{
    terminal_type(terminal, "m");
    terminal_wait_text(terminal, "NEW MESSAGE");
    terminal_type(terminal, "buil");
    terminal_key(terminal, "Tab");
    terminal_wait_text(terminal, "[builder-1");
    terminal_keys(terminal, "Enter");
    terminal_type(terminal, "about the tests");
    terminal_keys(terminal, "Enter");
    terminal_type(terminal, "please run them twice");
    terminal_wait_text(terminal, "please run them twice");
}

static size_t times_in(const char *path, const char *text)
{
    struct str bytes = tmp_read(&mailbox.tmp, path);
    size_t count = 0;

    for (const char *at = str_c(&bytes); (at = strstr(at, text)); at++)
        count++;
    str_free(&bytes);
    return count;
}

static void leave(void)
{
    terminal_wait_idle(terminal); /* the whole screen is drawn */
    terminal_wait_text(terminal, "needs you");
    terminal_type(terminal, "Q");
    cr_expect_eq(terminal_end(terminal), 0);
    terminal_free(terminal);
    terminal = NULL;
}

Test(forms, a_message_is_shown_to_the_byte_and_then_sent)
{
    open_mail(MAILBOX_CLAUDE);
    write_message();
    terminal_key(terminal, "^X");
    terminal_wait_text(terminal, "REVIEW");
    terminal_wait_text(terminal, "To      builder-1@dev");
    terminal_wait_text(terminal, "\"text\": \"please run them twice\"");
    cr_assert_eq(times_in(builder_box, "please run them twice"), 0);
    terminal_key(terminal, "^X");
    terminal_wait_text(terminal, "sent to builder-1, ");
    cr_assert_eq(times_in(builder_box, "please run them twice"), 1);
    cr_assert(terminal_has(terminal, "INBOX"));
    terminal_type(terminal, "R");
    terminal_wait_text(terminal, "there is no draft to go on with");
    leave();
}

Test(forms, nothing_but_send_sends)
{
    open_mail(MAILBOX_CLAUDE);
    write_message();
    terminal_key(terminal, "^P");
    terminal_wait_text(terminal, "REVIEW");
    terminal_keys(terminal, "Enter Space Enter y");
    terminal_wait_idle(terminal);
    cr_assert_eq(times_in(builder_box, "please run them twice"), 0);
    terminal_key(terminal, "q");
    terminal_wait_text(terminal, "NEW MESSAGE");
    terminal_keys(terminal, "Esc");
    terminal_wait_text(terminal, "kept as a draft");
    leave();
    cr_assert_eq(times_in(builder_box, "please run them twice"), 0);
}

Test(forms, keys_that_come_twice_send_once)
{
    open_mail(MAILBOX_CLAUDE);
    write_message();
    terminal_key(terminal, "^X");
    terminal_wait_text(terminal, "REVIEW");
    terminal_keys(terminal, "^X ^X ^X ^X");
    terminal_wait_gone(terminal, "NEW MESSAGE");
    terminal_wait_gone(terminal, "REVIEW");
    terminal_wait_idle(terminal);
    leave();
    cr_assert_eq(times_in(builder_box, "please run them twice"), 1);
}

Test(forms, what_was_left_comes_back)
{
    open_mail(MAILBOX_CLAUDE);
    write_message();
    terminal_key(terminal, "^O");
    terminal_wait_text(terminal, "kept as a draft");
    leave();
    start(NULL);
    terminal_type(terminal, "R");
    terminal_wait_text(terminal, "[builder-1");
    terminal_wait_text(terminal, "[about the tests");
    terminal_wait_text(terminal, "please run them twice");
    terminal_key(terminal, "Esc");
    leave();
}

Test(forms, a_kill_loses_nothing_that_was_saved)
{
    open_mail(MAILBOX_CLAUDE);
    write_message();
    terminal_wait_text(terminal, "saved 14:03:00 drafts/");
    terminal_signal(terminal, SIGKILL);
    terminal_free(terminal);
    start(NULL);
    terminal_type(terminal, "R");
    terminal_wait_text(terminal, "please run them twice");
    terminal_key(terminal, "Esc");
    terminal_wait_text(terminal, "kept as a draft");
    leave();
}

Test(forms, what_cannot_be_saved_is_not_left)
{
    struct str path = {0};
    sqlite3 *state;

    open_mail(MAILBOX_CLAUDE);
    terminal_type(terminal, "m");
    terminal_wait_text(terminal, "NEW MESSAGE");
    terminal_type(terminal, "builder-1");
    terminal_wait_text(terminal, "saved 14:03:00 drafts/");
    /* somebody has the state and does not let go of it */
    str_addf(&path, "%s/home/state/swarmutt/state.db", mailbox.tmp.path);
    cr_assert_eq(sqlite3_open(str_c(&path), &state), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(state, "BEGIN EXCLUSIVE", NULL, NULL, NULL), SQLITE_OK);
    terminal_type(terminal, ", w7");
    terminal_key(terminal, "Esc");
    terminal_wait_text(terminal, "the draft is not saved");
    terminal_wait_text(terminal, "[builder-1, w7");
    cr_assert_eq(sqlite3_exec(state, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(state);
    terminal_wait_idle(terminal);
    terminal_key(terminal, "Esc");
    terminal_wait_text(terminal, "kept as a draft");
    terminal_type(terminal, "R");
    terminal_wait_text(terminal, "[builder-1, w7");
    terminal_key(terminal, "Esc");
    str_free(&path);
    leave();
}

Test(forms, throwing_away_asks_first)
{
    open_mail(MAILBOX_CLAUDE);
    write_message();
    terminal_key(terminal, "Alt-x");
    terminal_wait_text(terminal, "Throw away");
    terminal_key(terminal, "Enter");
    terminal_wait_text(terminal, "nothing was done");
    terminal_key(terminal, "Alt-x");
    terminal_wait_text(terminal, "Throw away");
    terminal_key(terminal, "y");
    terminal_wait_text(terminal, "thrown away");
    terminal_type(terminal, "R");
    terminal_wait_text(terminal, "there is no draft to go on with");
    leave();
}

Test(forms, a_draft_is_open_in_one_program_only)
{
    open_mail(MAILBOX_CLAUDE);
    write_message();
    terminal_wait_text(terminal, "saved 14:03:00 drafts/");
    other = mailbox_start(&mailbox, NULL);
    terminal_wait_text(other, "needs you");
    terminal_type(other, "R");
    terminal_wait_text(other, "open");
    cr_assert_not(terminal_has(other, "please run them twice"));
    terminal_type(other, "Q");
    cr_expect_eq(terminal_end(other), 0);
    terminal_key(terminal, "Esc");
    terminal_wait_text(terminal, "kept as a draft");
    leave();
}

/* --- fields --- */

Test(forms, a_paste_is_text_and_does_nothing)
{
    open_mail(MAILBOX_CLAUDE);
    write_message();
    terminal_paste(terminal, "\n:quit\nQ\x18 two");
    terminal_wait_text(terminal, "Q^X two");
    terminal_wait_row(terminal, 6, ":quit");
    terminal_key(terminal, "Esc");
    terminal_wait_text(terminal, "kept as a draft");
    leave();
}

Test(forms, missing_fields_are_named_and_gone_to)
{
    open_mail(MAILBOX_CLAUDE);
    terminal_type(terminal, "m");
    terminal_wait_text(terminal, "missing: To");
    terminal_keys(terminal, "Down Down ^X");
    terminal_wait_text(terminal, "still missing: To");
    terminal_type(terminal, "x");
    terminal_wait_text(terminal, "[x");
    terminal_key(terminal, "Esc");
    leave();
}

Test(forms, only_what_the_layout_can_carry_is_asked_for)
{
    open_mail(MAILBOX_CLAUDE | MAILBOX_ADR);
    terminal_type(terminal, "m");
    terminal_wait_text(terminal, "Tags");
    terminal_type(terminal, "builder-1");
    terminal_wait_gone(terminal, "Tags");
    terminal_keys(terminal, "^U");
    terminal_type(terminal, "architect");
    terminal_wait_text(terminal, "Tags");
    terminal_key(terminal, "Esc");
    leave();
}

Test(forms, files_that_are_not_there_are_told)
{
    open_mail(MAILBOX_ADR);
    terminal_type(terminal, "m");
    terminal_wait_text(terminal, "Files");
    terminal_keys(terminal, "Down Down Down Down");
    terminal_type(terminal, "nowhere.c");
    terminal_wait_text(terminal, "? no such file] 2[+]");
    terminal_wait_text(terminal, "warn: Files 1");
    terminal_key(terminal, "Esc");
    leave();
}

Test(forms, one_field_fills_a_narrow_screen)
{
    mailbox_make(&mailbox, MAILBOX_CLAUDE);
    start(&(struct terminal_options){.rows = 10, .cols = 40});
    terminal_type(terminal, "m");
    terminal_wait_text(terminal, "1/3");
    cr_assert_not(terminal_has(terminal, "Subject"));
    terminal_key(terminal, "Down");
    terminal_wait_text(terminal, "2/3");
    terminal_wait_text(terminal, "Subject");
    terminal_resize(terminal, 24, 80);
    terminal_wait_text(terminal, "*To");
    terminal_resize(terminal, 1, 1);
    terminal_wait_idle(terminal);
    terminal_resize(terminal, 24, 80);
    terminal_wait_text(terminal, "*To");
    terminal_key(terminal, "Esc");
    leave();
}

Test(forms, looks_as_it_is_drawn)
{
    mailbox_make(&mailbox, MAILBOX_ADR);
    start(NULL);
    terminal_type(terminal, "m");
    terminal_wait_text(terminal, "Tags");
    golden_check(terminal, "form-compose");
    terminal_key(terminal, "Esc");
    leave();
}

/* --- $EDITOR --- */

static char editor_env[PATH_MAX + 16];

static void start_with_editor(const char *script)
{
    struct str text = {0};
    char path[PATH_MAX];
    static const char *env[] = {editor_env, NULL};

    str_addf(&text, "#!/bin/sh\n%s\n", script);
    tmp_write(&mailbox.tmp, "editor", str_span(&text));
    str_free(&text);
    snprintf(path, sizeof path, "%s/editor", mailbox.tmp.path);
    cr_assert_eq(chmod(path, 0700), 0);
    snprintf(editor_env, sizeof editor_env, "EDITOR=%s", path);
    start(&(struct terminal_options){.env = env});
}

Test(forms, the_editor_gets_the_text_and_gives_it_back)
{
    mailbox_make(&mailbox, MAILBOX_CLAUDE);
    start_with_editor("printf 'as edited\\n' >> \"$1\"");
    write_message();
    terminal_key(terminal, "^E");
    terminal_wait_text(terminal, "as edited");
    cr_assert(terminal_has(terminal, "please run them twice"));
    terminal_wait_text(terminal, "saved 14:03:00 drafts/");
    terminal_key(terminal, "Esc");
    terminal_wait_text(terminal, "kept as a draft");
    leave();
}

Test(forms, an_editor_that_fails_leaves_the_text_as_it_was)
{
    mailbox_make(&mailbox, MAILBOX_CLAUDE);
    start_with_editor("echo lost > \"$1\"; exit 1");
    write_message();
    terminal_key(terminal, "^E");
    terminal_wait_text(terminal, "ended with 1");
    cr_assert(terminal_has(terminal, "please run them twice"));
    cr_assert_not(terminal_has(terminal, "lost"));
    terminal_key(terminal, "Esc");
    leave();
}

Test(forms, what_was_written_is_on_disk_before_the_editor_starts)
{
    mailbox_make(&mailbox, MAILBOX_CLAUDE);
    start_with_editor("kill -9 $PPID");
    write_message();
    terminal_key(terminal, "^E");
    cr_assert_eq(terminal_end(terminal), -SIGKILL);
    terminal_free(terminal);
    start(NULL);
    terminal_type(terminal, "R");
    terminal_wait_text(terminal, "please run them twice");
    terminal_key(terminal, "Esc");
    terminal_wait_text(terminal, "kept as a draft");
    leave();
}

Test(forms, a_resize_under_the_editor_is_noticed)
{
    mailbox_make(&mailbox, MAILBOX_CLAUDE);
    start_with_editor("echo at-work; read line; echo 'done' >> \"$1\"");
    write_message();
    terminal_key(terminal, "^E");
    terminal_wait_text(terminal, "at-work");
    terminal_resize(terminal, 30, 100);
    terminal_type(terminal, "\n");
    terminal_wait_text(terminal, "done");
    terminal_wait_row(terminal, 28, "drafts/");
    terminal_key(terminal, "Esc");
    leave();
}

/* --- answers --- */

Test(forms, a_reply_is_prepared_as_the_layout_does_it)
{
    open_mail(MAILBOX_CLAUDE);
    terminal_type(terminal, "/which page\r");
    terminal_type(terminal, "r");
    terminal_wait_text(terminal, "REPLY to doc-3: which page first?");
    terminal_wait_text(terminal, "[Re: which page first?");
    terminal_type(terminal, "install");
    terminal_keys(terminal, "Up Space ^X");
    terminal_wait_text(terminal, "doc-3 wrote on");
    terminal_key(terminal, "^X");
    terminal_wait_text(terminal, "sent to doc-3, ");
    leave();
    cr_assert_eq(times_in("home/.claude/teams/dev/inboxes/doc-3.json", "> I would take"), 1);
}

Test(forms, what_cannot_be_sent_stays_in_the_form)
{
    open_mail(MAILBOX_CLAUDE);
    write_message();
    terminal_key(terminal, "^X");
    terminal_wait_text(terminal, "REVIEW");
    tmp_write(&mailbox.tmp, builder_box, span_of("")); /* is replaced by a directory */
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", mailbox.tmp.path, builder_box);
    cr_assert_eq(unlink(path), 0);
    cr_assert_eq(mkdir(path, 0700), 0);
    terminal_key(terminal, "^X");
    terminal_wait_text(terminal, "not sent: ");
    terminal_wait_text(terminal, "NEW MESSAGE");
    terminal_wait_text(terminal, "please run them twice");
    terminal_key(terminal, "Esc");
    terminal_wait_text(terminal, "kept as a draft");
    leave();
}

Test(forms, several_recipients_get_a_message_each)
{
    open_mail(MAILBOX_ADR);
    terminal_type(terminal, "m");
    terminal_wait_text(terminal, "Tags");
    terminal_type(terminal, "architect, critic");
    terminal_key(terminal, "Down");
    terminal_type(terminal, "to both");
    terminal_key(terminal, "^X");
    terminal_wait_text(terminal, "2 messages, one for each recipient");
    terminal_key(terminal, "^X");
    terminal_wait_text(terminal, "sent to architect, MSG-");
    terminal_wait_text(terminal, "; critic, MSG-");
    leave();
}

Test(forms, a_reply_to_all_leaves_nobody_but_the_person_out)
{
    mailbox_make(&mailbox, MAILBOX_CLAUDE);
    mailbox_tell(&mailbox,
                 &(struct mailbox_said){"w7", "doc-3", 30, "shared words", "hello", false});
    mailbox_tell(&mailbox,
                 &(struct mailbox_said){"doc-3", "w7", 20, "Re: shared words", "yes", false});
    start(NULL);
    terminal_wait_text(terminal, "shared words");
    terminal_type(terminal, "/shared words\r");
    terminal_type(terminal, "ga");
    terminal_wait_text(terminal, "REPLY TO ALL of");
    terminal_wait_text(terminal, "[w7, doc-3");
    terminal_key(terminal, "Esc");
    leave();
}

Test(forms, a_forwarded_message_has_its_head_and_all_its_text)
{
    open_mail(MAILBOX_CLAUDE);
    terminal_type(terminal, "/which page\r");
    terminal_type(terminal, "f");
    terminal_wait_text(terminal, "FORWARD of doc-3: which page first?");
    terminal_wait_text(terminal, "[Fwd: which page first?");
    terminal_wait_text(terminal, "> From: doc-3");
    terminal_wait_text(terminal, "> I would take the first.");
    terminal_key(terminal, "Esc");
    leave();
}

Test(forms, who_hands_over_is_not_offered_as_who_takes_it)
{
    mailbox_make(&mailbox, MAILBOX_CLAUDE);
    mailbox_tell(&mailbox,
                 &(struct mailbox_said){"w7", "doc-3", 30, "shared words", "hello", false});
    mailbox_tell(&mailbox,
                 &(struct mailbox_said){"doc-3", "w7", 20, "Re: shared words", "yes", false});
    start(NULL);
    terminal_wait_text(terminal, "shared words");
    terminal_type(terminal, "/shared words\r");
    terminal_wait_text(terminal, "?:help");
    terminal_type(terminal, "H");
    terminal_wait_text(terminal, "HANDOFF from w7");
    terminal_wait_idle(terminal);  /* what is known of the work has come */
    terminal_key(terminal, "Tab"); /* shows them */
    terminal_wait_text(terminal, " builder-1                        WAITS-YOU");
    terminal_key(terminal, "Tab");
    terminal_wait_text(terminal, "[doc-3"); /* takes part: before all others */
    cr_expect(!terminal_has(terminal, " w7                               WORKING"));
    terminal_key(terminal, "Esc");
    terminal_wait_gone(terminal, " infra-4 ");
    terminal_key(terminal, "Esc");
    leave();
}

Test(forms, a_template_of_the_config_starts_a_nudge)
{
    mailbox_make(&mailbox, MAILBOX_CLAUDE);
    mailbox_config(&mailbox, "[template ask]\nfor = nudge\nsubject = News of {agent}\n"
                             "body = {agent}, what is in your way?\n");
    start(NULL);
    terminal_type(terminal, ":nudge infra-4\r");
    terminal_wait_text(terminal, "NUDGE infra-4  (STUCK?");
    terminal_wait_text(terminal, "[News of infra-4");
    terminal_wait_text(terminal, "infra-4, what is in your way?");
    terminal_key(terminal, "Esc");
    leave();
}

Test(forms, somebody_new_needs_the_word_of_the_person)
{
    open_mail(MAILBOX_CLAUDE);
    terminal_type(terminal, "m");
    terminal_wait_text(terminal, "NEW MESSAGE");
    terminal_type(terminal, "newcomer");
    terminal_key(terminal, "Enter");
    terminal_wait_text(terminal, "Create");
    terminal_key(terminal, "^X");
    terminal_wait_text(terminal, "mailbox with Create");
    terminal_key(terminal, "Space");
    terminal_wait_text(terminal, "[x] a new mailbox");
    terminal_key(terminal, "^P");
    terminal_wait_text(terminal, "there is no such mailbox yet");
    terminal_keys(terminal, "q");
    terminal_wait_text(terminal, "NEW MESSAGE");
    terminal_key(terminal, "Esc");
    leave();
}

Test(forms, one_that_finds_no_room_among_the_screens_is_not_opened)
{
    open_mail(MAILBOX_CLAUDE);
    for (int i = 0; i < 33; i++)
        terminal_type(terminal, "?");
    terminal_wait_text(terminal, "too many screens are open; leave some with q");
    terminal_type(terminal, "m");
    terminal_wait_idle(terminal);
    terminal_type(terminal, "H");
    terminal_wait_idle(terminal);
    cr_expect(!terminal_has(terminal, "NEW MESSAGE") && !terminal_has(terminal, "HANDOFF from"));
    terminal_type(terminal, "1"); /* leaves all of them */
    leave();
}
