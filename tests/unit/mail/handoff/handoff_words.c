/* Tests the words of handoffs: what messages say about them, and texts that say nothing. */
#include "tests/unit/support.h"

#include "mail/handoff/handoff.h"

static struct arena arena;
static const struct place place = {.root = "/m", .box = {"ann", 3}};

static void clear(void)
{
    arena_free(&arena);
}

TestSuite(work, .fini = clear);

static struct message message(void)
{
    return (struct message){.place = &place, .from = span_of("bob"), .to = span_of("ann")};
}

static const struct {
    const char *text;
    enum handoff_words_said said;
} texts[] = {
    {"Accepted", WORK_ACCEPTED},
    {"Accepted. I start with the lexer", WORK_ACCEPTED},
    {"accepted, thanks", WORK_ACCEPTED},
    {"ACCEPTED the parser", WORK_ACCEPTED},
    {"  \n**Accepted** - on it", WORK_ACCEPTED},
    {"# Accepted\n\nmore", WORK_ACCEPTED},
    {"Re: Handoff: parser\n\nAccepted", WORK_ACCEPTED},
    {"**Re: Work handoff from a to b.**\n\nDeclined: no time", WORK_DECLINED},
    {"Declined", WORK_DECLINED},
    {"Completed", WORK_COMPLETED},
    {"Completed: all green", WORK_COMPLETED},
    {"completed\nsee the log", WORK_COMPLETED},
    {"**Completed!**", WORK_COMPLETED},
    {"Failed.", WORK_FAILED},
    {"Failed, no disk", WORK_FAILED},
    {"", WORK_UNSAID},
    {"***", WORK_UNSAID},
    {"Re: Accepted", WORK_UNSAID},
    {"Re:", WORK_UNSAID},
    {"I accepted it", WORK_UNSAID},
    {"Not accepted", WORK_UNSAID},
    {"Accepted?", WORK_UNSAID},
    {"Acceptedly", WORK_UNSAID},
    {"Accepted-by: ann", WORK_UNSAID},
    {"Accepted\xc3\xa9", WORK_UNSAID},
    {"> Accepted", WORK_UNSAID},
    {"\"Accepted\"", WORK_UNSAID},
    {"Completed half of it", WORK_UNSAID},
    {"Completed?", WORK_UNSAID},
    {"Failed tests are listed below", WORK_UNSAID},
    {"Complete", WORK_UNSAID},
    {"Accept", WORK_UNSAID},
};

Test(work, the_first_word_of_a_text_tells_what_became_of_it)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct message one = message();
        handoff_words_read_text(&one, span_of(texts[i].text), &arena);
        cr_assert_eq(handoff_words_said(&one), texts[i].said, "%s: %d", texts[i].text,
                     handoff_words_said(&one));
        cr_assert_null(one.work, "%s", texts[i].text);
        if (texts[i].said)
            cr_assert(handoff_words_may_report(span_of(texts[i].text)), "%s", texts[i].text);
    }
}

Test(work, a_nul_ends_neither_a_text_nor_a_search)
{
    struct message one = message();

    handoff_words_read_text(&one, (struct span){"\0Accepted", 9}, &arena);
    cr_assert_eq(one.said, WORK_UNSAID);
    handoff_words_read_text(&one, (struct span){"Completed\0", 10}, &arena);
    cr_assert_eq(one.said, WORK_UNSAID);
    handoff_words_read_text(&one, (struct span){"Accepted\0", 9}, &arena);
    cr_assert_eq(one.said, WORK_ACCEPTED);
}

Test(work, most_texts_need_not_be_decoded)
{
    cr_assert_not(handoff_words_may_report(span_of("Hello")));
    cr_assert_not(handoff_words_may_report(span_of("")));
    cr_assert_not(handoff_words_may_report((struct span){0}));
    cr_assert(handoff_words_may_report(span_of("\\n\\nAccepted")), "still escaped");
    cr_assert(handoff_words_may_report(span_of("Work handoff from a to b.")));
}

static const struct {
    const char *text, *giver; /* NULL: the sender is the giver, or it is no handoff */
    bool handoff;
} starts[] = {
    {"Work handoff from bob to ann.\n\nmore", NULL, true},
    {"Work handoff from carol to ann.\n\nmore", "carol", true},
    {"\nWork handoff from carol to ann.\r\n", "carol", true},
    {"Work handoff from dev/carol to somebody.", "dev/carol", true},
    {"Work handoff from back to front to ann.", "back to front", true},
    {"Work handoff from a to b to c.", "a to b", true},
    {"Work handoff from carol to ann", "carol", true},
    {"Work handoff from carol.", NULL, true},
    {"Work handoff from  to ann.", NULL, true},
    {"Work handoff from ", NULL, false},
    {"work handoff from carol to ann.", NULL, false},
    {"A Work handoff from carol to ann.", NULL, false},
};

