/* Tests the fields of a form as JSON: typed text is read back byte for byte. */
#include "mail/message/draft.h"
#include "base/json/json.h"
#include "base/json/json_print.h"
#include "tests/unit/support.h"

#include <stdlib.h>

static struct arena arena;
static struct draft_fields back;
static struct str json;

static void sanitize_up(void)
{
    draft_fields_free(&back);
    arena_free(&arena);
    str_free(&json);
}

TestSuite(draft_fields, .fini = sanitize_up, .timeout = 60);

/* Writes the fields, checks that the text is strict JSON without double keys, reads it, and
 * overwrites it. */
static void take_round(const struct draft_fields *fields)
{
    struct json value;
    struct err err;

    str_clear(&json);
    draft_fields_write(&json, fields);
    cr_assert(json_scan(str_span(&json), JSON_STRICT, &value, &err), "%s", err.text);
    cr_assert_eq(value.kind, JSON_OBJECT);
    cr_assert_null(strchr(str_c(&json), '\n'));
    cr_assert_null(json_duplicate_key(value, &arena).at);
    cr_assert(draft_fields_read(&back, str_span(&json), &arena, &err), "%s", err.text);
    memset(json.at, 'x', json.len);
}

static bool is_same(struct span a, struct span b)
{
    return span_eq(a, b) && !a.at == !b.at;
}

static void read_text(const char *text)
{
    struct err err;

    cr_assert(draft_fields_read(&back, span_of(text), &arena, &err), "%s: %s", text, err.text);
}

Test(draft_fields, every_form_has_a_name_that_leads_back_to_it)
{
    enum form form;

    for (enum form each = FORM_COMPOSE; each < FORM_COUNT; each++) {
        cr_assert(form_parse(span_of(form_name(each)), &form));
        cr_assert_eq(form, each);
        struct draft_fields fields = draft_fields_new(each);
        take_round(&fields);
        cr_assert_eq(back.form, each);
    }
    cr_assert_not(form_parse(span_of("poem"), &form));
    cr_assert_not(form_parse(span_of(""), &form));
}

Test(draft_fields, an_empty_form_stays_empty)
{
    struct draft_fields fields = draft_fields_new(FORM_HANDOFF);

    take_round(&fields);
    cr_assert_eq(back.form, FORM_HANDOFF);
    cr_assert_eq(back.priority, PRIORITY_NORMAL);
    cr_assert_eq(back.sending_us, TIME_NONE);
    cr_assert_eq(back.quote_count, 0);
    cr_assert(!back.to.at && !back.body.at && !back.handoff.job_id.at && !back.about.id.at);
    cr_assert(!back.tags.count && !back.exclude.count && !back.handoff.next_steps.count);
    cr_assert(!back.quote && !back.requires_response && !back.create && !back.everybody);
    cr_assert_eq(back.unknown.count, 0);
}

/* Lists each text and list of the form, so that none is forgotten or mistaken for another. */
static size_t list_texts(struct draft_fields *fields, struct span **texts)
{
    struct span *all[] = {&fields->format,
                          &fields->root,
                          &fields->from,
                          &fields->to,
                          &fields->team,
                          &fields->subject,
                          &fields->body,
                          &fields->type,
                          &fields->expires,
                          &fields->payload,
                          &fields->thread,
                          &fields->reply_to,
                          &fields->about.format,
                          &fields->about.root,
                          &fields->about.team,
                          &fields->about.box,
                          &fields->about.id,
                          &fields->handoff.work_completed,
                          &fields->handoff.current_state,
                          &fields->handoff.state_file,
                          &fields->handoff.job_id,
                          &fields->handoff.notes,
                          &fields->order.reason,
                          &fields->order.mode,
                          &fields->order.task,
                          &fields->order.tool,
                          &fields->order.behavior,
                          &fields->order.directory,
                          &fields->order.level,
                          &fields->order.id,
                          &fields->order.confirm};

    memcpy(texts, all, sizeof all);
    return sizeof all / sizeof *all;
}

static size_t list_lists(struct draft_fields *fields, struct span_list **lists)
{
    struct span_list *all[] = {&fields->exclude,
                               &fields->tags,
                               &fields->attachments,
                               &fields->handoff.files_modified,
                               &fields->handoff.files_created,
                               &fields->handoff.next_steps,
                               &fields->handoff.blockers,
                               &fields->handoff.dependencies,
                               &fields->handoff.related_escalations,
                               &fields->order.rules};

    memcpy(lists, all, sizeof all);
    return sizeof all / sizeof *all;
}

