/* The contract of all layouts where somebody means ill or errs: names and ids that lead elsewhere,
 * odd files, fields that cannot be held, and stores that are only for reading. */
#include "world.h"

#include <stdio.h>
#include <unistd.h>

contract(an_id_that_is_a_path_leads_nowhere)
{
    static const char *const ids[] = {"./../../evil", "../evil", "x/y", "..", ".", ""};

    open_world(*index);
    struct letter known = make_letter("alice", "bob");
    send_letter(&known);
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        struct letter letter = make_letter("alice", "bob");
        letter.draft.id = span_of(ids[i]);
        assert_refused(world.store, &letter, true, ids[i]);
    }
    letter_free(&known);
}

contract(hostile_names_can_be_written_to_and_never_lead_out)
{
    static char longest[256];
    static const char *const names[] = {
        "two words", "$(touch x)", "`x`;&|<>", "a'b\"c",       "new\nline", "\x1b[31mred\x07",
        "../x",      "../../x",    "/etc/x",   "a/../../b",    "..\\x",     "-rf",
        "*",         "{box}",      "%s%n%d",   "\xe2\x80\xae", ".hidden",   "x.tmp",
        "x.lock",    "README.md",  "~",        "...",          longest};
    struct str outside = {0}, now = {0};

    open_world(*index);
    memset(longest, 'n', 255);
    take_picture(&outside, world.tmp.path, world.root);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct letter there = make_letter(names[i], names[i]), back = make_letter("bob", "");
        struct arena arena = {0};
        struct err err;
        send_letter(&there);
        struct model model = load(true, false);
        const struct message *m = find(&model, &there);
        assert_span(m->from, names[i]);
        assert_span(m->to, names[i]);
        cr_assert(store_prepare_reply(world.store, m, &back.draft, &arena, &err));
        struct send_options options = {.source = STORE_ANY};
        cr_assert(store_send(world.store, &back, &options, &err), "%s", err.text);
        cr_assert(store_change(world.store, m, STATUS_ARCHIVED, &err) == can(STATUS_ARCHIVED), "%s",
                  err.text);
        letter_free(&there);
        letter_free(&back);
        model_free(&model);
        arena_free(&arena);
    }
    take_picture(&now, world.tmp.path, world.root);
    cr_assert(span_eq(str_span(&outside), str_span(&now)), "%s", str_c(&now));
    struct model all = load(true, true);
    cr_assert_eq(all.count, 2 * sizeof names / sizeof *names);
    str_free(&outside);
    str_free(&now);
    model_free(&all);
}

contract(names_that_cannot_be_anybody_are_refused)
{
    open_world(*index);
    static char longest[257];
    struct letter letters[] = {make_letter("alice", ""),   make_letter("alice", "."),
                               make_letter("alice", ".."), make_letter("alice", longest),
                               make_letter("alice", "x"),  make_letter("", "bob")};

    memset(longest, 'n', 256);
    letters[3].draft.to = span_of(longest);
    letters[4].draft.to = (struct span){"a\0b", 3};
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        assert_refused(world.store, &letters[i], true, "a name that cannot be anybody");
}

contract(a_name_that_is_not_utf8_is_refused_or_comes_back_as_it_is)
{
    open_world(*index);
    static const char *const names[][2] = {{"alice", "\xff\xfe"}, {"\xff\xfe", "bob"}};
    struct send_options options = {.create = true};
    struct err err = {0};

    for (size_t i = 0; i < 2; i++) {
        struct letter letter = make_letter(names[i][0], names[i][1]);
        if (store_send(world.store, &letter, &options, &err)) {
            struct model model = load(true, false);
            assert_span(find(&model, &letter)->from, names[i][0]);
            assert_span(find(&model, &letter)->to, names[i][1]);
            model_free(&model);
        } else {
            cr_assert_eq(err.scope, ERR_REFUSED, "%s", err.text);
        }
        letter_free(&letter);
    }
}

contract(only_the_box_that_was_asked_for_is_loaded)
{
    open_world(*index);
    struct letter bob = make_letter("alice", "bob"), eve = make_letter("alice", "eve");
    struct load one = {.inbox = true, .agent = span_of("bob")};
    struct model model = {0};
    struct err err;

    send_letter(&bob);
    send_letter(&eve);
    cr_assert(symlinkat("/nowhere", world.tmp.fd, "link") == 0);
    cr_assert(store_load(world.store, &one, &model, &err), "%s", err.text);
    cr_assert_eq(model.count, 1);
    find(&model, &bob);
    model_free(&model);

    char link[600];
    snprintf(link, sizeof link, "%s/carol", world.root);
    cr_assert(symlink(world.tmp.path, link) == 0);
    cr_assert(store_load(world.store, &one, &model, &err), "%s", err.text);
    cr_assert_eq(model.count, 1, "another box is not listed, however odd it is");
    letter_free(&bob);
    letter_free(&eve);
    model_free(&model);
}

