/* Tests writing the ADR-003 layout: names, composing, replies, broadcasts and editing bytes. */
#include "adr_support.h"

#include "base/json/json.h"

static struct draft make_draft(void)
{
    return (struct draft){.id = span_of("MSG-0123456789ab"),
                          .from = span_of("architect"),
                          .to = span_of("dev/implementer"),
                          .subject = span_of("Say \"hi\""),
                          .body = span_of("Line 1\nLine \xc3\xa9\xf0\x9f\x98\x80\x7f"),
                          .priority = PRIORITY_HIGH,
                          .created_us = SENT_US,
                          .expires_us = LATER_US};
}

static void assert_composed(const struct draft *draft, const char *want)
{
    struct str name = {0}, bytes = {0};
    struct err err;

    cr_assert(adr_format.compose(draft, &name, &bytes, &err), "%s", err.text);
    assert_span(str_span(&name), "MSG-0123456789ab.json");
    cr_assert_str_eq(str_c(&bytes), want);
    str_free(&name);
    str_free(&bytes);
}

static const char plain[] = "{\n"
                            "  \"id\": \"MSG-0123456789ab\",\n"
                            "  \"from_agent\": \"architect\",\n"
                            "  \"to_agent\": \"dev/implementer\",\n"
                            "  \"swarm_name\": null,\n"
                            "  \"type\": \"request\",\n"
                            "  \"subject\": \"Say \\\"hi\\\"\",\n"
                            "  \"body\": \"Line 1\\nLine \\u00e9\\ud83d\\ude00\\u007f\",\n"
                            "  \"payload\": {},\n"
                            "  \"priority\": 3,\n"
                            "  \"created_at\": \"2026-01-04T00:53:21.667898\",\n"
                            "  \"expires_at\": \"2026-01-05T00:00:00\",\n"
                            "  \"status\": \"unread\",\n"
                            "  \"read_at\": null,\n"
                            "  \"completed_at\": null,\n"
                            "  \"reply_to\": null,\n"
                            "  \"thread_id\": null,\n"
                            "  \"context\": {},\n"
                            "  \"attachments\": [],\n"
                            "  \"tags\": []\n"
                            "}";

Test(adr, a_plain_message_has_the_bytes_that_python_writes)
{
    struct draft draft = make_draft();

    assert_composed(&draft, plain);
}

Test(adr, a_handoff_has_the_bytes_that_python_writes)
{
    struct draft draft = make_draft();
    struct handoff handoff = {.work_completed = span_of("Design"),
                              .current_state = span_of("Ready"),
                              .notes = span_of("n"),
                              .additional_notes = span_of("more")};

    span_list_add(&handoff.files_modified, span_of("a.c"));
    span_list_add(&handoff.files_created, span_of("b.c"));
    span_list_add(&handoff.next_steps, span_of("Go"));
    span_list_add(&draft.tags, span_of("mine"));
    draft.handoff = &handoff;
    draft.subject = span_of("Over");
    draft.swarm = span_of("dev");
    draft.payload = span_of("{\"x\":[1,{}]}");
    draft.priority = PRIORITY_NORMAL;
    draft.created_us = SENT_US - 667898;
    draft.expires_us = TIME_NONE;
    assert_composed(
        &draft,
        "{\n  \"id\": \"MSG-0123456789ab\",\n  \"from_agent\": \"architect\",\n"
        "  \"to_agent\": \"dev/implementer\",\n  \"swarm_name\": \"dev\",\n"
        "  \"type\": \"handoff\",\n  \"subject\": \"Over\",\n"
        "  \"body\": \"Work handoff from architect to dev/implementer.\\n\\n"
        "**Work Completed:** Design\\n\\n**Current State:** Ready\\n\\n**Next Steps:**\\n- Go"
        "\\n\\n**Notes:**\\nmore\",\n"
        "  \"payload\": {\n    \"x\": [\n      1,\n      {}\n    ]\n  },\n  \"priority\": 2,\n"
        "  \"created_at\": \"2026-01-04T00:53:21\",\n  \"expires_at\": null,\n"
        "  \"status\": \"unread\",\n  \"read_at\": null,\n  \"completed_at\": null,\n"
        "  \"reply_to\": null,\n  \"thread_id\": null,\n  \"context\": {\n"
        "    \"work_completed\": \"Design\",\n    \"files_modified\": [\n      \"a.c\"\n    ],\n"
        "    \"files_created\": [\n      \"b.c\"\n    ],\n    \"current_state\": \"Ready\",\n"
        "    \"state_file\": null,\n    \"next_steps\": [\n      \"Go\"\n    ],\n"
        "    \"blockers\": [],\n    \"dependencies\": [],\n    \"related_escalations\": [],\n"
        "    \"job_id\": null,\n    \"notes\": \"n\"\n  },\n"
        "  \"attachments\": [\n    \"a.c\",\n    \"b.c\"\n  ],\n"
        "  \"tags\": [\n    \"handoff\",\n    \"mine\"\n  ]\n}");
    handoff_free(&handoff);
    draft_free(&draft);
}

