/* Tests reading the Roo layout: heads, subjects, several messages in a file, and damage. */
#include "roo_support.h"

#include <fcntl.h>
#include <unistd.h>

/* Not in UTC: no time of the layout is local. */
TestSuite(roo, .init = use_zone_east);

/* A head with the required fields; more may follow. */
#define HEAD "---\nfrom: a\ntimestamp: \"2025-07-07T11:15:00Z\"\nid: \"m1\"\n"

Test(roo, every_field_is_read)
{
    struct batch batch = {0};
    const struct message *m =
        parse(&batch, "---\nfrom: nestjs-developer\ntimestamp: \"2025-07-07T11:15:00Z\"\n"
                      "id: \"msg-a4b1c9e0\"\nin_reply_to: 'msg-0'\npriority: High\nb: \"x\\ny\"\n"
                      "a:\n---\n\n**Request: Integration Test**\n\nPlease.\n");

    cr_assert_null(m->damaged, "%s", m->damaged);
    cr_assert_eq(m->flags, 0);
    cr_assert_eq(m->place, &place);
    assert_span(m->file, "to-tester.md");
    assert_span(m->id, "msg-a4b1c9e0");
    assert_span(m->from, "nestjs-developer");
    assert_span(m->to, "tester");
    assert_span(m->type, "message");
    assert_span(m->subject, "Integration Test");
    assert_span(m->reply_to, "msg-0");
    cr_assert_null(m->thread.at);
    cr_assert_eq(m->priority, PRIORITY_HIGH);
    cr_assert_eq(m->status, STATUS_UNREAD);
    cr_assert_eq(m->created_us, SENT_US);
    cr_assert_eq(m->expires_us, TIME_NONE);
    cr_assert(m->raw_at == 0 && m->raw_len == 0 && !m->requires_response);
    assert_span(m->data->body, "\n**Request: Integration Test**\n\nPlease.\n");
    assert_span(m->data->payload, "{\"b\":\"x\\ny\",\"a\":null}");
    cr_assert_eq(m->data->read_us, TIME_NONE);
    cr_assert_eq(m->data->completed_us, TIME_NONE);
    batch_free(&batch);
}

Test(roo, only_what_was_asked_for_is_kept)
{
    struct batch batch = {0};

    cr_assert(try_parse(&batch, span_of(HEAD "x: y\n---\nb"), WANT_HEAD));
    cr_assert_null(batch.items[0].data);
    cr_assert(try_parse(&batch, span_of(HEAD "x: y\n---\nb"), WANT_DATA));
    assert_span(batch.items[1].data->payload, "{\"x\":\"y\"}");
    cr_assert_null(batch.items[1].data->body.at);
    assert_span(parse(&batch, HEAD "---\nb")->data->body, "b");
    cr_assert_null(batch.items[2].data->payload.at);
    batch_free(&batch);
}

