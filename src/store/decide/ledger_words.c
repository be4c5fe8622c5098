/* The ledger in words: what was done, and how far it came. */
#include "store/decide/ledger.h"

/* A verb as what was done and as what was wanted; %k is the kind of the request. */
static const struct {
    const char *verb, *done, *wanted, *of;
} deeds[] = {
    {"approve", "approved", "approve", " the %k of "},
    {"reject", "rejected", "reject", " the %k of "},
    {"accept", "accepted", "accept", " the %k of "},
    {"decline", "declined", "decline", " the %k of "},
    {"grant", "granted", "grant", " a permission to "},
    {"deny", "denied", "deny", " a permission to "},
    {"allow-host", "allowed", "allow", " a host to "},
    {"deny-host", "denied", "deny", " a host to "},
    {"shutdown", "asked", "ask", " for a shutdown of "},
    {"mode", "set", "set", " the mode of "},
    {"assign", "assigned", "assign", " a task to "},
    {"rules", "sent", "send", " permission rules to "},
    {"escalate", "escalated", "escalate", " to "},
};
enum { DEEDS = sizeof deeds / sizeof *deeds };

static void add_agent(struct str *out, const struct ledger_entry *whole)
{
    if (!whole->agent.len) {
        str_puts(out, "nobody in particular");
        return;
    }
    str_add_span(out, whole->agent);
    if (whole->team.len) {
        str_putc(out, '@');
        str_add_span(out, whole->team);
    }
}

static bool is_sent(const struct decision_record *record)
{
    return record->state >= DECISION_DELIVERED;
}

void decision_add_deed(struct str *out, const struct decision_record *record)
{
    const struct ledger_entry *whole = &record->whole;
    size_t i = 0;

    while (i < DEEDS && !span_is(whole->verb, deeds[i].verb))
        i++;
    if (!is_sent(record))
        str_puts(out, "wanted to ");
    if (i < DEEDS) {
        const char *kind = strstr(deeds[i].of, "%k");
        str_puts(out, is_sent(record) ? deeds[i].done : deeds[i].wanted);
        str_add(out, deeds[i].of, kind ? (size_t)(kind - deeds[i].of) : strlen(deeds[i].of));
        if (kind) {
            str_add_span(out, whole->kind.len ? whole->kind : span_of("request"));
            str_puts(out, kind + strlen("%k"));
        }
    } else { /* of a later version */
        str_addf(out, "%s\"", is_sent(record) ? "did " : "do ");
        str_add_span(out, whole->verb);
        str_puts(out, "\" to ");
    }
    add_agent(out, whole);
}

static void add_note(struct str *out, const struct ledger_entry *entry, const char *usual)
{
    if (entry && entry->note.len)
        str_add_span(out, entry->note);
    else
        str_puts(out, usual);
}

static void add_effect(struct str *out, const struct decision_record *record)
{
    const struct ledger_entry *effect = record->effect;
    const struct ledger_entry *from = record->sent ? record->sent : record->first;
    bool timed = effect->at_us != WHEN_NONE && from->at_us != WHEN_NONE && from != effect;

    str_puts(out, "confirmed: ");
    if (effect->note.len) {
        str_add_span(out, effect->note);
    } else {
        str_add_span(out, record->whole.agent);
        str_puts(out, " went on");
    }
    if (!effect->seen_in.len && !timed)
        return;
    str_puts(out, " (");
    str_add_span(out, effect->seen_in);
    str_puts(out, effect->seen_in.len && timed ? ", " : "");
    if (timed && effect->at_us - from->at_us < 1000000) {
        str_puts(out, "at once");
    } else if (timed) {
        when_add_age(out, effect->at_us - from->at_us);
        str_puts(out, " later");
    }
    str_putc(out, ')');
}

void decision_add_state(struct str *out, const struct decision_record *record)
{
    switch (record->state) {
    case DECISION_UNKNOWN:
        str_puts(out, "interrupted: it is not known to be sent");
        break;
    case DECISION_REFUSED:
        str_puts(out, "not sent, refused: ");
        add_note(out, record->ended, "the request had changed or was answered");
        break;
    case DECISION_FAILED:
        str_puts(out, "not sent: ");
        add_note(out, record->ended, "it could not be written");
        break;
    case DECISION_DELIVERED:
        str_puts(out, "sent, unconfirmed; nobody has looked whether it stayed");
        break;
    case DECISION_VERIFIED:
        str_puts(out, "sent, unconfirmed");
        break;
    case DECISION_LOST:
        str_puts(out, "lost: ");
        add_note(out, record->ended, "it was written and has vanished");
        break;
    case DECISION_EFFECT:
        add_effect(out, record);
        break;
    }
}

const char *decision_state_word(enum decision_state state)
{
    static const char *const words[] = {
        [DECISION_UNKNOWN] = "interrupted", [DECISION_REFUSED] = "refused",
        [DECISION_FAILED] = "failed",       [DECISION_DELIVERED] = "sent",
        [DECISION_VERIFIED] = "verified",   [DECISION_LOST] = "lost",
        [DECISION_EFFECT] = "confirmed",
    };

    return words[state];
}