/* Returns false if the draft is refused; the result must be readable, a refusal needs a reason. */
static bool composes(const struct draft *draft, const char *what)
{
    struct str name = {0}, bytes = {0}, id = {0};
    struct batch batch = {0};
    struct err err = {0};
    bool ok = format_compose(&adr_format, draft, &name, &bytes, &id, &err);

    if (ok) {
        struct mail_file file = {
            .place = &place, .name = str_span(&name), .bytes = str_span(&bytes)};
        cr_assert(adr_format.parse(&file, WHOLE, &batch, &err), "%s: %s", what, err.text);
        const struct message *m = &batch.items[0];
        cr_assert_null(m->damaged, "%s: %s", what, m->damaged);
        cr_assert(span_eq(m->from, draft->from) && span_eq(m->to, draft->to), "%s", what);
        cr_assert(span_eq(m->subject, draft->subject), "%s", what);
        cr_assert(span_eq(m->data->body, draft->body), "%s", what);
        cr_assert(span_eq(m->id, str_span(&id)), "%s", what);
    } else {
        cr_assert_eq(err.scope, ERR_REFUSED, "%s", what);
        cr_assert_str_not_empty(err.text);
    }
    str_free(&name);
    str_free(&bytes);
    str_free(&id);
    batch_free(&batch);
    return ok;
}

Test(adr, drafts_that_the_layout_cannot_hold_are_refused)
{
    struct draft draft = make_draft();

    draft.type = span_of("plea");
    cr_assert_not(composes(&draft, "a type of its own"));
    draft.type = span_of("notification");
    draft.requires_response = true;
    cr_assert_not(composes(&draft, "a notification that wants a response"));
    draft.type = span_of("escalation");
    cr_assert(composes(&draft, "an escalation that wants a response"));
    draft.to = span_of("..");
    cr_assert_not(composes(&draft, "nobody to send to"));
    draft = make_draft();
    draft.from = (struct span){0};
    cr_assert_not(composes(&draft, "no sender"));
}

Test(adr, any_text_comes_back_as_it_was)
{
    static const struct span texts[] = {{"", 0},
                                        {"\0", 1},
                                        {"\"\\/\b\f\n\r\t", 8},
                                        {"\xed\xa0\x80", 3},
                                        {"\x1b[2J\x7f", 5},
                                        {"\xe2\x80\xae", 3},
                                        {"}{][,:", 6},
                                        {"\xf0\x9f\x98\x80", 4}};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct draft draft = make_draft();
        draft.subject = draft.body = texts[i];
        cr_assert(composes(&draft, "a strange text"));
    }
}

Test(adr, a_message_without_a_subject_is_refused_or_readable)
{
    struct draft draft = make_draft();

    draft.subject = (struct span){0};
    composes(&draft, "no subject");
    draft = make_draft();
    draft.body = (struct span){0};
    composes(&draft, "no body");
}

Test(adr, a_payload_at_the_limit_of_depth_is_refused_or_readable)
{
    for (size_t depth = JSON_DEPTH_MAX - 2; depth <= JSON_DEPTH_MAX; depth++) {
        struct draft draft = make_draft();
        struct str deep = {0};
        struct json value;
        struct err err;
        str_puts(&deep, "{\"x\":");
        str_pad(&deep, '[', depth - 1);
        str_pad(&deep, ']', depth - 1);
        str_puts(&deep, "}");
        cr_assert(json_scan(str_span(&deep), JSON_PYTHON, &value, &err), "%s", err.text);
        draft.payload = str_span(&deep);
        composes(&draft, "a deep payload");
        draft.payload = (struct span){0};
        draft.context = str_span(&deep);
        composes(&draft, "a deep context");
        str_free(&deep);
    }
}