enum { PARTS = 40 };

static const struct span odd[] = {
    {"", 0},
    {"plain", 5},
    {"two\nlines\r\n\ttab \\ \" / \b\f", 23},
    {"\0in\0side\0", 10},
    {"\x1b[2J \x7f \xc2\x9b", 10},
    {"caf\xc3\xa9 \xf0\x9f\x98\x80 \xe2\x80\xae", 14},
    {"not UTF-8: \xff\xfe\x80", 14},
    {"\xed\xa0\xbd\xed\xb8\x80 surrogates", 17},
    {"\xed\xa0\x80", 3},
    {"\xc3", 1},
    {"{\"hex\":\"00\"}", 12},
    {"\\u0041", 6},
};
enum { ODD = sizeof odd / sizeof *odd };

Test(draft_fields, every_text_and_list_comes_back_byte_for_byte)
{
    struct draft_fields fields = draft_fields_new(FORM_REPLY);
    struct span *texts[PARTS], *texts_back[PARTS];
    struct span_list *lists[PARTS], *lists_back[PARTS];
    size_t text_count = list_texts(&fields, texts), list_count = list_lists(&fields, lists);

    list_texts(&back, texts_back);
    list_lists(&back, lists_back);
    for (size_t i = 0; i < list_count; i++)
        for (size_t k = 0; k <= i; k++)
            span_list_add(lists[i], odd[(i + k) % ODD]);
    for (size_t turn = 0; turn < ODD; turn++) {
        for (size_t i = 0; i < text_count; i++)
            *texts[i] = odd[(i + turn) % ODD];
        take_round(&fields);
        for (size_t i = 0; i < text_count; i++)
            cr_assert(is_same(*texts_back[i], *texts[i]), "text %zu in turn %zu", i, turn);
    }
    for (size_t i = 0; i < list_count; i++) {
        cr_assert_eq(lists_back[i]->count, lists[i]->count, "list %zu", i);
        for (size_t k = 0; k < lists[i]->count; k++)
            cr_assert(is_same(lists_back[i]->items[k], lists[i]->items[k]), "%zu of list %zu", k,
                      i);
    }
    draft_fields_free(&fields);
}

Test(draft_fields, absent_is_not_empty)
{
    struct draft_fields fields = draft_fields_new(FORM_HANDOFF);

    fields.handoff.state_file = span_of("");
    take_round(&fields);
    cr_assert(back.handoff.state_file.at && !back.handoff.state_file.len);
    cr_assert_null(back.handoff.job_id.at);
}

Test(draft_fields, numbers_flags_and_priorities_come_back)
{
    static const int64_t numbers[] = {0, 1, -1, 3, INT64_MAX, INT64_MIN + 1, 1767484401000001};
    struct draft_fields fields = draft_fields_new(FORM_COMPOSE);

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        fields.quote_count = fields.sending_us = numbers[i];
        fields.quote = i & 1;
        fields.create = i & 2;
        fields.everybody = fields.archive = i & 4;
        fields.requires_response = !(i & 1);
        fields.priority = (enum priority)(PRIORITY_LOW + i % 4);
        take_round(&fields);
        cr_assert_eq(back.quote_count, numbers[i]);
        cr_assert_eq(back.sending_us, numbers[i]);
        cr_assert_eq(back.quote, fields.quote);
        cr_assert_eq(back.create, fields.create);
        cr_assert_eq(back.everybody, fields.everybody);
        cr_assert_eq(back.archive, fields.archive);
        cr_assert_eq(back.requires_response, fields.requires_response);
        cr_assert_eq(back.priority, fields.priority);
    }
}

Test(draft_fields, a_text_of_megabytes_comes_back)
{
    struct draft_fields fields = draft_fields_new(FORM_COMPOSE);
    struct str body = {0};

    while (body.len < 3000000)
        str_puts(&body, "a line with \"quotes\", \xe4\xbd\xa0\xe5\xa5\xbd and \\\n");
    fields.body = str_span(&body);
    take_round(&fields);
    cr_assert(span_eq(back.body, fields.body));
    str_free(&body);
}

