/* The contract of all layouts for malice and mistakes: names and ids that lead elsewhere, odd
 * files, fields that cannot be held, and read-only stores. */
#include "store/decide/decide.h"
#include "world.h"

#include <stdio.h>
#include <unistd.h>

/* Asserts that the letter is sent and reads back as given, or as the box spells it, or is refused,
 * and that nothing outside the root changes. Returns true if it has arrived. */
static bool is_sent_or_refused(struct outgoing_message *letter, const char *what)
{
    struct send_options options = {.create = true, .verify = VERIFY_NONE, .source = STORE_ANY};
    struct str outside = {0}, now = {0}, box = {0};
    struct err err = {0}, ignored;

    take_picture(&outside, world.project, world.root);
    struct str before = picture();
    bool ok = store_send(world.store, letter, &options, &err);
    if (ok && letter->delivered) {
        struct model model = load(true, false);
        const struct message *m = find(&model, letter);
        cr_assert(span_eq(m->from, letter->draft.from), "%s", what);
        bool known = span_eq(m->to, letter->draft.to);
        for (unsigned v = 0; !known && v < 8; v++) {
            str_clear(&box);
            known = world.format->box_name(&box, letter->draft.to, v, &ignored) &&
                    span_eq(m->to, str_span(&box));
        }
        cr_assert(known, "%s is called %.*s", what, (int)m->to.len, m->to.at);
        cr_assert_null(strchr(m->file.at, '/'), "%s", what);
        model_free(&model);
    } else if (!ok) {
        cr_assert_eq(err.scope, ERR_REFUSED, "%s: %s", what, err.text);
        cr_assert(is_untouched(&before), "%s was refused, but something changed", what);
    }
    take_picture(&now, world.project, world.root);
    if (strcmp(world.project, world.root) != 0 && world.format->home[0])
        cr_assert(span_eq(str_span(&outside), str_span(&now)), "%s", what);
    cr_assert_leq(tmp_count(&world.tmp, "."), 2, "%s led out of the project", what);
    str_free(&outside);
    str_free(&now);
    str_free(&box);
    str_free(&before);
    return ok && letter->delivered;
}

contract(an_id_that_is_a_path_leads_nowhere)
{
    static const char *const ids[] = {"./../../evil", "../evil", "x/y", "..", ".", ""};
    bool named_by_id;

    open_world(*index);
    named_by_id = world.format->storage == STORAGE_FILES && !world.format->numbered;
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        struct outgoing_message letter = make_letter("alice", "bob");
        letter.draft.id = span_of(ids[i]);
        if (named_by_id || (!(world.format->fields & FIELD_ID) && ids[i][0]))
            assert_refused(world.store, &letter, true, ids[i]);
        else
            is_sent_or_refused(&letter, ids[i]);
        outgoing_message_free(&letter);
    }
}

/* Answers a letter that has arrived and archives it. Returns true if the answer has arrived,
 * too. */
static bool is_answered(const struct outgoing_message *letter, struct outgoing_message *back,
                        const char *what)
{
    struct arena arena = {0};
    struct err err;
    struct model model = load(true, false);
    struct message *m = find(&model, letter);

    cr_assert(store_prepare_reply(world.store, m, &back->draft, &arena, &err), "%s", err.text);
    back->draft.team = (struct span){0};
    bool arrived = is_sent_or_refused(back, what);
    assert_changed(m, STATUS_ARCHIVED);
    model_free(&model);
    arena_free(&arena);
    return arrived;
}

contract(an_id_with_a_nul_is_refused_or_told_as_it_is)
{
    open_world(*index);
    struct outgoing_message letter = make_letter("alice", "bob");

    letter.draft.id = (struct span){"MSG-a\0b", 7};
    is_sent_or_refused(&letter, "an id with a NUL");
    outgoing_message_free(&letter);
}