Test(work, the_first_line_of_a_handoff_names_whose_work_it_is)
{
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        struct message one = message();
        handoff_words_read_text(&one, span_of(starts[i].text), &arena);
        cr_assert_eq(one.work != NULL, starts[i].handoff, "%s", starts[i].text);
        if (!one.work)
            continue;
        cr_assert_eq(one.work->giver.at != NULL, starts[i].giver != NULL, "%s", starts[i].text);
        if (starts[i].giver)
            assert_span(one.work->giver, starts[i].giver);
        cr_assert_eq(one.work->read_us, TIME_NONE);
    }
}

static const struct {
    const char *payload;
    enum handoff_words_said said;
} payloads[] = {
    {"{\"x_protocol\":\"handoff\",\"approved\":true}", WORK_ACCEPTED},
    {"{\"approved\":false,\"x_protocol\":\"handoff\"}", WORK_DECLINED},
    {"{\"x_protocol\":\"handoff\",\"status\":\"completed\"}", WORK_COMPLETED},
    {"{\"x_protocol\":\"handoff\",\"status\":\"failed\"}", WORK_FAILED},
    {"{\"x_protocol\":\"handoff\",\"approved\":true,\"status\":\"completed\"}", WORK_COMPLETED},
    {"{\"x_protocol\":\"handoff\",\"approved\":true,\"approved\":false}", WORK_DECLINED},
    {"{\"x_protocol\":\"handoff\",\"approved\":\"true\"}", WORK_UNSAID},
    {"{\"x_protocol\":\"handoff\",\"approved\":1}", WORK_UNSAID},
    {"{\"x_protocol\":\"handoff\",\"status\":\"begun\"}", WORK_UNSAID},
    {"{\"x_protocol\":\"plan_approval\",\"approved\":true}", WORK_UNSAID},
    {"{\"x_protocol\":\"handoff\",\"x_protocol\":\"shutdown\",\"approved\":true}", WORK_UNSAID},
    {"{\"approved\":true}", WORK_UNSAID},
    {"[\"x_protocol\",\"handoff\"]", WORK_UNSAID},
    {"", WORK_UNSAID},
};

Test(work, a_payload_counts_only_where_it_is_about_a_handoff)
{
    for (size_t i = 0; i < sizeof payloads / sizeof *payloads; i++) {
        struct message one = message();
        handoff_words_read_payload(&one, span_of(payloads[i].payload));
        cr_assert_eq(one.said, payloads[i].said, "%s: %u", payloads[i].payload, one.said);
    }
}

#define CONTEXT(more) "{\"work_completed\":\"a\",\"current_state\":\"b\",\"next_steps\":[]" more "}"

Test(work, a_context_has_the_job_and_may_say_whose_work_it_is)
{
    struct message one = message();

    handoff_words_read_context(&one, span_of("{\"job_id\":\"J\"}"), &arena);
    cr_assert_null(one.work, "no context of a handoff");
    handoff_words_read_context(&one, span_of(CONTEXT(",\"job_id\":null,\"notes\":\"\"")), &arena);
    cr_assert_not_null(one.work);
    cr_assert_null(one.work->job.at);
    cr_assert_null(one.work->giver.at);
    handoff_words_read_context(
        &one,
        span_of(
            CONTEXT(",\"job_id\":\" J\\u0031 \",\"notes\":\"This is the work of carol.\\n\\nx\"")),
        &arena);
    assert_span(one.work->job, "J1");
    assert_span(one.work->giver, "carol");
    one = message();
    handoff_words_read_context(&one, span_of(CONTEXT(",\"notes\":\"This is the work of bob.\"")),
                               &arena);
    cr_assert_null(one.work->giver.at, "it is the sender's anyway");
    handoff_words_read_context(&one, span_of(CONTEXT(",\"notes\":\"This is the work of.\"")),
                               &arena);
    cr_assert_null(one.work->giver.at);
}

Test(work, times_and_texts_are_kept_together)
{
    struct message one = message();

    handoff_words_read_text(&one, span_of("Work handoff from carol to ann."), &arena);
    handoff_words_read_context(&one, span_of(CONTEXT(",\"job_id\":\"J\"")), &arena);
    handoff_words_read_times(&one, 5, 7, &arena);
    assert_span(one.work->giver, "carol");
    assert_span(one.work->job, "J");
    cr_assert_eq(one.work->read_us, 5);
    cr_assert_eq(one.work->completed_us, 7);
}

Test(work, a_type_stands_for_a_word_where_there_is_none)
{
    struct message one = message();

    one.type = span_of("failure");
    cr_assert_eq(handoff_words_said(&one), WORK_FAILED);
    one.type = span_of("completed");
    cr_assert_eq(handoff_words_said(&one), WORK_COMPLETED);
    one.said = WORK_ACCEPTED;
    cr_assert_eq(handoff_words_said(&one), WORK_ACCEPTED);
}
