/* Tests templates: their fields, the values put in, and templates that make no sense. */
#include "tests/unit/support.h"

#include "store/config/config.h"

static struct config config;
static struct err err;

static void clear(void)
{
    config_free(&config);
}

TestSuite(config_template, .fini = clear);

static void refuse(const char *text, const char *sentence)
{
    config_free(&config);
    cr_assert(!config_parse(&config, span_of(text), &err), "%s", text);
    cr_assert_str_eq(err.text, sentence, "expected\n%s\ngot\n%s", sentence, err.text);
    cr_assert_eq(config.mistake_count, 1);
}

static void assert_filled(const char *text, const char *expected)
{
    struct config_words words = {.agent = span_of("bob"), .sender = span_of("{agent}")};
    struct str out = {0};

    config_fill(&out, span_of(text), &words);
    cr_assert_str_eq(str_c(&out), expected);
    str_free(&out);
}

Test(config_template, a_message_is_kept_with_its_lines)
{
    const char *text = "[template status]\nto = {agent}\nsubject = Status\nbody = Hello {agent},\n"
                       "body = how far is {subject}?\npriority = high\ntag = status\ntag = daily\n"
                       "[template other]\nfor = nudge\nbody = Well?\n";

    cr_assert(config_parse(&config, span_of(text), &err), "%s", err.text);
    cr_assert_eq(config.template_count, 2);
    const struct config_template *one = &config.templates[0];
    assert_span(one->name, "status");
    cr_assert_eq(one->line, 1);
    cr_assert_eq(one->use, CONFIG_USE_COMPOSE);
    assert_span(one->to, "{agent}");
    assert_span(one->subject, "Status");
    assert_span(one->body, "Hello {agent},\nhow far is {subject}?");
    cr_assert_eq(one->priority, PRIORITY_HIGH);
    cr_assert_eq(one->tags.count, 2);
    assert_span(one->tags.items[1], "daily");
    cr_assert_eq(config.templates[1].use, CONFIG_USE_NUDGE);
    cr_assert_eq(config.templates[1].priority, PRIORITY_NORMAL);
    cr_assert_null(config.templates[1].subject.at);
}

Test(config_template, a_handoff_is_kept_with_all_its_fields)
{
    const char *text = "[template over]\nfor = handoff\ndone = a\nstate = b\nstate = c\nnext = d\n"
                       "next = e\nblocker = f\nmodified = g\ncreated = h\nstate-file = i\n"
                       "dependency = j\nescalation = k\njob = l\nnotes = m\n";

    cr_assert(config_parse(&config, span_of(text), &err), "%s", err.text);
    const struct handoff *handoff = &config.templates[0].handoff;
    assert_span(handoff->work_completed, "a");
    assert_span(handoff->current_state, "b\nc");
    cr_assert_eq(handoff->next_steps.count, 2);
    assert_span(handoff->next_steps.items[1], "e");
    assert_span(handoff->blockers.items[0], "f");
    assert_span(handoff->files_modified.items[0], "g");
    assert_span(handoff->files_created.items[0], "h");
    assert_span(handoff->state_file, "i");
    assert_span(handoff->dependencies.items[0], "j");
    assert_span(handoff->related_escalations.items[0], "k");
    assert_span(handoff->job_id, "l");
    assert_span(handoff->notes, "m");
}

Test(config_template, placeholders_are_replaced_once_and_plainly)
{
    assert_filled("Dear {agent}, {agent}!", "Dear bob, bob!");
    assert_filled("{sender}", "{agent}");
    assert_filled("<{subject}>", "<>");
    assert_filled("{{agent} {{{agent}", "{agent} {bob");
    assert_filled("{\"a\": {}} {Agent} {agent {", "{\"a\": {}} {Agent} {agent {");
    assert_filled("", "");
}

Test(config_template, errors_say_what_to_do)
{
    refuse("[template]\nbody = x\n",
           "line 1: a section of a template needs a name of your own: [template NAME]");
    refuse("[template a]\nbdy = x\n", "line 2: a template has no key \"bdy\"; near: \"body\"");
    refuse("[template a]\nfor = supper\n",
           "line 2: for takes compose, reply, handoff, broadcast or "
           "nudge, not \"supper\"");
    refuse("[template a]\npriority = top\n",
           "line 2: priority takes low, normal, high or urgent, not \"top\"");
    refuse("[template a]\nto = x\nfor = reply\n", "line 2: a template for reply has no to");
    refuse("[template a]\ndone = x\n", "line 2: a template for compose has no done");
    refuse("[template a]\nsubject = a\nsubject = b\n",
           "line 3: subject stands here for the second time; remove one");
    refuse("[template a]\nsubject = {agnet}\n",
           "line 2: a { that means itself is written {{; no placeholder is called \"agnet\"; near: "
           "\"agent\"");
    refuse("[template a]\ntag = {agnet}\n",
           "line 2: a { that means itself is written {{; no placeholder is called \"agnet\"; near: "
           "\"agent\"");
    refuse("[template a]\nbody = {agnet}\n", "line 2: a { that means itself is written {{; no "
                                             "placeholder is called \"agnet\"; near: \"agent\"");
}

Test(config_template, a_brace_that_starts_no_placeholder_means_itself)
{
    cr_assert(config_parse(
                  &config,
                  span_of("[template a]\nsubject = {{agnet} {} {a|b} {agent\nbody = {~}\n"), &err),
              "%s", err.text);
    assert_filled("{{agnet} {} {a|b} {agent", "{agnet} {} {a|b} {agent");
    assert_filled("{other} {sender}", "{other} {agent}");
}
