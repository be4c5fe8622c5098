/* Notifications: collecting events, and calling the person. */
#include "ui/process/notify.h"

#include "base/mem.h"
#include "base/text/sanitize.h"
#include "ui/process/spawn_helper.h"
#include "ui/ui_state.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

/* The bell, sequences of the terminal, and tmux. */

const char *const notify_tmux_ask[] = {"tmux", "display-message", "-p",
                                       "#{client_termname} #{allow-passthrough}", NULL};
const char *const notify_tmux_tell[] = {"tmux", "display-message", "--", NULL};
const char notify_tmux_start[] = "swarmutt: ";

/* A running tmux command. Nothing waits for it. */
struct tmux_call {
    pid_t child;
    int ended;       /* becomes readable when it has ended */
    int out;         /* its output, or -1 */
    struct str text; /* text to send to the terminal if tmux passes sequences through */
};

static void call_free(struct tmux_call *call)
{
    if (call->ended >= 0)
        close(call->ended);
    if (call->out >= 0)
        close(call->out);
    str_free(&call->text);
    free(call);
}

/* Parses the answer "xterm-kitty on": the terminal that tmux runs in, and whether tmux passes
 * sequences through. */
static void take_answer(struct ui *ui, struct tmux_call *call)
{
    char answer[256];
    CLEANUP(str_free) struct str sequence = {0};
    ssize_t len = read(call->out, answer, sizeof answer - 1);

    if (len <= 0)
        return;
    answer[len] = '\0';
    char *term = answer, *allowed = strchr(answer, ' ');
    if (!allowed)
        return;
    *allowed++ = '\0';
    allowed[strcspn(allowed, "\n")] = '\0';
    if (strcmp(allowed, "on") != 0 && strcmp(allowed, "all") != 0)
        return;
    notify_add_sequence(&sequence, notify_sequence_of(term, NULL), str_span(&call->text), true);
    terminal_put(&ui->terminal, str_span(&sequence));
}

static void call_ended(struct ui *ui, void *context)
{
    struct tmux_call *call = context;
    int status;

    waitpid(call->child, &status, WNOHANG);
    ui_unfollow(ui, call->ended);
    if (call->out >= 0)
        take_answer(ui, call);
    call_free(call);
}

