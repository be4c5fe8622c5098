/* Tests notifications: the events, how often they are sent, and their words. */
#include "tests/unit/support.h"

#include "ui/process/notify.h"

static const struct place desk = {.team = {"web", 3}, .box = {"lead", 4}, .dir = {"web", 3}};
static const struct message for_us = {.from = {"ann", 3},
                                      .to = {"lead", 4},
                                      .place = &desk,
                                      .priority = PRIORITY_NORMAL,
                                      .mine = true};
static const struct message urgent = {
    .from = {"ann", 3}, .to = {"bob", 3}, .place = &desk, .priority = PRIORITY_URGENT};

static struct config config;
static struct notify notify;
static struct str text;

static void configure(const char *lines)
{
    struct err err;

    cr_assert(config_parse(&config, span_of(lines), &err), "%s", err.text);
}

static void clear(void)
{
    config_free(&config);
    notify_free(&notify);
    str_free(&text);
}

TestSuite(notify, .fini = clear);

static void add(enum notify_event event, const struct message *message, bool waiting)
{
    struct notify_event_info tiding = {.event = event,
                                       .message = message,
                                       .context = {.waiting = waiting},
                                       .who = span_of("ann"),
                                       .what = span_of("a \x1b[31mplan")};

    notify_add(&notify, &config, &tiding);
}

static bool rings(unsigned way, int64_t now_us)
{
    str_clear(&text);
    return notify_take(&notify, way, now_us, 0, &text);
}

Test(notify, the_bell_is_for_what_waits_for_the_person_unless_the_config_says_otherwise)
{
    configure("");
    add(NOTIFY_NEW, &for_us, false);
    add(NOTIFY_WAITING, &urgent, true); /* for somebody else */
    cr_assert(notify_due_us(&notify, 0) == TIME_NONE);
    add(NOTIFY_WAITING, &for_us, true);
    cr_assert(notify_due_us(&notify, 0) == 0);
    cr_assert(rings(CONFIG_BELL, 0));
    cr_assert_not(rings(CONFIG_TERMINAL, 0) || rings(CONFIG_TMUX, 0));
}

Test(notify, queries_choose_by_priority_and_kind)
{
    configure("[notify]\nbell = prio:urgent\ntmux = *\nterminal = kind:plan\n");
    add(NOTIFY_NEW, &urgent, false);
    cr_assert(rings(CONFIG_BELL, 0) && rings(CONFIG_TMUX, 0));
    cr_assert_not(rings(CONFIG_TERMINAL, 0));
    add(NOTIFY_NEW, &for_us, false);
    cr_assert_not(rings(CONFIG_BELL, NOTIFY_REST_US * 2));
}

Test(notify, a_storm_rings_once_and_then_once_for_all_that_came_since)
{
    configure("");
    for (int i = 0; i < 100; i++)
        add(NOTIFY_WAITING, &for_us, true);
    cr_assert(rings(CONFIG_BELL, 1000));
    cr_assert_str_eq(str_c(&text), "100 wait for you");
    for (int i = 0; i < 100; i++)
        add(NOTIFY_WAITING, &for_us, true);
    cr_assert_not(rings(CONFIG_BELL, 1001));
    cr_assert_eq(notify_due_us(&notify, 1001), NOTIFY_REST_US - 1);
    cr_assert(rings(CONFIG_BELL, 1000 + NOTIFY_REST_US));
    cr_assert(notify_due_us(&notify, 2000 + NOTIFY_REST_US) == TIME_NONE);
}

Test(notify, one_alone_is_told_with_who_and_what_and_cleaned)
{
    configure("");
    add(NOTIFY_WAITING, &for_us, true);
    cr_assert(rings(CONFIG_BELL, 0));
    cr_assert_str_eq(str_c(&text), "1 waits for you: ann: a ^[[31mplan");
}

Test(notify, who_may_be_stuck_is_told_by_every_way_that_is_on_or_by_none)
{
    configure("[notify]\nbell = no\ntmux = from:nobody\n");
    add(NOTIFY_STUCK, NULL, false);
    cr_assert_not(rings(CONFIG_BELL, 0));
    cr_assert(rings(CONFIG_TMUX, 0));
    cr_assert_str_eq(str_c(&text), "1 may be stuck: ann: a ^[[31mplan");
    config.notify_stuck = false;
    add(NOTIFY_STUCK, NULL, false);
    cr_assert_not(rings(CONFIG_TMUX, NOTIFY_REST_US * 2));
}

Test(notify, without_a_screen_there_is_only_the_line_and_it_waits_until_it_is_taken)
{
    configure("[notify]\nbell = *\n");
    notify.line = true;
    add(NOTIFY_NEW, &for_us, false);
    add(NOTIFY_NEW, &for_us, false);
    add(NOTIFY_NEW, &urgent, false); /* not for the person */
    add(NOTIFY_WAITING, &for_us, true);
    cr_assert(notify_due_us(&notify, 0) == TIME_NONE);
    cr_assert_not(rings(CONFIG_BELL, 0));
    cr_assert(rings(NOTIFY_LINE, 0));
    cr_assert_str_eq(str_c(&text), "2 new, 1 waits for you");
    cr_assert_not(rings(NOTIFY_LINE, 0));
}

Test(notify, only_terminals_that_are_known_for_it_get_a_sequence)
{
    cr_assert(notify_sequence_of("xterm-256color", NULL) == NOTIFY_SEQUENCE_NONE);
    cr_assert(notify_sequence_of(NULL, NULL) == NOTIFY_SEQUENCE_NONE);
    cr_assert(notify_sequence_of("xterm-256color", "iTerm.app") == NOTIFY_OSC_9);
    cr_assert(notify_sequence_of("xterm-kitty", NULL) == NOTIFY_OSC_777);
    notify_add_sequence(&text, NOTIFY_SEQUENCE_NONE, span_of("text"), false);
    cr_assert_eq(text.len, 0);
}

Test(notify, nothing_in_a_text_ends_its_sequence)
{
    notify_add_sequence(&text, NOTIFY_OSC_777, span_of("a;b\x07\x1b\\c\x7f"), false);
    cr_assert_str_eq(str_c(&text), "\033]777;notify;swarmutt;a,b\\c\033\\");
    str_clear(&text);
    notify_add_sequence(&text, NOTIFY_OSC_9, span_of("a"), true);
    cr_assert_str_eq(str_c(&text), "\033Ptmux;\033\033]9;swarmutt: a\033\033\\\033\\");
}

Test(notify, nothing_in_a_text_means_something_to_tmux)
{
    notify_add_tmux(&text, span_of("#(reboot) 100% ##{x}"));
    cr_assert_str_eq(str_c(&text), "##(reboot) 100%% ####{x}");
}