Test(roo, heads_are_taken_as_the_usual_reader_takes_them)
{
    static const struct {
        const char *text;
        const char *damaged; /* a part of the reason, or NULL */
        unsigned flags;
        const char *body;
    } cases[] = {
        {"\xef\xbb\xbf" HEAD "---\nx", NULL, 0, "x"},
        {"\n" HEAD "---\nx", "no front matter", MESSAGE_NO_TIME, "\n" HEAD "---\nx"},
        {"-" HEAD "---\nx", "no front matter", MESSAGE_NO_TIME, "-" HEAD "---\nx"},
        {"---\r\nfrom: a\r\ntimestamp: 2025-07-07T11:15:00Z\r\nid: m1\r\n---\r\nx\r\n", NULL, 0,
         "x\r\n"},
        {HEAD "---- x", NULL, 0, "- x"},
        {HEAD "------\nx", NULL, 0, "---\nx"},
        {HEAD "------\nfrom: b\ntimestamp: c\nid: m2\n---\ny", NULL, 0,
         "---\nfrom: b\ntimestamp: c\nid: m2\n---\ny"},
        {HEAD "---\nx\n---\nfrom: b\n---\ny", NULL, 0, "x\n---\nfrom: b\n---\ny"},
        {"---\nfrom: @x\ntimestamp: \"2025-07-07T11:15:00Z\"\nid: m1\n---\nx",
         "line 2: ", MESSAGE_IRREGULAR | MESSAGE_NO_TIME, "x"},
        {"---\nfrom: a\ntimestamp: \"2025-07-07T11:15:00Z\"\nid: a: b\n---\nx",
         "line 4: ", MESSAGE_IRREGULAR, "x"},
        {"---\nfrom: a\ntimestamp: 2025-07-07\nid:\n---\nx", "\"id\" is missing", 0, "x"},
        {"---\nfrom: a\ntimestamp: 2025-07-07\nid: ~\n---\nx", "\"id\" is missing", 0, "x"},
        {"---\nfrom: null\ntimestamp: 2025-07-07\nid: 1\n---\nx", "\"from\" is missing", 0, "x"},
        {"---\nfrom: a\nid: 1\n---\nx", "\"timestamp\" is missing", MESSAGE_NO_TIME, "x"},
        {"---\nfrom: a\ntimestamp: soon\nid: 1\n---\nx", NULL, MESSAGE_NO_TIME, "x"},
        {"---\nfrom: [a]\ntimestamp: 2025-07-07\nid: 1\n---\nx", "\"from\" is missing",
         MESSAGE_IRREGULAR, "x"},
        {HEAD "id: m2\n---\nx", NULL, MESSAGE_IRREGULAR | MESSAGE_EQUAL_KEYS, "x"},
        {HEAD "x: [y]\n---\nx", NULL, MESSAGE_IRREGULAR, "x"},
        {HEAD "---\nx\xff", NULL, MESSAGE_NOT_UTF8, "x\xff"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct batch batch = {0};
        const struct message *m = parse(&batch, cases[i].text);
        cr_assert_eq(batch.count, 1, "%s", cases[i].text);
        cr_assert_eq(m->damaged != NULL, cases[i].damaged != NULL, "%s", cases[i].text);
        if (m->damaged)
            cr_assert(strstr(m->damaged, cases[i].damaged), "%s: %s", cases[i].text, m->damaged);
        cr_assert_eq(m->flags, cases[i].flags, "%s: flags %x", cases[i].text, m->flags);
        cr_assert_eq(m->created_us == WRITTEN_US, (m->flags & MESSAGE_NO_TIME) != 0);
        assert_span(m->data->body, cases[i].body);
        batch_free(&batch);
    }
}

Test(roo, what_may_be_half_written_adds_nothing)
{
    static const char *const texts[] = {"",      "\xef\xbb\xbf", "-",  "--",      "---",
                                        "---\n", "---\nfrom: a", HEAD, HEAD "--", "---js\nx"};
    struct batch batch = {0};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        cr_assert_not(try_parse(&batch, span_of(texts[i]), WHOLE), "%s", texts[i]);
    cr_assert(try_parse(&batch, span_of("-x"), WHOLE));
    cr_assert(try_parse(&batch, span_of("\n"), WHOLE));
    batch_free(&batch);
}

Test(roo, heads_in_other_languages_are_never_interpreted)
{
    static const struct {
        const char *language;
        bool read;
        unsigned flags;
    } cases[] = {{"yaml", true, 0},
                 {" YML", true, 0},
                 {"json", true, MESSAGE_IRREGULAR},
                 {"js", false, MESSAGE_IRREGULAR | MESSAGE_DANGEROUS | MESSAGE_NO_TIME},
                 {" JavaScript ", false, MESSAGE_IRREGULAR | MESSAGE_DANGEROUS | MESSAGE_NO_TIME},
                 {"coffee", false, MESSAGE_IRREGULAR | MESSAGE_DANGEROUS | MESSAGE_NO_TIME},
                 {"coffeescript", false, MESSAGE_IRREGULAR | MESSAGE_DANGEROUS | MESSAGE_NO_TIME},
                 {"toml", false, MESSAGE_IRREGULAR | MESSAGE_NO_TIME},
                 {" # note", false, MESSAGE_IRREGULAR | MESSAGE_NO_TIME}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct batch batch = {0};
        struct str text = {0};
        str_addf(&text, "---%s%s---\nBody", cases[i].language, &HEAD[3]);
        const struct message *m = parse(&batch, str_c(&text));
        cr_assert_eq(m->flags, cases[i].flags, "%s: %x", cases[i].language, m->flags);
        cr_assert_eq(m->damaged == NULL, cases[i].read, "%s", cases[i].language);
        cr_assert_eq(m->from.at != NULL, cases[i].read, "%s", cases[i].language);
        assert_span(m->id, cases[i].read ? "m1" : "to-tester");
        assert_span(m->subject, "Body");
        str_free(&text);
        batch_free(&batch);
    }
}

Test(roo, of_equal_keys_the_last_one_counts)
{
    struct batch batch = {0};

    assert_span(parse(&batch, HEAD "from: b\n---\nx")->from, "b");
    batch_free(&batch);
}

Test(roo, what_is_no_simple_text_is_in_the_payload_as_it_stands)
{
    struct batch batch = {0};
    const struct message *m = parse(&batch, HEAD "x: [y,  \"z\"]\npriority: {a: b}\nw: v\n---\nx");

    assert_span(m->data->payload,
                "{\"x\":\"[y,  \\\"z\\\"]\",\"priority\":\"{a: b}\",\"w\":\"v\"}");
    cr_assert_eq(m->priority, PRIORITY_NORMAL);
    batch_free(&batch);
}

Test(roo, times_are_in_utc_unless_they_name_a_zone)
{
    static const struct {
        const char *text;
        int64_t time_us;
    } cases[] = {
        {"\"2025-07-07T11:15:00Z\"", SENT_US},  {"2025-07-07T11:15:00.000Z", SENT_US},
        {"2025-07-07T13:15:00+02:00", SENT_US}, {"'2025-07-07 11:15:00'", SENT_US},
        {"2025-07-07T11:15", SENT_US},          {"2025-07-07", SENT_US - INT64_C(40500000000)}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct batch batch = {0};
        struct str text = {0};
        str_addf(&text, "---\nfrom: a\nid: 1\ntimestamp: %s\n---\n", cases[i].text);
        const struct message *m = parse(&batch, str_c(&text));
        cr_assert_eq(m->created_us, cases[i].time_us, "%s", cases[i].text);
        cr_assert_eq(m->flags, 0, "%s", cases[i].text);
        str_free(&text);
        batch_free(&batch);
    }
}

Test(roo, the_subject_is_the_first_line_that_says_something)
{
    static const struct {
        const char *body, *subject;
    } cases[] = {{"**Request: Integration Test**\n\nPlease", "Integration Test"},
                 {"\n\r\n  \n## Deploy now\nx", "Deploy now"},
                 {"**Request:** do it", "do it"},
                 {"Please run\r\n", "Please run"},
                 {"# *Note*: x", "Note*: x"},
                 {"***\nafter a rule", "after a rule"},
                 {"Request:\nmore", "Request:"},
                 {"Note: #", "Note: #"},
                 {"two words: x", "two words: x"},
                 {"http://host/", "http://host/"},
                 {"Re: Integration Test", "Re: Integration Test"},
                 {"12: x", "12: x"},
                 {"C# and *more", "C# and *more"},
                 {"", ""},
                 {"\n\n", ""},
                 {"****", ""}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_span(roo_subject(span_of(cases[i].body)), cases[i].subject);
    }
    struct span odd = {"Request:\0x", 10};
    cr_assert(span_eq(roo_subject(odd), odd), "it is no label with a text behind it");
}

Test(roo, messages_that_share_a_file_are_told_apart)
{
    static const char first[] = HEAD "---\n\nfirst\n\n---\nnot: a head\n---\n";
    static const char second[] =
        "---\r\nid: m2\r\nfrom: b\r\ntimestamp: 2025-07-09\r\n---\r\nsecond\n";
    static const char third[] = "---\nid: m3\nfrom: c\ntimestamp: soon\npriority: high\n---";
    struct batch batch = {0};
    struct str text = {0};

    str_addf(&text, "%s%s%s", first, second, third);
    parse(&batch, str_c(&text));
    cr_assert_eq(batch.count, 3);
    const struct message *m = batch.items;
    assert_span(m[0].id, "m1");
    assert_span(m[1].id, "m2");
    assert_span(m[2].id, "m3");
    assert_span(m[0].data->body, "\nfirst\n\n---\nnot: a head\n---\n");
    assert_span(m[1].data->body, "second\n");
    assert_span(m[2].data->body, "");
    cr_assert_eq(m[0].flags, MESSAGE_SHARED);
    cr_assert_eq(m[1].flags, MESSAGE_SHARED);
    cr_assert_eq(m[2].flags, MESSAGE_SHARED | MESSAGE_NO_TIME);
    cr_assert_eq(m[2].priority, PRIORITY_HIGH);
    cr_assert(m[0].raw_at == 0 && m[0].raw_len == strlen(first));
    cr_assert(m[1].raw_at == strlen(first) && m[1].raw_len == strlen(second));
    cr_assert(m[2].raw_at == strlen(first) + strlen(second) && m[2].raw_len == strlen(third));
    str_free(&text);
    batch_free(&batch);
}

Test(roo, a_block_in_the_text_is_a_message_only_with_all_three_fields)
{
    static const char *const bodies[] = {
        "---\nfrom: b\nid: m2\n---\n",
        "---\nfrom: b\ntimestamp:\nid: m2\n---\n",
        "---\nfrom: b\ntimestamp: 2025-07-09\nid: m2\n",
        "----\nfrom: b\ntimestamp: 2025-07-09\nid: m2\n---\n",
        "------\nfrom: b\ntimestamp: 2025-07-09\nid: m2\n---\n",
        " ---\nfrom: b\ntimestamp: 2025-07-09\nid: m2\n---\n",
        "---js\nfrom: b\ntimestamp: 2025-07-09\nid: m2\n---\n",
        "---\nfrom: b\ntimestamp: 2025-07-09\nid: m2: x\n---\n",
        "---\nfrom: b\ntimestamp: [2025-07-09]\nid: m2\n---\n",
    };

    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        struct batch batch = {0};
        struct str text = {0};
        str_addf(&text, "%s---\nfirst\n%s", HEAD, bodies[i]);
        cr_assert_eq(parse(&batch, str_c(&text))->flags, 0, "%s", bodies[i]);
        cr_assert_eq(batch.count, 1, "%s", bodies[i]);
        str_free(&text);
        batch_free(&batch);
    }
}