Test(adr, an_agent_has_the_box_that_python_gives_it)
{
    static const char *const names[][2] = {{"architect", "architect"},
                                           {"swarm_dev/architect", "swarm_dev_architect"},
                                           {"a\\b", "a_b"},
                                           {"/", "_"},
                                           {"../x", ".._x"},
                                           {"a/../../b", "a_.._.._b"},
                                           {"...", "..."},
                                           {".hidden", ".hidden"},
                                           {"A b$'\"\n\x1b\xff", "A b$'\"\n\x1b\xff"},
                                           {"broadcast:dev", "broadcast:dev"}};
    char longest[256];

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct str box = {0};
        struct err err;
        cr_assert(adr_format.box_name(&box, span_of(names[i][0]), 0, &err), "%s", names[i][0]);
        assert_span(str_span(&box), names[i][1]);
        str_free(&box);
    }
    memset(longest, 'x', sizeof longest);
    const struct span refused[] = {{0},       {"", 0},         {".", 1},      {"..", 2},
                                   {"\0", 1}, {"bob\0eve", 7}, {longest, 256}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct str box = {0};
        struct err err = {0};
        cr_assert_not(adr_format.box_name(&box, refused[i], 0, &err), "%zu", i);
        cr_assert_eq(err.scope, ERR_REFUSED);
        cr_assert_eq(box.len, 0);
        str_free(&box);
    }
    struct str box = {0};
    struct err err;
    cr_assert(adr_format.box_name(&box, (struct span){longest, 255}, 0, &err));
    cr_assert_eq(box.len, 255);
    str_free(&box);
}

Test(adr, new_ids_have_their_shape_and_are_never_equal)
{
    enum { COUNT = 20000 };
    struct map seen = {0};
    struct arena arena = {0};
    struct str id = {0};

    for (int i = 0; i < COUNT; i++) {
        bool fresh;
        str_clear(&id);
        adr_format.new_id(&id, NULL);
        cr_assert_eq(id.len, 16);
        cr_assert(span_starts(str_span(&id), span_of("MSG-")));
        cr_assert_eq(strspn(id.at + 4, "0123456789abcdef"), 12, "%s", id.at);
        map_put(&seen, arena_copy(&arena, str_span(&id)), &fresh);
        cr_assert(fresh, "%s came twice", id.at);
    }
    str_free(&id);
    map_free(&seen);
    arena_free(&arena);
}

Test(adr, a_reply_goes_back_and_keeps_the_thread)
{
    struct batch batch = {0};
    struct arena arena = {0};
    struct draft draft = {0};

    adr_format.reply(parse_with(&batch, KEY_THREAD, "null"), &draft, &arena);
    assert_span(draft.to, "architect");
    assert_span(draft.subject, "Re: Sub\xc3\xa9");
    assert_span(draft.type, "response");
    assert_span(draft.swarm, "dev");
    assert_span(draft.reply_to, "MSG-0123456789ab");
    assert_span(draft.thread, "MSG-0123456789ab");
    cr_assert_eq(draft.priority, PRIORITY_HIGH);

    adr_format.reply(parse_with(&batch, KEY_THREAD, "\"MSG-t\""), &draft, &arena);
    assert_span(draft.thread, "MSG-t");
    adr_format.reply(parse_with(&batch, KEY_THREAD, "\"\""), &draft, &arena);
    assert_span(draft.thread, "MSG-0123456789ab");
    adr_format.reply(parse_with(&batch, KEY_SUBJECT, "\"Re: Re: x\""), &draft, &arena);
    assert_span(draft.subject, "Re: Re: Re: x");
    adr_format.reply(parse_with(&batch, KEY_SWARM, "null"), &draft, &arena);
    cr_assert_null(draft.swarm.at);
    arena_free(&arena);
    batch_free(&batch);
}

Test(adr, a_broadcast_carries_its_tags_behind_the_given_ones)
{
    struct draft draft = make_draft();
    struct arena arena = {0};

    span_list_add(&draft.tags, span_of("mine"));
    adr_format.broadcast(&draft, span_of("dev"), &arena);
    cr_assert_eq(draft.tags.count, 3);
    assert_span(draft.tags.items[0], "mine");
    assert_span(draft.tags.items[1], "broadcast");
    assert_span(draft.tags.items[2], "swarm:dev");
    assert_span(draft.type, "notification");
    assert_span(draft.swarm, "dev");
    draft_free(&draft);

    draft = make_draft();
    draft.type = span_of("request");
    adr_format.broadcast(&draft, span_of("dev"), &arena);
    assert_span(draft.type, "request");
    draft_free(&draft);
    arena_free(&arena);
}

