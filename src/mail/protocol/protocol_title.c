/* Protocol messages: titles for people; request ids and times as the agents make them. */
#include "base/text/utf8.h"
#include "mail/protocol/protocol_table.h"
#include "mail/protocol/tool.h"

/* Of what is asked so much stands in a subject. */
enum { USE_MOST = 300 };

void protocol_add_use(struct str *out, const struct protocol *p)
{
    struct arena arena = {0};
    struct span input = tool_use(p->tool_name, p->input, &arena);

    str_add_span(out, p->host);
    str_add_span(out, p->tool_name);
    if (p->tool_name.len && input.len)
        str_puts(out, ": ");
    str_add_span(out, input);
    arena_free(&arena);
}

/* The first line of it; that there is more must not go unseen. */
static void add_use(struct str *out, const struct protocol *p)
{
    struct str use = {0};

    protocol_add_use(&use, p);
    struct span line = utf8_start(span_first_line(str_span(&use)), USE_MOST);
    if (line.len)
        str_puts(out, ": ");
    str_add_span(out, span_trim(line));
    str_puts(out, line.len < use.len ? " ..." : "");
    str_free(&use);
}

static void add_detail(struct str *out, const char *before, struct span text)
{
    text = span_first_line(span_trim(text));
    while (text.len && (text.at[0] == '#' || text.at[0] == ' ')) { /* the mark of a heading */
        text.at++;
        text.len--;
    }
    if (!text.len)
        return;
    str_puts(out, before);
    str_add_span(out, text);
}

void protocol_title(struct str *out, const struct protocol *p)
{
    const struct protocol_form *form = protocol_form(p->kind, p->denied);
    const char *before = ": ";

    if (!form) {
        str_add_span(out, p->type);
        return;
    }
    const char *by_verdict[] = {form->title, form->title_no, form->title_yes};
    str_puts(out, by_verdict[p->verdict] ? by_verdict[p->verdict] : form->title);
    if (form->which)
        add_detail(out, " ", protocol_get(p, form->which));
    if (form->uses)
        add_use(out, p);
    for (size_t i = 0; i < PROTOCOL_DETAILS_MAX && form->details[i]; i++) {
        size_t len = out->len;
        add_detail(out, before, protocol_get(p, form->details[i]));
        if (out->len > len)
            before = " - ";
    }
}

/* A text of which the title had the first line at most. */
static void add_whole(struct str *out, struct span text, bool even_one_line)
{
    text = span_trim(text);
    if (!text.len || (!even_one_line && span_first_line(text).len == text.len))
        return;
    str_puts(out, "\n\n");
    str_add_span(out, text);
}

void protocol_add_words(struct str *out, const struct protocol *p)
{
    const struct protocol_form *form = protocol_form(p->kind, p->denied);
    struct str use = {0};

    protocol_title(out, p);
    if (!form)
        return;
    protocol_add_use(&use, p);
    if (form->uses)
        add_whole(out, str_span(&use), use.len > USE_MOST);
    for (size_t i = 0; i < PROTOCOL_DETAILS_MAX && form->details[i]; i++)
        add_whole(out, protocol_get(p, form->details[i]), false);
    add_whole(out, p->description, true);
    str_free(&use);
}

bool protocol_new_id(struct str *out, enum protocol_kind kind, const struct protocol_seed *seed)
{
    static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    const struct protocol_form *form = protocol_form(kind, false);
    uint64_t random = seed->random;

    if (!form || !form->id_start)
        return false;
    str_addf(out, "%s-%lld", form->id_start, (long long)seed->now_ms);
    if (form->id_random) {
        str_putc(out, '-');
        for (int i = 0; i < 7; i++, random /= 36)
            str_putc(out, digits[random % 36]);
        return true;
    }
    str_putc(out, '@');
    str_add_span(out, seed->name);
    if (kind == PROTOCOL_PLAN_APPROVAL_REQUEST) {
        str_putc(out, '@');
        str_add_span(out, seed->team);
    }
    return true;
}
