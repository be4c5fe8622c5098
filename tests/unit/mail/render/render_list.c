/* Tests rendering lists: a line for each message, in aligned columns. */
#include "render_support.h"

#include "base/text/sanitize.h"

/* Returns the list of these messages. The caller frees. */
static struct str list_of(struct message *const *messages, size_t count, size_t columns,
                          unsigned clean)
{
    struct render_list list = {.messages = messages, .count = count, .columns = columns};
    struct render_options to = {.clean = clean, .now_us = style.now_us};
    struct str out = {0};

    render_list(&out, &list, &to);
    return out;
}

/* Removes the next line from `rest` and returns the number of columns before the word in it. */
static size_t columns_before(struct span *rest, const char *word)
{
    struct span line = span_first_line(*rest);
    const char *at = memmem(line.at, line.len, word, strlen(word));
    struct str scratch = {0};

    cr_assert_not_null(at, "%s in %.*s", word, (int)line.len, line.at);
    size_t columns = sanitize_add(&scratch, (struct span){line.at, (size_t)(at - line.at)}, 0);
    rest->at += line.len + 1;
    rest->len -= line.len + 1;
    str_free(&scratch);
    return columns;
}

Test(render, a_list_gives_each_message_its_line)
{
    struct message_data data = make_data();
    struct message message = make(&data), *list[] = {&message};
    struct str out = list_of(list, 1, 0, 0);

    assert_span(str_span(&out), "MSG-0123456789ab   3h swarm_dev/architect implementer normal "
                                "unread     request Plain\n");
    str_free(&out);
    message.data = NULL;
    message.created_us = TIME_NONE;
    message.to = (struct span){0};
    message.flags = MESSAGE_ZONED_TIME;
    message.status = STATUS_PROCESSING;
    message.priority = PRIORITY_URGENT;
    out = list_of(list, 1, 0, 0);
    assert_span(str_span(&out), "MSG-0123456789ab      swarm_dev/architect implementer urgent "
                                "processing request [!] Plain\n");
    str_free(&out);
    out = list_of(list, 0, 80, 0);
    cr_assert_eq(out.len, 0);
}

/* Wider than any column. */
#define NICHI "\xe6\x97\xa5\xe6\x97\xa5\xe6\x97\xa5\xe6\x97\xa5"

Test(render, a_list_keeps_its_columns_whatever_the_names_are)
{
    static const char *const names[] = {
        "a",
        "",
        "\xe6\x97\xa5\xe6\x9c\xac",
        "e\xcc\x81 \xf0\x9f\x98\x80",
        NICHI NICHI NICHI NICHI,
        "a name that is much longer than any column should be, with blanks",
        "\x1b]0;title\x07",
        "\xff\xe2\x80\xae\n",
    };
    enum { COUNT = sizeof names / sizeof *names };
    struct message_data data = make_data();
    struct message messages[COUNT], *list[COUNT];

    for (size_t i = 0; i < COUNT; i++) {
        messages[i] = make(&data);
        messages[i].from = messages[i].to = messages[i].type = span_of(names[i]);
        list[i] = &messages[i];
    }
    for (unsigned clean = 0; clean <= SANITIZE_ASCII; clean += SANITIZE_ASCII) {
        struct str out = list_of(list, COUNT, 0, clean);
        struct span rest = str_span(&out), again = rest;
        size_t status = columns_before(&again, "unread"), subject = columns_before(&rest, "Plain");
        for (size_t i = 1; i < COUNT; i++) {
            cr_assert_eq(columns_before(&again, "unread"), status, "line %zu", i);
            cr_assert_eq(columns_before(&rest, "Plain"), subject, "line %zu", i);
        }
        cr_assert_eq(rest.len, 0);
        str_free(&out);
    }
}

Test(render, a_list_is_cut_to_the_columns_there_are)
{
    struct message_data data = make_data();
    struct message a = make(&data), b = make(&data), *list[] = {&a, &b};

    b.subject = span_of(NICHI NICHI);
    for (size_t columns = 1; columns < 120; columns++) {
        struct str out = list_of(list, 2, columns, 0);
        struct span rest = str_span(&out);
        for (size_t i = 0; i < 2; i++) {
            struct span line = span_first_line(rest);
            struct str scratch = {0};
            cr_assert_leq(sanitize_add(&scratch, line, 0), columns);
            rest.at += line.len + 1;
            rest.len -= line.len + 1;
            str_free(&scratch);
        }
        cr_assert_eq(rest.len, 0);
        str_free(&out);
    }
}

Test(render, a_list_gives_the_file_and_the_reason_of_what_is_damaged)
{
    struct message message = {.id = span_of("x"),
                              .file = span_of("x\n.json"),
                              .place = &place,
                              .damaged = "it is empty",
                              .created_us = TIME_NONE,
                              .priority = PRIORITY_NORMAL};
    struct message *list[] = {&message};
    struct str out = list_of(list, 1, 0, 0);

    cr_assert_not_null(strstr(str_c(&out), "damaged"), "%s", str_c(&out));
    cr_assert(span_ends(str_span(&out), " x^J.json: it is empty\n"), "%s", str_c(&out));
    str_free(&out);
}