static void call_tmux(struct ui *ui, const char *const *words, struct span text, bool listen)
{
    struct tmux_call *call = mem_zero(1, sizeof *call);
    int ends[2] = {-1, SPAWN_NOTHING};

    call->ended = call->out = -1;
    str_add_span(&call->text, text);
    if (listen && pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        ends[1] = SPAWN_NOTHING;
    call->out = ends[0];
    int failed = ui_follow_room(ui) ? spawn_program(&ui->spawner, &call->child, words,
                                                    &(struct spawn_files){.in = SPAWN_NOTHING,
                                                                          .out = ends[1],
                                                                          .errors = SPAWN_NOTHING})
                                    : -1;
    if (ends[1] >= 0)
        close(ends[1]);
    if (!failed)
        call->ended = pidfd_open(call->child, 0);
    if (call->ended < 0) {
        call_free(call);
        return;
    }
    ui_follow(ui, call->ended, call_ended, call);
}

static bool in_tmux(void)
{
    const char *tmux = getenv("TMUX");

    return tmux && *tmux;
}

static void ring_terminal(struct ui *ui, struct span text)
{
    CLEANUP(str_free) struct str sequence = {0};

    if (in_tmux()) {
        call_tmux(ui, notify_tmux_ask, text, true);
        return;
    }
    notify_add_sequence(&sequence, notify_sequence_of(getenv("TERM"), getenv("TERM_PROGRAM")), text,
                        false);
    terminal_put(&ui->terminal, str_span(&sequence));
}

static void ring_tmux(struct ui *ui, struct span text)
{
    CLEANUP(str_free) struct str escaped = {0};

    if (!in_tmux())
        return;
    str_puts(&escaped, notify_tmux_start);
    notify_add_tmux(&escaped, text);
    const char *words[] = {notify_tmux_tell[0], notify_tmux_tell[1], notify_tmux_tell[2],
                           escaped.at, NULL};
    call_tmux(ui, words, text, false);
}

static void ring_bell(struct ui *ui, struct span text)
{
    (void)text;
    terminal_bell(&ui->terminal);
}

void notify_ring(struct ui *ui, enum config_channel channel, struct span text)
{
    static void (*const rings[CONFIG_CHANNEL_COUNT])(struct ui * ui, struct span text) = {
        [CONFIG_BELL] = ring_bell, [CONFIG_TERMINAL] = ring_terminal, [CONFIG_TMUX] = ring_tmux};

    rings[channel](ui, text);
}

enum { TEXT_COLUMNS = 120, FIRST_COLUMNS = 80 };

void notify_free(struct notify *notify)
{
    for (size_t i = 0; i < NOTIFY_WAYS; i++)
        str_free(&notify->piles[i].first);
    *notify = (struct notify){0};
}

static bool wants_event(const struct notify *notify, const struct config *config, unsigned way,
                        const struct notify_event_info *tiding)
{
    if (notify->line != (way == NOTIFY_LINE))
        return false;
    if (way == NOTIFY_LINE)
        return tiding->event == NOTIFY_STUCK ? config->notify_stuck
                                             : message_for_us(tiding->message);
    const struct config_notice *notice = &config->notices[way];
    if (!notice->on)
        return false;
    if (tiding->event == NOTIFY_STUCK)
        return config->notify_stuck;
    return query_match(&notice->query, tiding->message, &tiding->context);
}

static size_t pile_count(const struct notify_pile *pile)
{
    size_t count = 0;

    for (size_t i = 0; i < NOTIFY_EVENTS; i++)
        count += pile->counts[i];
    return count;
}

void notify_add(struct notify *notify, const struct config *config,
                const struct notify_event_info *tiding)
{
    for (unsigned way = 0; way < NOTIFY_WAYS; way++) {
        struct notify_pile *pile = &notify->piles[way];
        if (!wants_event(notify, config, way, tiding))
            continue;
        if (!pile_count(pile)) {
            str_set(&pile->first, tiding->who);
            str_puts(&pile->first, tiding->what.len ? ": " : "");
            str_add_span(&pile->first, tiding->what);
        }
        pile->counts[tiding->event]++;
    }
}

int64_t notify_due_us(const struct notify *notify, int64_t now_us)
{
    int64_t due_us = TIME_NONE;

    for (unsigned way = 0; way < NOTIFY_LINE; way++) {
        const struct notify_pile *pile = &notify->piles[way];
        int64_t left_us = pile->rest_until_us > now_us ? pile->rest_until_us - now_us : 0;
        if (pile_count(pile))
            time_min(&due_us, left_us);
    }
    return due_us;
}

/* Appends "2 new, 1 waits for you"; for a single event also sender and subject. */
static void add_text(struct str *out, const struct notify_pile *pile, unsigned clean)
{
    static const char *const words[NOTIFY_EVENTS][2] = {
        [NOTIFY_NEW] = {"new", "new"},
        [NOTIFY_WAITING] = {"waits for you", "wait for you"},
        [NOTIFY_STUCK] = {"may be stuck", "may be stuck"}};
    CLEANUP(str_free) struct str text = {0};

    for (size_t i = 0; i < NOTIFY_EVENTS; i++)
        if (pile->counts[i])
            str_addf(&text, "%s%zu %s", text.len ? ", " : "", pile->counts[i],
                     words[i][pile->counts[i] > 1]);
    if (pile_count(pile) == 1 && pile->first.len) {
        str_puts(&text, ": ");
        sanitize_cut(&text, str_span(&pile->first), clean, FIRST_COLUMNS);
    }
    sanitize_cut(out, str_span(&text), clean, TEXT_COLUMNS);
}

bool notify_take(struct notify *notify, unsigned way, int64_t now_us, unsigned clean,
                 struct str *text)
{
    struct notify_pile *pile = &notify->piles[way];

    if (!pile_count(pile) || (way != NOTIFY_LINE && pile->rest_until_us > now_us))
        return false;
    add_text(text, pile, clean);
    memset(pile->counts, 0, sizeof pile->counts);
    str_clear(&pile->first);
    pile->rest_until_us = now_us + NOTIFY_REST_US;
    return true;
}

/* --- sequences of terminals --- */

enum notify_sequence notify_sequence_of(const char *term, const char *program)
{
    static const struct {
        const char *start;
        bool is_program;
        enum notify_sequence sequence;
    } known[] = {{"iTerm.app", true, NOTIFY_OSC_9},        {"WezTerm", true, NOTIFY_OSC_777},
                 {"ghostty", true, NOTIFY_OSC_777},        {"xterm-kitty", false, NOTIFY_OSC_777},
                 {"xterm-ghostty", false, NOTIFY_OSC_777}, {"foot", false, NOTIFY_OSC_777},
                 {"wezterm", false, NOTIFY_OSC_777},       {"rxvt-unicode", false, NOTIFY_OSC_777}};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const char *name = known[i].is_program ? program : term;
        if (name && strncmp(name, known[i].start, strlen(known[i].start)) == 0)
            return known[i].sequence;
    }
    return NOTIFY_SEQUENCE_NONE;
}

/* Appends cleaned text without control characters; replaces semicolons, which end the text in some
 * terminals. */
static void add_body(struct str *out, struct span text)
{
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.at[i];
        if (c >= 0x20 && c != 0x7f)
            str_putc(out, c == ';' ? ',' : (char)c);
    }
}

void notify_add_sequence(struct str *out, enum notify_sequence sequence, struct span text,
                         bool in_tmux)
{
    const char *escape = in_tmux ? "\033\033" : "\033";

    if (sequence == NOTIFY_SEQUENCE_NONE)
        return;
    str_puts(out, in_tmux ? "\033Ptmux;" : "");
    str_addf(out, "%s]%s", escape,
             sequence == NOTIFY_OSC_9 ? "9;swarmutt: " : "777;notify;swarmutt;");
    add_body(out, text);
    str_addf(out, "%s\\", escape);
    str_puts(out, in_tmux ? "\033\\" : "");
}

/* Doubles # and %: in tmux # starts a format, which may run commands, and % one of the time. */
void notify_add_tmux(struct str *out, struct span text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] == '#' || text.at[i] == '%')
            str_putc(out, text.at[i]);
        str_putc(out, text.at[i]);
    }
}
