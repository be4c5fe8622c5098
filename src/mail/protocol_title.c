/* Protocol messages: titles for people; request ids and times as the agents make them. */
#include "base/when.h"
#include "mail/protocol_table.h"

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
    for (size_t i = 0; i < PROTOCOL_DETAILS_MAX && form->details[i]; i++) {
        size_t len = out->len;
        add_detail(out, before, protocol_get(p, form->details[i]));
        if (out->len > len)
            before = " - ";
    }
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
