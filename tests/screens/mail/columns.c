/* Columns keep their position for any names: emoji, CJK, combining marks, joiners and names cut in
 * the middle of a wide letter, on every screen that has columns. */
#include "tests/screens/harness/stage.h"

#include <stdio.h>

TestSuite(columns, .fini = stage_close, .timeout = 300);

/* UTF-8; all of them are valid names of a directory. */
static const char *const names[] = {
    "plain",
    "\xf0\x9f\x9a\x80\xf0\x9f\x9a\x80 rocket",                      /* emoji */
    ("\xe4\xb8\x96\xe7\x95\x8c\xe4\xb8\x96\xe7\x95\x8c\xe4\xb8\x96" /* cut in a letter, or not */
     "\xe7\x95\x8c\xe4\xb8\x96\xe7\x95\x8c"),
    "x\xe4\xb8\x96\xe7\x95\x8c\xe4\xb8\x96\xe7\x95\x8c\xe4\xb8\x96\xe7\x95\x8c\xe4\xb8\x96",
    "e\xcc\x81t\xcc\x80u\xcc\x88",                                               /* combining */
    "z\xcc\x80\xcc\x81\xcc\x82\xcc\x83\xcc\x84\xcc\x85\xcc\x86\xcc\x87\xcc\x88", /* many */
    "\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7",  /* a family */
    "\xf0\x9f\x87\xa9\xf0\x9f\x87\xaa\xf0\x9f\x87\xab\xf0\x9f\x87\xb7",          /* flags */
    "\xe0\xa4\x95\xe0\xa5\x8d\xe0\xa4\xb7\xe0\xa4\xbf",                          /* Devanagari */
    "\xe0\xb8\x97\xe0\xb8\xb5\xe0\xb9\x88",                                      /* Thai */
    "\xe2\x9d\xa4\xef\xb8\x8f love",                                             /* a selector */
    "bidi\xe2\x80\xae\xd7\x90",
    "esc\x1b[31mred",
    "zero\xe2\x80\x8bwidth",
};
enum { NAMES = sizeof names / sizeof *names };

static void add_text(struct str *out, const char *text)
{
    for (; *text; text++)
        if (*text == '\x1b')
            str_puts(out, "\\u001b");
        else
            str_putc(out, *text);
}

/* Writes letter number i of a kind, with an age in minutes; NULL is the person. */
static void put_letter(const char *box, char kind, int i, const char *from, const char *to,
                       const char *subject, const char *thread, int age_m)
{
    struct str out = {0}, path = {0};
    const int minutes = 14 * 60 + 3 - age_m;

    str_addf(&out, "{\"id\": \"MSG-00000000%c%03d\", \"from_agent\": \"", kind, i);
    str_puts(&out, from ? "swarm_dev/" : "user");
    add_text(&out, from ? from : "");
    str_puts(&out, "\", \"to_agent\": \"");
    str_puts(&out, to ? "swarm_dev/" : "user");
    add_text(&out, to ? to : "");
    str_addf(&out,
             "\", \"swarm_name\": null, \"type\": \"request\", \"subject\": \"%s\", \"body\": "
             "\"A text.\", \"payload\": {}, \"priority\": 2, \"created_at\": "
             "\"2026-02-12T%02d:%02d:00\", \"expires_at\": null, \"status\": \"unread\", "
             "\"read_at\": null, \"completed_at\": null, \"reply_to\": null, \"thread_id\": "
             "\"%s\", \"context\": {}, \"attachments\": [], \"tags\": []}",
             subject, minutes / 60, minutes % 60, thread);
    str_addf(&path, "project/workspace/mailboxes/%s%s/inbox/MSG-00000000%c%03d.json", box,
             to ? to : "", kind, i);
    mailbox_put(&stage.mailbox, str_c(&path), age_m * 60, str_span(&out));
    str_free(&out);
    str_free(&path);
}

/* Everybody asks for something, writes to one conversation, and is asked for something. */
static void make_mail(void)
{
    char subject[64], thread[64];

    mailbox_make(&stage.mailbox, 0);
    for (int i = 0; i < NAMES; i++) {
        snprintf(subject, sizeof subject, "asks%02d", i);
        snprintf(thread, sizeof thread, "THR-00000000a%03d", i);
        put_letter("user", 'a', i, names[i], NULL, subject, thread, 30 + i);
        snprintf(subject, sizeof subject, "says%02d", i);
        put_letter("user", 'b', i, names[i], NULL, subject, "THR-000000000bbb", 50 - i);
        snprintf(subject, sizeof subject, "gets%02d", i);
        snprintf(thread, sizeof thread, "THR-00000000c%03d", i);
        put_letter("swarm_dev_", 'c', i, NULL, names[i], subject, thread, 20);
    }
}

static void start(int rows, int cols)
{
    make_mail();
    stage_start(&(struct terminal_options){.rows = rows, .cols = cols});
}

