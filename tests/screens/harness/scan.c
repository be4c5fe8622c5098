/* Parses everything that a program writes to its terminal. */
#include "scan.h"

#include "base/text/utf8.h"
#include "scan_rules.h"

enum { ESC = 0x1b, BEL = 0x07, SEQUENCE_MAX = 4096 };

/* Strings that ncurses sends unchanged from the database. Its sequences with parameters, and some
 * of these, are recognized by their form. */
static const char *const own_names[] = {
    "smcup", "rmcup", "civis", "cnorm", "cvvis", "oc", "op", "enacs", "smacs", "rmacs",
    "smkx",  "rmkx",  "sgr0",  "smm",   "rmm",   "sc", "rc", "ri",    "ind",   "nel",
};

static const struct scan_mode starts_on[] = {{7, true}, {25, true}};

/* Appends the string without padding, which is for ncurses alone. */
static void add_string(struct str *out, const char *text)
{
    for (; *text; text++) {
        if (text[0] == '$' && text[1] == '<') {
            const char *end = strchr(text, '>');
            if (end) {
                text = end;
                continue;
            }
        }
        str_putc(out, *text);
    }
}

void scan_init(struct scan *scan, struct terminfo *info, bool utf8, const char *const *may_write)
{
    *scan = (struct scan){.utf8 = utf8, .may_write = may_write};
    for (size_t i = 0; i < sizeof own_names / sizeof *own_names; i++) {
        const char *text = terminfo_string(info, own_names[i]);
        if (!text)
            continue;
        add_string(&scan->own, text);
        str_putc(&scan->own, '\0');
        if (strcmp(own_names[i], "oc") == 0)
            add_string(&scan->reset_colours, text);
    }
}

void scan_free(struct scan *scan)
{
    str_free(&scan->own);
    str_free(&scan->reset_colours);
    str_free(&scan->pending);
    str_free(&scan->instead);
    str_free(&scan->problems);
}

bool scan_mode_at_start(unsigned number)
{
    for (size_t i = 0; i < sizeof starts_on / sizeof *starts_on; i++)
        if (starts_on[i].number == number)
            return starts_on[i].on;
    return false;
}

bool scan_mode(const struct scan *scan, unsigned number)
{
    for (size_t i = 0; i < scan->mode_count; i++)
        if (scan->modes[i].number == number)
            return scan->modes[i].on;
    return scan_mode_at_start(number);
}

static void set_mode(struct scan *scan, unsigned number, bool on)
{
    size_t i = 0;

    while (i < scan->mode_count && scan->modes[i].number != number)
        i++;
    if (i == SCAN_MODES_MAX)
        return; /* enough problems are reported */
    if (i == scan->mode_count)
        scan->mode_count++;
    scan->modes[i] = (struct scan_mode){number, on};
}

void scan_add_problem(struct scan *scan, const char *what, struct span bytes)
{
    str_addf(&scan->problems, "%s before byte %zu: ", what, scan->offset);
    for (size_t i = 0; i < bytes.len; i++) {
        unsigned char c = (unsigned char)bytes.at[i];
        if (c > 0x20 && c < 0x7f)
            str_putc(&scan->problems, (char)c);
        else
            str_addf(&scan->problems, "\\x%02x", c);
    }
    str_putc(&scan->problems, '\n');
    scan->problem_count++;
}

/* True if one of the terminal's own strings equals these bytes. */
static bool is_own(const struct scan *scan, struct span bytes)
{
    return memmem(str_c(&scan->own), scan->own.len, bytes.at, bytes.len) != NULL;
}

static bool is_allowed(const struct scan *scan, struct span bytes)
{
    for (size_t i = 0; scan->may_write && scan->may_write[i]; i++)
        if (span_starts(bytes, span_of(scan->may_write[i])))
            return true;
    return is_own(scan, bytes);
}

/* A string sequence may carry text, but no characters that text must not contain. */
static bool has_plain_text(struct span bytes)
{
    struct span rest = {bytes.at + 2, bytes.len - 2};

    while (rest.len) {
        int32_t code = utf8_next(&rest);
        if (code == UTF8_INVALID || (code != BEL && code != ESC && !char_is_plain(code)))
            return false;
    }
    return true;
}

/* Sets private modes one by one: of several in a sequence the emulator knows only the first. */
static void set_modes(struct scan *scan, const struct csi *csi)
{
    if (csi->leader != '?' || (csi->final != 'h' && csi->final != 'l'))
        return;
    for (size_t i = 0; i < csi->count; i++) {
        set_mode(scan, csi->parameters[i], csi->final == 'h');
        if (csi->count > 1)
            str_addf(&scan->instead, "\x1b[?%u%c", csi->parameters[i], csi->final);
    }
}

/* Expands a repetition, because libvterm moves to the last column if one ends just before it. */
static void repeat(struct scan *scan, const struct csi *csi)
{
    unsigned count = csi->count ? csi->parameters[0] : 1;

    if (csi->final != 'b' || !scan->last || count > SEQUENCE_MAX)
        return;
    str_pad(&scan->instead, scan->last, count);
}