/* Returns the text with one part replaced, which must occur once. The caller frees. */
static struct str replace(const char *text, const char *old, const char *new)
{
    const char *at = strstr(text, old);
    struct str out = {0};

    cr_assert(at && !strstr(at + 1, old), "%s", old);
    str_add(&out, text, (size_t)(at - text));
    str_puts(&out, new);
    str_puts(&out, at + strlen(old));
    return out;
}

static void assert_edited(const char *text, enum status status, const char *want)
{
    struct change change = {.status = status, .now_us = SENT_US};
    struct str out = {0};
    struct err err;

    cr_assert(adr_format.edit(span_of(text), &change, &out, &err), "%s", err.text);
    cr_assert_str_eq(str_c(&out), want);
    str_free(&out);
}

Test(adr, each_status_changes_exactly_its_keys)
{
    static const struct {
        enum status status;
        const char *key; /* the key that gets the time, or NULL */
    } steps[] = {{STATUS_READ, "read_at"},
                 {STATUS_PROCESSING, NULL},
                 {STATUS_FAILED, NULL},
                 {STATUS_COMPLETED, "completed_at"},
                 {STATUS_ARCHIVED, NULL}};

    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        struct str old = {0}, new = {0};
        str_addf(&new, "\"status\": \"%s\"", status_name(steps[i].status));
        struct str want = replace(plain, "\"status\": \"unread\"", str_c(&new));
        if (steps[i].key) {
            str_addf(&old, "\"%s\": null", steps[i].key);
            str_clear(&new);
            str_addf(&new, "\"%s\": \"2026-01-04T00:53:21.667898\"", steps[i].key);
            struct str both = replace(str_c(&want), str_c(&old), str_c(&new));
            str_free(&want);
            want = both;
        }
        assert_edited(plain, steps[i].status, str_c(&want));
        str_free(&old);
        str_free(&new);
        str_free(&want);
    }
}

Test(adr, a_time_that_is_there_already_stays)
{
    struct str failed = make_with(KEY_STATUS, "\"failed\"");
    struct str read = make_with(KEY_STATUS, "\"read\"");
    struct str archived = make_with(KEY_STATUS, "\"archived\"");

    assert_edited(str_c(&failed), STATUS_READ, str_c(&read));
    assert_edited(str_c(&failed), STATUS_ARCHIVED, str_c(&archived));
    str_free(&failed);
    str_free(&read);
    str_free(&archived);
}

Test(adr, an_edit_keeps_every_other_byte)
{
    static const char head[] =
        "\xef\xbb\xbf\r\n{\"x\":1E+02,\"id\":\"MSG-\\u0031\",\"from_agent\" :\"a\\/b\xff\",\t"
        "\"to_agent\":\"b\",\"type\":\"request\", \"subject\":\"\\ud800\",\"body\":\"\",\r\n"
        "\"priority\":2.0,\"status\":\"read\",\"created_at\":\"2026-01-04\",\"z\":[NaN,-Infinity],"
        "\"status\": ";
    static const char tail[] = " ,\"x\":12345678901234567890 , \"sta\\u0074us2\":null}\n \n";
    struct str text = {0}, want = {0};

    str_addf(&text, "%s\"unread\"%s", head, tail);
    str_addf(&want, "%s\"processing\"%s", head, tail);
    assert_edited(str_c(&text), STATUS_PROCESSING, str_c(&want));
    str_free(&text);
    str_free(&want);
}

Test(adr, a_missing_status_is_added_behind_the_last_key)
{
    struct str text = make_with(KEY_STATUS, NULL);
    struct str want = replace(str_c(&text), "\"tags\": [\"t\"]",
                              "\"tags\": [\"t\"],\n  \"status\": \"processing\"");

    assert_edited(str_c(&text), STATUS_PROCESSING, str_c(&want));
    str_free(&text);
    str_free(&want);
}

Test(adr, what_is_damaged_is_not_edited)
{
    struct change change = {.status = STATUS_READ, .now_us = SENT_US};
    struct str texts[] = {make_with(KEY_SUBJECT, NULL),   make_with(KEY_STATUS, "\"gone\""),
                          make_with(KEY_TYPE, "7"),       make_with(KEY_ID, "{"),
                          make_with(KEY_CREATED, "null"), {0}};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct str out = {0};
        struct err err = {0};
        cr_assert_not(adr_format.edit(str_span(&texts[i]), &change, &out, &err), "%zu", i);
        cr_assert_neq(err.scope, ERR_NONE);
        cr_assert_eq(out.len, 0);
        str_free(&out);
        str_free(&texts[i]);
    }
}