Test(roo, a_file_of_countless_heads_is_cut_off)
{
    struct batch batch = {0};
    struct str text = {0};

    for (int i = 0; i < 10100; i++)
        str_puts(&text, HEAD "---\n");
    cr_assert(try_parse(&batch, str_span(&text), WANT_HEAD));
    cr_assert_eq(batch.count, 10001);
    const struct message *last = &batch.items[10000];
    cr_assert_eq(last->raw_at + last->raw_len, text.len);
    str_free(&text);
    batch_free(&batch);
}

Test(roo, the_recipient_is_the_slug_before_the_first_dot)
{
    static const struct place beside = {.box = {"tester.msg-1", 12}};
    struct mail_file file = {
        .place = &beside, .name = span_of("to-tester.msg-1.md"), .bytes = span_of("x")};
    struct batch batch = {0};
    struct err err;

    cr_assert(roo_format.parse(&file, WANT_HEAD, &batch, &err));
    assert_span(batch.items[0].to, "tester");
    assert_span(batch.items[0].id, "to-tester.msg-1");
    batch_free(&batch);
}

/* A file of another program and the expected message. */
struct expected {
    const char *name;
    const char *damaged; /* a part of the reason; "" if it is sound, NULL if nothing can be read */
    unsigned flags;
    const char *from, *id;
};

