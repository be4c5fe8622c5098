/* Rules: the sequences and characters that are correct on any terminal. */
#include "scan_rules.h"

#include <utf8proc.h>

static bool is_colour_run(const unsigned *values, size_t count, size_t *taken)
{
    if (count >= 3 && values[1] == 5 && values[2] < 256) {
        *taken = 3;
        return true;
    }
    *taken = 5;
    return count >= 5 && values[1] == 2 && values[2] < 256 && values[3] < 256 && values[4] < 256;
}

static bool is_plain_style(unsigned value)
{
    return value <= 12 || (value >= 21 && value <= 29) || (value >= 30 && value <= 49) ||
           (value >= 90 && value <= 97) || (value >= 100 && value <= 107);
}

static bool is_style(const unsigned *values, size_t count)
{
    for (size_t i = 0, taken; i < count; i += taken) {
        taken = 1;
        if (values[i] == 38 || values[i] == 48) {
            if (!is_colour_run(values + i, count - i, &taken))
                return false;
        } else if (!is_plain_style(values[i])) {
            return false;
        }
    }
    return true;
}

static bool is_private_mode(const unsigned *values, size_t count)
{
    /* Cursor keys, wrapping, cursor (two), mouse (four), meta key, other screen, paste. */
    static const unsigned known[] = {1, 7, 12, 25, 1000, 1002, 1003, 1006, 1034, 1049, 2004};

    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < sizeof known / sizeof *known && known[k] != values[i])
            k++;
        if (k == sizeof known / sizeof *known)
            return false;
    }
    return count > 0;
}

static bool is_insertion(const unsigned *values, size_t count)
{
    return count == 1 && values[0] == 4;
}

/* 3 would erase the scrolled-off lines, which are the person's. */
static bool is_erasing(const unsigned *values, size_t count)
{
    return count == 0 || (count == 1 && values[0] <= 2);
}

static bool is_count(const unsigned *values, size_t count)
{
    return count <= 1 && (count == 0 || values[0] < 10000);
}

static bool is_pair(const unsigned *values, size_t count)
{
    return count <= 2 && (count == 0 || values[0] < 10000) && (count < 2 || values[1] < 10000);
}

static const struct csi_rule {
    char leader, final;
    bool (*holds)(const unsigned *values, size_t count);
} csi_rules[] = {
    {0, 'm', is_style},     {'?', 'h', is_private_mode}, {'?', 'l', is_private_mode},
    {0, 'h', is_insertion}, {0, 'l', is_insertion},      {0, 'J', is_erasing},
    {0, 'K', is_erasing},   {0, 'H', is_pair},           {0, 'f', is_pair},
    {0, 'r', is_pair},      {0, 'A', is_count},          {0, 'B', is_count},
    {0, 'C', is_count},     {0, 'D', is_count},          {0, 'E', is_count},
    {0, 'F', is_count},     {0, 'G', is_count},          {0, 'I', is_count},
    {0, 'L', is_count},     {0, 'M', is_count},          {0, 'P', is_count},
    {0, 'S', is_count},     {0, 'T', is_count},          {0, 'X', is_count},
    {0, 'Z', is_count},     {0, '@', is_count},          {0, 'b', is_count},
    {0, 'd', is_count},
};

bool csi_read(struct csi *csi, const char *bytes, size_t len)
{
    size_t i = 0;

    *csi = (struct csi){0};
    if (i < len && bytes[i] >= '<' && bytes[i] <= '?')
        csi->leader = bytes[i++];
    for (bool started = false; i < len; i++) {
        if (bytes[i] >= '0' && bytes[i] <= '9') {
            if (!started && csi->count == CSI_PARAMETERS_MAX)
                return false;
            csi->count += !started;
            started = true;
            unsigned *value = &csi->parameters[csi->count - 1];
            if (*value > 99999)
                return false;
            *value = *value * 10 + (unsigned)(bytes[i] - '0');
        } else if (bytes[i] == ';') {
            if (!started && csi->count == CSI_PARAMETERS_MAX)
                return false;
            csi->count += !started;
            started = false;
        } else {
            break;
        }
    }
    if (i < len && bytes[i] >= 0x20 && bytes[i] <= 0x2f)
        csi->intermediate = bytes[i++];
    if (i + 1 != len)
        return false;
    csi->final = bytes[i];
    return csi->final >= 0x40 && csi->final <= 0x7e;
}

bool csi_is_known(const struct csi *csi)
{
    if (csi->intermediate)
        return false;
    for (size_t i = 0; i < sizeof csi_rules / sizeof *csi_rules; i++) {
        const struct csi_rule *rule = &csi_rules[i];
        if (rule->leader == csi->leader && rule->final == csi->final)
            return rule->holds(csi->parameters, csi->count);
    }
    return false;
}

/* Letters, marks or symbols that are drawn as nothing, or that change how their neighbours are
 * drawn. */
static const struct range {
    int32_t first, last;
} unseen[] = {
    {0x034f, 0x034f}, {0x115f, 0x1160}, {0x17b4, 0x17b5}, {0x180b, 0x180f},   {0x2800, 0x2800},
    {0x3164, 0x3164}, {0xfe00, 0xfe0f}, {0xffa0, 0xffa0}, {0xe0000, 0xe0fff},
};

bool char_is_plain(int32_t code)
{
    for (size_t i = 0; i < sizeof unseen / sizeof *unseen; i++)
        if (code >= unseen[i].first && code <= unseen[i].last)
            return false;
    switch (utf8proc_category(code)) {
    case UTF8PROC_CATEGORY_CN: /* unassigned: of unknown width */
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF: /* bidi, joiners, zero width */
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
        return false;
    default:
        return true;
    }
}
