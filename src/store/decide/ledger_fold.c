/* The ledger: events put together by decision, and what can be looked up in it. */
#include "store/decide/ledger_private.h"

#include "base/json/json_print.h"
#include "base/mem.h"
#include "base/text/utf8.h"

#include <stddef.h>

/* Where an answer lies. A length before each part keeps parts apart, whatever bytes they hold. */
static void add_part(struct str *key, struct span part)
{
    str_addf(key, "%zu:", part.len);
    str_add_span(key, part);
}

enum key_kind {
    KEY_MESSAGE = 'm',
    KEY_TEXT = 't', /* by its sum */
    KEY_ASKED = 'q',
};

/* Requests are told apart by their team alone: one agent may use the id of another. */
static void add_key(struct str *key, enum key_kind kind, const struct ledger_sought *where,
                    struct span value)
{
    str_clear(key);
    str_putc(key, (char)kind);
    add_part(key, value);
    add_part(key, where->format);
    add_part(key, where->root);
    add_part(key, where->team);
    if (kind != KEY_ASKED)
        add_part(key, where->agent);
}

static void index_under(struct ledger *ledger, uint32_t decision, enum key_kind kind,
                        struct span value)
{
    const struct ledger_entry *whole = &ledger->decisions[decision].whole;
    struct ledger_sought where = {
        .format = whole->format, .root = whole->root, .team = whole->team, .agent = whole->agent};
    struct str key = {0};
    bool fresh = false;

    if (!value.len)
        return;
    add_key(&key, kind, &where, value);
    uint32_t *first = map_put_copy(&ledger->by_key, &ledger->arena, str_span(&key), &fresh);
    str_free(&key);
    if (!fresh && ledger->links[*first].decision == decision)
        return;
    ledger->links =
        mem_grow(ledger->links, &ledger->link_cap, ledger->link_count + 1, sizeof *ledger->links);
    ledger->links[ledger->link_count] = (struct ledger_link){decision, fresh ? UINT32_MAX : *first};
    *first = (uint32_t)ledger->link_count++;
}

static struct span asked_id(const struct ledger_entry *entry)
{
    return entry->request.id.len ? entry->request.id : entry->request.message;
}

static struct span *span_at(struct ledger_entry *entry, size_t at)
{
    return (struct span *)(void *)((char *)entry + at);
}

static void merge(struct ledger_entry *whole, struct ledger_entry *entry)
{
#define AT(field) offsetof(struct ledger_entry, field)
    static const size_t first_counts[] = {
        AT(verb),
        AT(kind),
        AT(by),
        AT(format),
        AT(root),
        AT(team),
        AT(agent),
        AT(request.message),
        AT(request.id),
        AT(request.file),
        AT(request.sha256),
        AT(request.asked),
        AT(terms.mode),
        AT(terms.feedback),
        AT(terms.rules),
    };
    static const size_t last_counts[] = {AT(answer.message), AT(answer.file), AT(answer.sha256),
                                         AT(answer.text)};
#undef AT

    for (size_t i = 0; i < sizeof first_counts / sizeof *first_counts; i++)
        if (!span_at(whole, first_counts[i])->at)
            *span_at(whole, first_counts[i]) = *span_at(entry, first_counts[i]);
    for (size_t i = 0; i < sizeof last_counts / sizeof *last_counts; i++)
        if (span_at(entry, last_counts[i])->at)
            *span_at(whole, last_counts[i]) = *span_at(entry, last_counts[i]);
    if (!whole->request.len) {
        whole->request.at = entry->request.at;
        whole->request.len = entry->request.len;
    }
}

/* What was once sent is never called unsent again, and what had an effect was sent. */
static enum decision_state advance(enum decision_state state, enum ledger_event event)
{
    bool unsent = state < DECISION_DELIVERED;

    if (state == DECISION_EFFECT)
        return state;
    switch (event) {
    case LEDGER_EFFECT:
        return DECISION_EFFECT;
    case LEDGER_LOST:
        return DECISION_LOST;
    case LEDGER_VERIFIED:
        return DECISION_VERIFIED;
    case LEDGER_DELIVERED:
        return state == DECISION_VERIFIED ? state : DECISION_DELIVERED;
    case LEDGER_REFUSED:
        return unsent ? DECISION_REFUSED : state;
    case LEDGER_FAILED:
        return unsent ? DECISION_FAILED : state;
    case LEDGER_INTENT:
        return unsent ? DECISION_UNKNOWN : state;
    case LEDGER_OTHER:
        break;
    }
    return state;
}

static uint32_t decision_of(struct ledger *ledger, const struct ledger_entry *entry)
{
    bool fresh = true;
    uint32_t *number = NULL;

    if (entry->decision.len)
        number = map_put(&ledger->by_decision, entry->decision, &fresh);
    if (!fresh)
        return *number;
    ledger->decisions = mem_grow(ledger->decisions, &ledger->decision_cap,
                                 ledger->decision_count + 1, sizeof *ledger->decisions);
    ledger->decisions[ledger->decision_count] =
        (struct decision_record){.whole.decision = entry->decision};
    if (number)
        *number = (uint32_t)ledger->decision_count;
    return (uint32_t)ledger->decision_count++;
}

