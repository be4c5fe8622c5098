/* Tests the approval check: no bytes break it, and what passes is what was read. */
#include "approval_check_support.h"
#include "tests/unit/draw.h"

#include "base/text/sanitize.h"

#include <stdio.h>

enum { ROUNDS = 20000, DEEP = 100000 };

/* Puts random bytes, or pieces that mean something in JSON, into the text. */
static void spoil(struct str *text)
{
    static const char *const pieces[] = {
        "\"",   "\\",           "{",  "}",    "[",   "]", ":",  ",", "\\u0000", "\\ud800", "\\u202",
        "\xff", "\xe2\x80\xae", "\\", "null", "1e9", " ", "\n",
    };
    uint32_t times = 1 + draw(3);

    while (times--) {
        size_t at = draw((uint32_t)text->len);
        const char *piece = pieces[draw(sizeof pieces / sizeof *pieces)];
        if (draw(2)) {
            text->at[at] = (char)draw(256);
        } else {
            struct str longer = {0};
            str_add(&longer, text->at, at);
            str_puts(&longer, piece);
            str_add(&longer, text->at + at, text->len - at);
            str_free(text);
            *text = longer;
        }
    }
}

/* Every sentence is one line that a terminal can show as it is. */
static void check(const struct message *message, struct span raw)
{
    struct str why = {0}, clean = {0};
    bool refused = approval_refuses(&why, message, raw);

    cr_assert_eq(refused, why.len > 0, "%.*s", (int)raw.len, raw.at);
    sanitize_add(&clean, str_span(&why), SANITIZE_LINE | SANITIZE_ASCII);
    cr_assert(span_eq(str_span(&why), str_span(&clean)), "%s", str_c(&why));
    str_free(&why);
    str_free(&clean);
}

Test(approval_property, spoilt_requests_are_refused_or_sound_and_nothing_breaks)
{
    static const char *const requests[] = {PERMISSION, HOST, PLAN, SHUTDOWN};
    unsigned read = 0;

    for (unsigned round = 0; round < (unsigned)usual_rounds(ROUNDS); round++) {
        struct batch batch = {0};
        struct str text = {0}, entry = {0}, box = {0};
        struct err err;
        str_puts(&text, requests[round % 4]);
        if (draw(2))
            spoil(&text);
        add_entry(&entry, str_span(&text), "w");
        if (draw(2))
            spoil(&entry);
        str_puts(&box, "[");
        str_add_span(&box, str_span(&entry));
        str_puts(&box, "]");
        struct mail_file file = {
            .place = &web, .name = span_of("team-lead.json"), .bytes = str_span(&box)};
        bool ok = claude_format.parse(&file, WANT_DATA | WANT_BODY | WANT_SALVAGE, &batch, &err);
        for (size_t i = 0; ok && i < batch.count; i++) {
            struct message *message = &batch.items[i];
            struct span raw = {box.at + message->raw_at, message->raw_len};
            message_classify(message);
            check(message, message->raw_len ? raw : str_span(&box));
            read++;
        }
        /* and bytes unrelated to the message */
        if (batch.count)
            check(&batch.items[0], str_span(&text));
        batch_free(&batch);
        str_free(&text);
        str_free(&entry);
        str_free(&box);
    }
    cr_assert_gt(read, (unsigned)usual_rounds(ROUNDS) / 2);
}

Test(approval_property, text_that_is_nested_without_end_is_refused)
{
    struct message_data data = {.body_is_payload = true};
    struct message message = {
        .from = span_of("w"), .place = &web, .data = &data, .requires_response = true};
    struct str deep = {0}, entry = {0}, text = {0};

    str_pad(&deep, '[', DEEP);
    str_pad(&deep, ']', DEEP);
    text = replaced(PERMISSION, "{\"command\":\"ls\",\"timeout\":12345678901234567890}", "@");
    struct str whole = replaced(str_c(&text), "@", str_c(&deep));
    data.body = data.protocol = str_span(&whole);
    add_entry(&entry, data.body, "w");
    expect_why(&message, str_span(&entry), "the request cannot be read");
    expect_why(&message, str_span(&deep), "the entry in the inbox is no JSON object");
    data.protocol = (struct span){0};
    str_clear(&entry);
    str_puts(&entry, "{\"a\":");
    str_add_span(&entry, str_span(&deep));
    str_puts(&entry, "}");
    expect_why(&message, str_span(&entry), "its JSON cannot be read");
    str_free(&deep);
    str_free(&entry);
    str_free(&text);
    str_free(&whole);
}