/* Expects all of them on the screen, in the same column. */
static void expect_same(char texts[NAMES][16])
{
    int y, x, column = -1;

    for (int i = 0; i < NAMES; i++) {
        if (!terminal_find(stage.terminal, texts[i], &y, &x))
            terminal_fail(stage.terminal, "there is no \"%s\"", texts[i]);
        if (column >= 0 && x != column)
            terminal_fail(stage.terminal, "\"%s\" is in column %d, those above are in %d", texts[i],
                          x, column);
        column = x;
    }
}

/* Expects the subjects that begin with a word. */
static void expect_column(const char *word)
{
    char texts[NAMES][16];

    for (int i = 0; i < NAMES; i++)
        snprintf(texts[i], sizeof texts[i], "%s%02d", word, i);
    expect_same(texts);
}

/* Expects the ages after the names in the one conversation. */
static void expect_ages(void)
{
    char texts[NAMES][16];

    for (int i = 0; i < NAMES; i++)
        snprintf(texts[i], sizeof texts[i], "%dm ASK", 50 - i);
    expect_same(texts);
}

static bool is_word(uint32_t letter)
{
    return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') || letter == '-';
}

/* Expects that the texts below a title, up to the next row of another kind, end right below its
 * end, followed by a blank. Returns the number of rows. */
static int expect_below(const char *title, const char *end)
{
    int y, x, count = 0, last_y, last_x;

    if (!terminal_find(stage.terminal, title, &y, &x) ||
        !terminal_find(stage.terminal, end, &last_y, &last_x))
        terminal_fail(stage.terminal, "there is no \"%s\" above \"%s\"", title, end);
    x += (int)strlen(title) - 1;
    for (y++; y < last_y && terminal_letter(stage.terminal, y, 2) != ' '; y++, count++)
        if (!is_word(terminal_letter(stage.terminal, y, x)) ||
            terminal_letter(stage.terminal, y, x + 1) != ' ')
            terminal_fail(stage.terminal, "in row %d nothing ends below the end of \"%s\"", y,
                          title);
    return count;
}

static const int widths[] = {60, 80, 99, 120, 150};
enum { WIDTHS = sizeof widths / sizeof *widths };

Test(columns, of_agents)
{
    static const char *const titles[] = {"HEARD", "UNREAD", "OLDEST"};

    start(40, 80);
    stage_go("2", "AGENTS 14/14");
    for (int i = 0; i < WIDTHS; i++) {
        terminal_resize(stage.terminal, 40, widths[i]);
        terminal_wait_idle(stage.terminal);
        for (size_t k = 0; k < sizeof titles / sizeof *titles; k++)
            cr_assert_eq(expect_below(titles[k], "AGENTS 14/14"), NAMES);
    }
    stage_quit();
}

Test(columns, of_the_flow)
{
    start(40, 80);
    stage_go("6", "FLOW ");
    for (int i = 0; i < WIDTHS; i++) {
        terminal_resize(stage.terminal, 40, widths[i]);
        terminal_wait_idle(stage.terminal);
        cr_assert_eq(expect_below("SENT", " waits ("), NAMES + 1); /* and the person */
        cr_assert_eq(expect_below("RECV", " waits ("), NAMES + 1);
    }
    stage_quit();
}

Test(columns, of_conversations_and_of_one)
{
    start(70, 80);
    for (int i = 0; i < WIDTHS; i++) {
        terminal_resize(stage.terminal, 70, widths[i]);
        stage_go("1 z M", "INBOX ");
        expect_column("asks");
        stage_go("/ s a y s Enter Enter", "/14 ");
        expect_ages();
        stage_go("q", "INBOX ");
    }
    stage_quit();
}

Test(columns, of_requests)
{
    start(150, 80);
    stage_go("3", "DECIDE 28");
    for (int i = 0; i < WIDTHS; i++) {
        terminal_resize(stage.terminal, 150, widths[i]);
        terminal_wait_idle(stage.terminal);
        expect_column("asks");
        expect_column("says");
    }
    stage_quit();
}

Test(columns, of_drafts_and_what_was_sent)
{
    start(70, 80);
    stage_go("1 / a s k s 0 3 Enter r", "REPLY to"); /* a draft to a name with wide letters */
    stage_go("w o r d s ^O", "kept as a draft");
    stage_go("4", "DRAFTS 1  outbox 0  sent 14");
    for (int i = 0; i < WIDTHS; i++) {
        int y, x, below;
        terminal_resize(stage.terminal, 70, widths[i]);
        terminal_wait_idle(stage.terminal);
        expect_column("gets");
        cr_assert(terminal_find(stage.terminal, "gets00", &y, &x));
        cr_assert(terminal_find(stage.terminal, "Re: asks03", &y, &below));
        cr_assert_eq(x, below);
    }
    stage_quit();
}