/* Makes an entry findable by what it says that its decision has not said before. */
static void index_entry(struct ledger *ledger, uint32_t decision, const struct ledger_entry *entry,
                        const struct ledger_entry *said)
{
    char sum[LEDGER_SUM + 1];

    if (!span_eq(entry->answer.message, said->answer.message))
        index_under(ledger, decision, KEY_MESSAGE, entry->answer.message);
    if (!span_eq(asked_id(entry), asked_id(said)))
        index_under(ledger, decision, KEY_ASKED, asked_id(entry));
    if (entry->answer.text.at && !span_eq(entry->answer.text, said->answer.text)) {
        ledger_sum(entry->answer.text, sum);
        index_under(ledger, decision, KEY_TEXT, span_of(sum));
    }
}

void ledger_take_entry(struct ledger *ledger, const struct ledger_entry *entry)
{
    struct ledger_entry *kept = arena_alloc(&ledger->arena, sizeof *kept);
    uint32_t number = decision_of(ledger, entry);
    struct decision_record *record = &ledger->decisions[number];
    const struct ledger_entry said = record->whole;

    *kept = *entry;
    ledger->entries =
        mem_grow(ledger->entries, &ledger->cap, ledger->count + 1, sizeof *ledger->entries);
    ledger->entries[ledger->count++] = kept;
    merge(&record->whole, kept);
    record->state = advance(record->state, kept->event);
    if (record->last)
        record->last->next = kept;
    else
        record->first = kept;
    record->last = kept;
    if ((kept->event == LEDGER_DELIVERED || kept->event == LEDGER_VERIFIED) && !record->sent)
        record->sent = kept;
    if (kept->event == LEDGER_EFFECT && !record->effect)
        record->effect = kept;
    if (kept->event == LEDGER_REFUSED || kept->event == LEDGER_FAILED || kept->event == LEDGER_LOST)
        record->ended = kept;
    index_entry(ledger, number, kept, &said);
}

/* A text as the ledger would keep it. */
static struct span as_kept(struct span text, struct arena *arena)
{
    struct str quoted = {0};

    if (!text.at || utf8_valid(text))
        return text;
    json_put_text(&quoted, text, &json_style_line);
    struct json string = {JSON_STRING, arena_copy(arena, str_span(&quoted))};
    str_free(&quoted);
    return json_text(arena, string);
}

static struct ledger_sought sought_as_kept(const struct ledger_sought *sought, struct arena *arena)
{
    return (struct ledger_sought){.format = as_kept(sought->format, arena),
                                  .root = as_kept(sought->root, arena),
                                  .team = as_kept(sought->team, arena),
                                  .agent = as_kept(sought->agent, arena),
                                  .message = as_kept(sought->message, arena),
                                  .request_id = as_kept(sought->request_id, arena),
                                  .sha256 = as_kept(sought->sha256, arena),
                                  .text = as_kept(sought->text, arena)};
}

/* The first of the decisions under a key that passes, or NULL. */
static const struct decision_record *find(const struct ledger *ledger, enum key_kind kind,
                                          const struct ledger_sought *sought, struct span value,
                                          bool (*passes)(const struct ledger_entry *,
                                                         const struct ledger_sought *))
{
    struct str key = {0};

    if (!value.len)
        return NULL;
    add_key(&key, kind, sought, value);
    const uint32_t *first = map_get(&ledger->by_key, str_span(&key));
    str_free(&key);
    for (uint32_t at = first ? *first : UINT32_MAX; at != UINT32_MAX; at = ledger->links[at].next) {
        const struct decision_record *record = &ledger->decisions[ledger->links[at].decision];
        if (passes(&record->whole, sought))
            return record;
    }
    return NULL;
}

static bool is_any(const struct ledger_entry *whole, const struct ledger_sought *sought)
{
    (void)whole;
    (void)sought;
    return true;
}

static bool has_text(const struct ledger_entry *whole, const struct ledger_sought *sought)
{
    bool same_message = !whole->answer.message.len || !sought->message.len ||
                        span_eq(whole->answer.message, sought->message);

    return same_message && span_eq(whole->answer.text, sought->text);
}

bool ledger_has_answer(const struct ledger *ledger, const struct ledger_sought *sought)
{
    struct arena arena = {0};
    struct ledger_sought kept = sought_as_kept(sought, &arena);
    char sum[LEDGER_SUM + 1];
    bool found;

    if (kept.text.at) {
        ledger_sum(kept.text, sum);
        found = find(ledger, KEY_TEXT, &kept, span_of(sum), has_text);
    } else {
        found = find(ledger, KEY_MESSAGE, &kept, kept.message, is_any);
    }
    arena_free(&arena);
    return found;
}

static bool is_other(const struct ledger_entry *whole, const struct ledger_sought *sought)
{
    return whole->request.sha256.len && !span_eq(whole->request.sha256, sought->sha256);
}

const struct decision_record *ledger_other_request(const struct ledger *ledger,
                                                   const struct ledger_sought *sought)
{
    struct arena arena = {0};
    struct ledger_sought kept = sought_as_kept(sought, &arena);
    const struct decision_record *found = find(
        ledger, KEY_ASKED, &kept, kept.request_id.len ? kept.request_id : kept.message, is_other);

    arena_free(&arena);
    return found;
}