static void assert_expected(const char *directory, const struct expected *e)
{
    char path[1024];
    struct batch batch = {0};

    if (!shared_path(path, sizeof path, directory))
        return;
    struct tmp dir = {.fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    struct str text = tmp_read(&dir, e->name);
    bool ok = try_parse(&batch, str_span(&text), WHOLE);

    cr_assert_eq(ok, e->damaged != NULL, "%s", e->name);
    if (ok) {
        const struct message *m = &batch.items[0];
        cr_assert_eq(m->damaged != NULL, e->damaged[0] != '\0', "%s: %s", e->name, m->damaged);
        if (m->damaged)
            cr_assert(strstr(m->damaged, e->damaged), "%s: %s", e->name, m->damaged);
        cr_assert_eq(m->flags, e->flags, "%s: flags %x", e->name, m->flags);
        cr_assert_eq(m->from.at != NULL, e->from != NULL, "%s", e->name);
        if (e->from)
            assert_span(m->from, e->from);
        assert_span(m->id, e->id);
    }
    str_free(&text);
    batch_free(&batch);
    close(dir.fd);
}

Test(roo, each_hostile_file_has_its_outcome)
{
    enum { I = MESSAGE_IRREGULAR, T = MESSAGE_NO_TIME, K = MESSAGE_EQUAL_KEYS };
    static const struct expected files[] = {
        {"to-anchor-only.md", "\"timestamp\" is missing", I | T, "worker-a", "to-tester"},
        {"to-billion-laughs.md", "", I, "worker-a", "msg-1"},
        {"to-binary-tag.md", "", I, "worker-a", "msg-1"},
        {"to-body-dashes.md", "", 0, "worker-a", "msg-1"},
        {"to-bom.md", "", 0, "worker-a", "msg-1"},
        {"to-comment-hide.md", "\"timestamp\" is missing", T, "worker-a", "x"},
        {"to-cr-only.md", NULL, 0, NULL, NULL},
        {"to-crlf.md", "", 0, "worker-a", "msg-1"},
        {"to-deep-flow.md", "nested deeper", I | T, NULL, "to-tester"},
        {"to-docs.md", "", 0, "worker-a", "msg-1"},
        {"to-dup-from.md", "", I | K, "team-lead", "msg-1"},
        {"to-empty.md", NULL, 0, NULL, NULL},
        {"to-flow.md", "", I | T, "worker-a", "x"},
        {"to-half-written.md", NULL, 0, NULL, NULL},
        {"to-js-tag.md", "\"from\" is missing", I | T, NULL, "1"},
        {"to-keys-5000.md", "1000 keys", I | T, NULL, "to-tester"},
        {"to-long-key.md", "64 KiB", I | T, NULL, "to-tester"},
        {"to-merge-keys.md", "", I, "worker-a", "msg-1"},
        {"to-multiline.md", "\"timestamp\" is missing", T, "worker-a\nteam-lead\n", "a b"},
        {"to-no-frontmatter.md", "no front matter", T, NULL, "to-tester"},
        {"to-norway.md", "", 0, "no", "012"},
        {"to-null-bytes.md", "line 2: ", I | T, NULL, "to-tester"},
        {"to-only-dashes.md", "\"from\" is missing", T, NULL, "to-tester"},
        {"to-path-id.md", "", T, "../../x", "../../etc/passwd"},
        {"to-priority-odd.md", "", MESSAGE_ODD_VALUE, "worker-a", "msg-1"},
        {"to-prototype.md", "", I, "worker-a", "msg-1"},
        {"to-python-tag.md", "", I, "worker-a", "msg-1"},
        {"to-quoted-newline.md", "\"timestamp\" is missing", T, "worker-a\nfrom: team-lead",
         "a\x1b[2J"},
        {"to-tabs.md", "line 3: ", I | T, NULL, "to-tester"},
        {"to-unclosed-quote.md", "line ", I | T, NULL, "to-tester"},
        {"to-unclosed.md", NULL, 0, NULL, NULL},
    };
    char path[1024];

    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        assert_expected("corpus/roo", &files[i]);
    if (!shared_path(path, sizeof path, "corpus/roo"))
        return;
    struct tmp dir = {.fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    cr_assert_eq(tmp_count(&dir, "."), (int)(sizeof files / sizeof *files), "a file is not listed");
}

Test(roo, the_sample_mailbox_is_read)
{
    static const struct expected files[] = {
        {"to-architect.md", "", 0, "orchestrator", "12345678"},
        {"to-memory-curator.md", NULL, 0, NULL, NULL},
        {"to-nuxt-developer.md", "", MESSAGE_SHARED, "a", "m1"},
        {"to-tester.md", "", 0, "nestjs-developer", "msg-a4b1c9e0"},
    };

    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        assert_expected("samples/roo/.roo/mailbox", &files[i]);
}