contract(hostile_names_are_written_to_or_refused_and_never_lead_out)
{
    static char longest[256];
    static const char *const names[] = {
        "two words", "$(touch x)", "`x`;&|<>", "a'b\"c",       "new\nline", "\x1b[31mred\x07",
        "../x",      "../../x",    "/etc/x",   "a/../../b",    "..\\x",     "-rf",
        "*",         "{box}",      "%s%n%d",   "\xe2\x80\xae", ".hidden",   "x.tmp",
        "x.lock",    "README.md",  "~",        "...",          longest};
    size_t arrived = 0;

    open_world(*index);
    memset(longest, 'n', 255);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct outgoing_message to = make_letter("alice", names[i]),
                                from = make_letter(names[i], "bob"), back = make_letter("bob", "");
        arrived += is_sent_or_refused(&to, names[i]);
        if (is_sent_or_refused(&from, names[i]))
            arrived += 1 + is_answered(&from, &back, names[i]);
        outgoing_message_free(&to);
        outgoing_message_free(&from);
        outgoing_message_free(&back);
    }
    struct model all = load(true, true);
    cr_assert_eq(all.count, arrived, "%zu are there, not %zu", all.count, arrived);
    model_free(&all);
}

contract(names_that_cannot_be_anybody_are_refused)
{
    open_world(*index);
    static char longest[257];
    struct outgoing_message never[] = {make_letter("alice", ""), make_letter("alice", longest),
                                       make_letter("", "bob")};
    struct outgoing_message perhaps[] = {make_letter("alice", "."), make_letter("alice", ".."),
                                         make_letter("alice", "x")};

    memset(longest, 'n', 256);
    never[1].draft.to = span_of(longest);
    perhaps[2].draft.to = (struct span){"a\0b", 3};
    for (size_t i = 0; i < 3; i++)
        assert_refused(world.store, &never[i], true, "a name that cannot be anybody");
    for (size_t i = 0; i < 3; i++) {
        is_sent_or_refused(&perhaps[i], "a name of dots or with a NUL");
        outgoing_message_free(&perhaps[i]);
    }
}

contract(a_name_that_is_not_utf8_is_refused_or_comes_back_as_it_is)
{
    open_world(*index);
    static const char *const names[][2] = {{"alice", "\xff\xfe"}, {"\xff\xfe", "bob"}};
    struct send_options options = {.create = true, .verify = VERIFY_NONE};
    struct err err = {0};

    for (size_t i = 0; i < 2; i++) {
        struct outgoing_message letter = make_letter(names[i][0], names[i][1]);
        if (store_send(world.store, &letter, &options, &err)) {
            struct model model = load(true, false);
            assert_span(find(&model, &letter)->from, names[i][0]);
            assert_span(find(&model, &letter)->to, names[i][1]);
            model_free(&model);
        } else {
            cr_assert_eq(err.scope, ERR_REFUSED, "%s", err.text);
        }
        outgoing_message_free(&letter);
    }
}

contract(only_the_box_that_was_asked_for_is_loaded)
{
    open_world(*index);
    struct outgoing_message bob = make_letter("alice", "bob"), eve = make_letter("alice", "eve");
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
    snprintf(link, sizeof link, "%s/zoe", world.root);
    cr_assert(symlink(world.tmp.path, link) == 0);
    cr_assert(store_load(world.store, &one, &model, &err), "%s", err.text);
    cr_assert_eq(model.count, 1, "another box is not listed, however odd it is");
    outgoing_message_free(&bob);
    outgoing_message_free(&eve);
    model_free(&model);
}

/* Returns a draft that uses exactly one field; all others are absent. */
static struct outgoing_message outgoing_message_with(unsigned field)
{
    struct outgoing_message letter = make_letter("alice", "bob");
    struct draft *draft = &letter.draft;

    draft->type = span_of(field == FIELD_TYPE ? "request" : NULL);
    draft->thread = span_of(field == FIELD_THREAD ? "t" : NULL);
    draft->reply_to = span_of(field == FIELD_REPLY_TO ? "r" : NULL);
    draft->swarm = span_of(field == FIELD_SWARM ? "s" : NULL);
    draft->payload = span_of(field == FIELD_PAYLOAD ? "{}" : NULL);
    draft->context = span_of(field == FIELD_CONTEXT ? "{}" : NULL);
    draft->requires_response = field == FIELD_RESPONSE;
    draft->expires_us = field == FIELD_EXPIRES ? EXPIRES_US : TIME_NONE;
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
    struct outgoing_message plain = outgoing_message_with(0);
    struct err err;