static void judge_sequence(struct scan *scan)
{
    struct span bytes = str_span(&scan->pending);
    struct csi csi;

    if (bytes.len == 2 && (bytes.at[1] == '=' || bytes.at[1] == '>'))
        set_mode(scan, SCAN_KEYPAD, bytes.at[1] == '=');
    if (bytes.len > 2 && bytes.at[1] == '[' && csi_read(&csi, bytes.at + 2, bytes.len - 2)) {
        set_modes(scan, &csi);
        repeat(scan, &csi);
        if (csi_is_known(&csi))
            return;
    }
    if (!is_allowed(scan, bytes))
        scan_add_problem(scan, "a sequence", bytes);
    else if (!has_plain_text(bytes))
        scan_add_problem(scan, "a sequence with hidden text", bytes);
}

static void pass_pending(struct scan *scan, struct str *pass)
{
    str_add_span(pass, str_span(scan->instead.len ? &scan->instead : &scan->pending));
    str_clear(&scan->instead);
    str_clear(&scan->pending);
}

enum step { MORE, DONE, BROKEN };

static enum step step_string(const struct scan *scan, unsigned char c)
{
    size_t len = scan->pending.len;

    if (len > SEQUENCE_MAX)
        return BROKEN;
    if (span_eq(str_span(&scan->pending), str_span(&scan->reset_colours)) || c == BEL)
        return DONE;
    return len > 3 && scan->pending.at[len - 2] == ESC ? c == '\\' ? DONE : BROKEN : MORE;
}

/* Returns the step after the newest byte of the sequence, which is already in `pending`. */
static enum step step_sequence(const struct scan *scan, unsigned char c)
{
    char second = scan->pending.at[1];

    if (strchr("]PX^_", second))
        return scan->pending.len == 2 ? MORE : step_string(scan, c);
    if (second == '[')
        return scan->pending.len == 2 || (c >= 0x20 && c < 0x40) ? MORE
               : c >= 0x40 && c < 0x7f                           ? DONE
                                                                 : BROKEN;
    return c >= 0x20 && c < 0x30 ? MORE : c >= 0x30 && c < 0x7f ? DONE : BROKEN;
}

static void take_sequence(struct scan *scan, unsigned char c, struct str *pass)
{
    str_putc(&scan->pending, (char)c);
    enum step step = step_sequence(scan, c);
    if (step == MORE)
        return;
    if (step == BROKEN)
        scan_add_problem(scan, "a broken sequence", str_span(&scan->pending));
    else
        judge_sequence(scan);
    /* The console's sequence that resets colours has no end that other emulators recognize. */
    if (step == DONE && scan->pending.at[1] == ']' && c != BEL && c != '\\')
        str_clear(&scan->pending);
    pass_pending(scan, pass);
}

static size_t expected_len(unsigned char lead)
{
    return lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
}

static void take_control(struct scan *scan, unsigned char c, struct str *pass)
{
    char byte = (char)c;

    if (!strchr("\a\b\t\n\r", c) || !c) /* strchr() would find the terminator */
        if (!(c == 0x0e || c == 0x0f) || !is_own(scan, (struct span){&byte, 1}))
            scan_add_problem(scan, "a control character", (struct span){&byte, 1});
    str_putc(pass, byte);
}

static void take_char(struct scan *scan, struct str *pass)
{
    struct span rest = str_span(&scan->pending);
    int32_t code = utf8_next(&rest);

    if (code == UTF8_INVALID || rest.len)
        scan_add_problem(scan, "no UTF-8", str_span(&scan->pending));
    else if (!char_is_plain(code))
        scan_add_problem(scan, "a hidden character", str_span(&scan->pending));
    scan->last = '\0';
    pass_pending(scan, pass);
}

static void take_byte(struct scan *scan, unsigned char c, struct str *pass)
{
    scan->offset++;
    if (scan->pending.len && scan->pending.at[0] == ESC) {
        take_sequence(scan, c, pass);
        return;
    }
    if (scan->pending.len && (c & 0xc0) != 0x80)
        take_char(scan, pass); /* cut short */
    if (c == ESC) {
        str_putc(&scan->pending, (char)c);
    } else if (c >= 0x80 && scan->utf8) {
        str_putc(&scan->pending, (char)c);
        if (scan->pending.len >= expected_len((unsigned char)scan->pending.at[0]))
            take_char(scan, pass);
    } else if (c >= 0x80) {
        scan_add_problem(scan, "no ASCII", (struct span){(const char *)&c, 1});
        str_putc(pass, (char)c);
    } else if (c < 0x20 || c == 0x7f) {
        take_control(scan, c, pass);
    } else {
        scan->last = (char)c;
        str_putc(pass, (char)c);
    }
}

void scan_feed(struct scan *scan, struct span bytes, struct str *pass)
{
    for (size_t i = 0; i < bytes.len; i++)
        take_byte(scan, (unsigned char)bytes.at[i], pass);
}

void scan_end(struct scan *scan)
{
    if (scan->pending.len)
        scan_add_problem(scan, "an unfinished sequence", str_span(&scan->pending));
    str_clear(&scan->pending);
}