Test(draft_fields, any_bytes_at_all_come_back)
{
    struct draft_fields fields = draft_fields_new(FORM_COMPOSE);
    char bytes[64];
    unsigned seed = 7;

    for (int round = 0; round < 20000; round++) {
        size_t len = (size_t)rand_r(&seed) % sizeof bytes;
        for (size_t i = 0; i < len; i++)
            bytes[i] = (char)(rand_r(&seed) >> 4);
        fields.to = (struct span){bytes, len};
        take_round(&fields);
        cr_assert(span_eq(back.to, fields.to), "round %d", round);
        arena_free(&arena);
    }
}

Test(draft_fields, what_a_newer_program_wrote_is_carried_along)
{
    struct err err;

    read_text("{\"to\":\"bob\", \"mood\" : {\"is\":[1, \"\\u0041\"]} ,\"later\":null,"
              "\"subject\":\"s\"}");
    assert_span(back.to, "bob");
    cr_assert_eq(back.unknown.count, 2);
    str_clear(&json);
    draft_fields_write(&json, &back);
    cr_assert(strstr(str_c(&json), "\"mood\" : {\"is\":[1, \"\\u0041\"]}"), "%s", str_c(&json));
    cr_assert(strstr(str_c(&json), "\"later\":null"), "%s", str_c(&json));
    struct draft_fields again = {0};
    cr_assert(draft_fields_read(&again, str_span(&json), &arena, &err), "%s", err.text);
    cr_assert_eq(again.unknown.count, 2);
    assert_span(again.subject, "s");
    draft_fields_free(&again);
}

Test(draft_fields, what_is_of_another_kind_is_as_if_it_were_missing)
{
    read_text("{\"to\":5,\"body\":[\"x\"],\"tags\":\"x\",\"quote\":1,\"quote_count\":\"3\","
              "\"sending_us\":1.5,\"form\":\"poem\",\"priority\":{},\"team\":null,"
              "\"exclude\":[\"a\",5,null,[\"b\"],\"c\"],\"from\":{\"hex\":\"0\"},"
              "\"subject\":{\"hex\":\"zz\"},\"type\":{\"hex\":5},\"thread\":{}}");
    cr_assert(!back.to.at && !back.body.at && !back.team.at && !back.from.at);
    cr_assert(!back.subject.at && !back.type.at && !back.thread.at);
    cr_assert_eq(back.tags.count, 0);
    cr_assert_not(back.quote);
    cr_assert_eq(back.quote_count, 0);
    cr_assert_eq(back.sending_us, TIME_NONE);
    cr_assert_eq(back.form, FORM_COMPOSE);
    cr_assert_eq(back.priority, PRIORITY_NORMAL);
    cr_assert_eq(back.exclude.count, 2);
    assert_span(back.exclude.items[1], "c");
}

Test(draft_fields, of_equal_keys_the_last_counts)
{
    read_text("{\"to\":\"bob\",\"tags\":[\"a\",\"b\"],\"to\":\"ann\",\"tags\":[\"c\"]}");
    assert_span(back.to, "ann");
    cr_assert_eq(back.tags.count, 1);
    assert_span(back.tags.items[0], "c");
}

Test(draft_fields, what_is_no_object_is_refused)
{
    static const char *const texts[] = {
        "", "5", "[]", "[\"to\"]", "{", "{\"to\":\"bob\"", "{\"to\" \"bob\"}", "{} {}", "{\"a\":}",
    };
    struct err err;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        err = (struct err){0};
        cr_assert_not(draft_fields_read(&back, span_of(texts[i]), &arena, &err), "%s", texts[i]);
        cr_assert(err.text[0]);
    }
}

Test(draft_fields, the_message_it_is_about_is_noted_wherever_it_lies_in_its_box)
{
    struct place inbox = {.root = "/srv/mail", .team = {"t", 1}, .box = {"b", 1}, .dir = {"in", 2}};
    struct message message = {.id = {"1", 1}, .file = {"f", 1}, .place = &inbox};
    struct draft_fields fields = draft_fields_new(FORM_REPLY);

    draft_fields_set_about(&fields, "adr", &message);
    take_round(&fields);
    assert_span(back.about.format, "adr");
    assert_span(back.about.root, "/srv/mail");
    assert_span(back.about.team, "t");
    assert_span(back.about.box, "b");
    assert_span(back.about.id, "1");
}
