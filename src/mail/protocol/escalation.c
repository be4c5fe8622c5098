/* Escalations: the table of levels; ids are found in whatever text they stand in. */
#include "mail/protocol/escalation.h"

#include "base/when.h"

enum { DAY_DIGITS = 8, DIGITS_LEAST = 4, DIGITS_MOST = 6 };

static const char start[] = "ESC-";

const struct escalation_route escalation_routes[ESCALATION_LEVELS] = {
    [ESCALATION_COO] = {.word = "coo", .to = "coo", .title = "Escalation: "},
    [ESCALATION_CEO] =
        {.word = "ceo", .to = "user", .from = "coo", .title = "CEO Escalation: ", .is_high = true},
};

bool escalation_level_find(struct span word, enum escalation_level *level)
{
    for (unsigned i = 0; i < ESCALATION_LEVELS; i++) {
        if (span_is(word, escalation_routes[i].word)) {
            *level = i;
            return true;
        }
    }
    return false;
}

/* How many digits the text starts with. */
static size_t count_digits(struct span text)
{
    size_t count = 0;

    while (count < text.len && text.at[count] >= '0' && text.at[count] <= '9')
        count++;
    return count;
}

static struct span behind(struct span text, size_t skip)
{
    return (struct span){text.at + skip, text.len - skip};
}

static bool is_number(size_t digits)
{
    return digits >= DIGITS_LEAST && digits <= DIGITS_MOST;
}

bool escalation_is_id(struct span text)
{
    if (!span_starts(text, span_of(start)))
        return false;
    text = behind(text, sizeof start - 1);
    if (count_digits(text) != DAY_DIGITS || text.len == DAY_DIGITS || text.at[DAY_DIGITS] != '-')
        return false;
    text = behind(text, DAY_DIGITS + 1);
    return is_number(text.len) && count_digits(text) == text.len;
}

void escalation_add_day(struct str *out, int64_t now_us)
{
    str_puts(out, start);
    when_add_format(out, now_us, "%Y%m%d-");
}

unsigned escalation_highest(struct span text, struct span day, unsigned highest)
{
    const char *at;

    while (text.len && (at = memmem(text.at, text.len, day.at, day.len))) {
        text = behind(text, (size_t)(at - text.at) + day.len);
        size_t digits = count_digits(text);
        unsigned number = 0;
        for (size_t i = 0; is_number(digits) && i < digits; i++)
            number = number * 10 + (unsigned)(text.at[i] - '0');
        highest = number > highest ? number : highest;
    }
    return highest;
}

void escalation_add_next(struct str *out, struct span day, unsigned highest)
{
    str_add_span(out, day);
    str_addf(out, "%0*u", DIGITS_LEAST, highest + 1);
}