/* A draft that uses exactly one field; what is not there stays absent. */
static struct letter letter_with(unsigned field)
{
    struct letter letter = make_letter("alice", "bob");
    struct draft *draft = &letter.draft;

    draft->type = span_of(field == FIELD_TYPE ? "request" : NULL);
    draft->thread = span_of(field == FIELD_THREAD ? "t" : NULL);
    draft->reply_to = span_of(field == FIELD_REPLY_TO ? "r" : NULL);
    draft->swarm = span_of(field == FIELD_SWARM ? "s" : NULL);
    draft->payload = span_of(field == FIELD_PAYLOAD ? "{}" : NULL);
    draft->context = span_of(field == FIELD_CONTEXT ? "{}" : NULL);
    draft->requires_response = field == FIELD_RESPONSE;
    draft->expires_us = field == FIELD_EXPIRES ? EXPIRES_US : WHEN_NONE;
    if (field == FIELD_TAGS)
        span_list_add(&draft->tags, span_of("t"));
    if (field == FIELD_ATTACHMENTS)
        span_list_add(&draft->attachments, span_of("a"));
    return letter;
}

contract(a_field_that_the_layout_cannot_hold_is_refused)
{
    open_world(*index);
    struct format bare = *world.format;
    struct letter plain = letter_with(0);
    struct err err;

    bare.fields = 0;
    cr_assert(format_can_hold(&bare, &plain.draft, &err));
    for (unsigned field = FIELD_TYPE; field <= FIELD_RESPONSE; field <<= 1) {
        struct letter letter = letter_with(field);
        bool holds = world.format->fields & field;
        cr_assert_eq(format_can_hold(world.format, &letter.draft, &err), holds, "%x", field);
        err.scope = ERR_NONE;
        cr_assert_not(format_can_hold(&bare, &letter.draft, &err), "%x", field);
        cr_assert_eq(err.scope, ERR_REFUSED);
        cr_assert_not_null(strstr(err.text, bare.title), "%s", err.text);
        if (!holds)
            assert_refused(world.store, &letter, true, "a field it cannot hold");
        letter_free(&letter);
    }
}

contract(a_store_for_reading_refuses_every_verb_that_writes)
{
    open_world(*index);
    struct letter known = make_letter("alice", "bob"), letter = make_letter("alice", "bob");
    struct span_list nobody = {0};
    struct broadcast result = {0};
    struct err err = {0};

    if (world.format->roster_pattern)
        enlist("dev", "bob");
    send_letter(&known);
    struct model model = load(true, true);
    struct store *readonly = open_store(true, NULL);
    struct str before = picture();
    assert_refused(readonly, &letter, false, "a send");
    assert_refused(readonly, &letter, true, "a send with create");
    cr_assert_not(
        store_broadcast(readonly, &letter.draft, (struct span){0}, &nobody, false, &result, &err));
    cr_assert_eq(err.scope, ERR_REFUSED);
    broadcast_free(&result);
    for (size_t i = 0; i < STATUS_COUNT; i++) {
        err.scope = ERR_NONE;
        cr_assert_not(store_change(readonly, model.messages[0], statuses[i], &err));
        cr_assert_eq(err.scope, ERR_REFUSED);
    }
    struct load all = {.inbox = true, .archive = true};
    struct model seen = {0};
    cr_assert(store_load(readonly, &all, &seen, &err), "%s", err.text);
    cr_assert_eq(seen.count, 1);
    assert_untouched(&before, "a store for reading");
    store_close(readonly);
    letter_free(&known);
    model_free(&model);
    model_free(&seen);
}

contract(the_log_names_the_recipient_and_nothing_behind_it)
{
    open_world(*index);
    char path[512];
    struct err err;
    struct letter letter = make_letter("alice", "");

    snprintf(path, sizeof path, "%s/log", world.tmp.path);
    struct log *log = log_open(path, &err);
    store_close(world.store);
    world.store = open_store(false, log);
    letter.draft.to = (struct span){"bobSECRET", 3};
    send_letter(&letter);
    struct str text = tmp_read(&world.tmp, "log");
    cr_assert_not_null(strstr(str_c(&text), "bob"));
    cr_assert_null(strstr(str_c(&text), "SECRET"), "%s", str_c(&text));
    str_free(&text);
    letter_free(&letter);
    store_close(world.store);
    world.store = NULL;
    log_close(log);
}