    bare.fields = 0;
    cr_assert(format_can_hold(&bare, &plain.draft, &err));
    for (unsigned field = FIELD_TYPE; field <= FIELD_RESPONSE; field <<= 1) {
        struct outgoing_message letter = outgoing_message_with(field);
        bool holds = world.format->fields & field;
        cr_assert_eq(format_can_hold(world.format, &letter.draft, &err), holds, "%x", field);
        err.scope = ERR_NONE;
        cr_assert_not(format_can_hold(&bare, &letter.draft, &err), "%x", field);
        cr_assert_eq(err.scope, ERR_REFUSED);
        cr_assert_not_null(strstr(err.text, bare.title), "%s", err.text);
        if (!holds)
            assert_refused(world.store, &letter, true, "a field it cannot hold");
        outgoing_message_free(&letter);
    }
}

contract(a_store_for_reading_refuses_every_verb_that_writes)
{
    open_world(*index);
    struct outgoing_message known = make_letter("alice", "bob"),
                            letter = make_letter("alice", "carol");
    struct span_list nobody = {0};
    struct broadcast result = {0};
    struct cleaned cleaned;
    struct cleaning cleaning = {.older_us = 0};
    struct err err = {0};

    send_letter(&known);
    struct model model = load(true, true);
    struct store *readonly = open_store("bob", true, NULL);
    struct str before = picture();
    assert_refused(readonly, &letter, false, "a send");
    assert_refused(readonly, &letter, true, "a send with create");
    cr_assert_not(store_broadcast(readonly, &letter.draft, (struct span){0}, &nobody, VERIFY_NONE,
                                  &result, &err));
    cr_assert_eq(err.scope, ERR_REFUSED);
    broadcast_free(&result);
    for (size_t i = 0; i < STATUS_COUNT; i++) {
        struct changed outcome = change(readonly, model.messages[0], statuses[i]);
        cr_assert(!outcome.ok && outcome.err.scope == ERR_REFUSED, "%s", outcome.err.text);
    }
    err.scope = ERR_NONE;
    cr_assert_not(store_cleanup(readonly, 0, &cleaning, (struct span){0}, &cleaned, &err));
    cr_assert_eq(err.scope, ERR_REFUSED);
    struct deciding deciding = {.request = model.messages[0], .sha256 = ""};
    err.scope = ERR_NONE;
    cr_assert_not(store_decide(readonly, &deciding, &err));
    cr_assert_eq(err.scope, ERR_REFUSED);
    cr_assert(strstr(err.text, "--readonly"), "%s", err.text);
    deciding_free(&deciding);
    struct model seen = load_in(readonly, true, true);
    cr_assert_eq(seen.count, 1);
    cr_assert_eq(seen.messages[0]->status, STATUS_UNREAD);
    assert_untouched(&before, "a store for reading");
    store_close(readonly);
    outgoing_message_free(&known);
    model_free(&model);
    model_free(&seen);
}

contract(looking_makes_no_local_state)
{
    open_world(*index);
    struct model model = load(true, true);

    cr_assert_not(tmp_exists(&world.tmp, "state"));
    model_free(&model);
}

contract(the_log_names_the_recipient_and_nothing_behind_it)
{
    open_world(*index);
    char path[512];
    struct err err;
    struct outgoing_message letter = make_letter("alice", "");

    snprintf(path, sizeof path, "%s/log", world.tmp.path); /* next to the project */
    struct log *log = log_open(path, &err);
    store_close(world.store);
    world.store = open_store(NULL, false, log);
    letter.draft.to = (struct span){"bobSECRET", 3};
    send_letter(&letter);
    struct str text = tmp_read(&world.tmp, "log");
    cr_assert_not_null(strstr(str_c(&text), "bob"));
    cr_assert_null(strstr(str_c(&text), "SECRET"), "%s", str_c(&text));
    str_free(&text);
    outgoing_message_free(&letter);
    store_close(world.store);
    world.store = NULL;
    log_close(log);
}
