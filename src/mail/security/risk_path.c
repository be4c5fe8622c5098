/* Risks: paths that lead out of the working directory, and parts of words. */
#include "mail/security/risk_private.h"

#include "base/text/confusables.h"
#include "base/text/utf8.h"

#include <utf8proc.h>

/* Harmless devices, and prefixes of the standard streams of a program. */
static const char *const harmless[] = {"/dev/null",   "/dev/zero",    "/dev/tty", "/dev/full",
                                       "/dev/random", "/dev/urandom", NULL};
static const char *const streams[] = {"/dev/std", "/dev/fd/", NULL};

/* Removes the next component from a path; returns false at its end. */
static bool take_component(struct span *path, struct span *component)
{
    while (path->len && path->at[0] == '/')
        *path = (struct span){path->at + 1, path->len - 1};
    *component = (struct span){path->at, 0};
    while (component->len < path->len && path->at[component->len] != '/')
        component->len++;
    if (component->len)
        *path = (struct span){path->at + component->len, path->len - component->len};
    return component->len;
}

/* Appends an absolute path without dots and doubled slashes; "" is the root. */
static void add_normal(struct str *out, struct span path)
{
    struct span component;

    while (take_component(&path, &component)) {
        if (span_is(component, "."))
            continue;
        if (!span_is(component, "..")) {
            str_putc(out, '/');
            str_add_span(out, component);
            continue;
        }
        while (out->len && out->at[out->len - 1] != '/')
            out->len--;
        out->len -= out->len > 0;
    }
}

static bool climbs_out(struct span path)
{
    struct span component;
    size_t depth = 0;

    while (take_component(&path, &component)) {
        if (span_is(component, "..") && !depth)
            return true;
        if (span_is(component, ".."))
            depth--;
        else if (!span_is(component, "."))
            depth++;
    }
    return false;
}

static bool is_beneath(struct span path, struct span cwd)
{
    CLEANUP(str_free) struct str here = {0}, there = {0};
    bool beneath = false;

    add_normal(&here, cwd);
    add_normal(&there, path);
    if (span_starts(cwd, span_of("/"))) /* otherwise the location is unknown */
        beneath = span_starts(str_span(&there), str_span(&here)) &&
                  (there.len == here.len || there.at[here.len] == '/');
    for (size_t i = 0; !beneath && harmless[i]; i++)
        beneath = span_is(str_span(&there), harmless[i]);
    for (size_t i = 0; !beneath && streams[i]; i++)
        beneath = span_starts(str_span(&there), span_of(streams[i]));
    return beneath;
}

/* Checks a path that starts with a variable: of the working directory itself, of home, or of an
 * unknown place. */
static bool leaves_by_variable(struct span path)
{
    size_t i = 1, start = 1;

    if (path.len > 1 && path.at[1] == '{')
        i = start = 2;
    while (i < path.len && risk_is_name(path.at[i]))
        i++;
    struct span name = {path.at + start, i - start};
    i += start == 2 && i < path.len && path.at[i] == '}';
    struct span rest = {path.at + i, path.len - i};
    if (span_is(name, "PWD"))
        return climbs_out(rest);
    return span_is(name, "HOME") || span_is(name, "OLDPWD") || span_starts(rest, span_of("/"));
}

/* True for an absolute path of Windows. */
static bool is_drive(struct span path)
{
    if (span_starts(path, span_of("\\\\")))
        return true;
    return path.len > 2 && path.at[1] == ':' && (path.at[2] == '\\' || path.at[2] == '/') &&
           ((path.at[0] >= 'A' && path.at[0] <= 'Z') || (path.at[0] >= 'a' && path.at[0] <= 'z'));
}

static bool is_outside(struct span path, struct span cwd)
{
    if (!path.len)
        return false;
    switch (path.at[0]) {
    case '/':
        return !is_beneath(path, cwd);
    case '~':
        return true;
    case '$':
        return leaves_by_variable(path);
    default:
        return climbs_out(path);
    }
}

/* Directories without projects, and directories that contain people's projects. */
static const char *const system_roots[] = {"etc", "usr", "var",  "boot", "proc", "sys",     "dev",
                                           "lib", "bin", "sbin", "tmp",  "run",  "Library", NULL};
static const char *const home_roots[] = {"home", "root", "Users", "srv", "opt", "mnt", NULL};

static bool is_any(const char *const *list, struct span name)
{
    for (size_t i = 0; list[i]; i++)
        if (span_is(name, list[i]))
            return true;
    return false;
}

/* True for a path into such a directory. Without a working directory only hidden files of a home
 * count as outside. */
static bool leads_to_root(struct span path, struct span cwd)
{
    struct span rest = path, component;

    if (!take_component(&rest, &component) || risk_program(path).at)
        return false;
    if (is_any(system_roots, component))
        return rest.len > 1 && !is_beneath(path, cwd);
    if (!is_any(home_roots, component))
        return false;
    if (span_starts(cwd, span_of("/")))
        return rest.len > 1 && !is_beneath(path, cwd);
    return memmem(path.at, path.len, "/.", 2);
}

bool risk_leads_outside(struct span word, struct span cwd)
{
    if (!word.len)
        return false;
    switch (word.at[0]) {
    case '/':
        return leads_to_root(word, cwd);
    case '~':
        return word.len > 2 && word.at[1] == '/';
    case '$':
        return (span_starts(word, span_of("$HOME/")) || span_starts(word, span_of("${HOME}/")));
    default:
        return is_drive(word) || (memmem(word.at, word.len, "../", 3) && climbs_out(word));
    }
}

void risk_in_path(struct risk_search *search)
{
    risk_in_parts(search);
    risk_alike(search);
    if (is_outside(search->text, search->cwd) || is_drive(search->text))
        risk_note(search, RISK_OUTSIDE, 0, search->text.len);
}

/* A word may contain several paths: after an option, an equal sign, a colon. */
void risk_in_word_paths(struct risk_search *search, struct span word, size_t at, size_t end)
{
    bool option = span_starts(word, span_of("-")), variable = false;
    size_t start = 0;

    for (size_t i = 0; i <= word.len; i++) {
        char c = i < word.len ? word.at[i] : '\0';
        variable = (variable || (c == '{' && i && word.at[i - 1] == '$')) && i < word.len;
        if (option && (c == '/' || c == '~')) { /* -I/usr/include */
            option = false;
            start = i;
        }
        bool apart = i == word.len || (!variable && c && strchr("=:,@{}()<>[]\"'", c));
        variable = variable && c != '}';
        if (!apart)
            continue;
        struct span path = {word.at + start, i - start};
        if (is_outside(path, search->cwd))
            risk_note(search, RISK_OUTSIDE, at, end);
        struct span behind = {word.at + i, word.len - i};
        if (span_starts(behind, span_of("://")) && !span_is(path, "file"))
            i += 2; /* a host follows */
        start = i + 1;
    }
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (unsigned char)c >= 0x80;
}

/* Finds the part in lower case text, from `at` on; returns false if there is none. */
static bool find_part(struct span text, const struct risk_part *part, size_t *at)
{
    size_t len = strlen(part->text);
    const char *end = text.at + text.len;

    while (*at < text.len) {
        const char *found = memmem(text.at + *at, text.len - *at, part->text, len);
        if (!found)
            return false;
        *at = (size_t)(found - text.at);
        const char *behind = found + len;
        bool local = part->text[0] == ':' && *at >= 4 && memcmp(found - 4, "file", 4) == 0;
        behind += part->ends && behind < end && *behind == 's';
        if (!local && (!part->ends || behind == end || !is_letter(*behind)))
            return true;
        ++*at;
    }
    return false;
}

/* Appends the text with ASCII letters in lower case, byte for byte. */
static void add_lower(struct str *out, struct span text)
{
    str_add_span(out, text);
    for (size_t i = 0; i < out->len; i++)
        if (out->at[i] >= 'A' && out->at[i] <= 'Z')
            out->at[i] = (char)(out->at[i] + 32);
}

void risk_in_parts(struct risk_search *search)
{
    CLEANUP(str_free) struct str lower = {0};

    add_lower(&lower, search->text);
    for (size_t i = 0; i < risk_part_count; i++) {
        size_t len = strlen(risk_parts[i].text);
        for (size_t at = 0; find_part(str_span(&lower), &risk_parts[i], &at); at += len)
            risk_note(search, risk_parts[i].kind, at, at + len);
    }
}

void risk_in_word_parts(struct risk_search *search, struct span word, size_t at, size_t end)
{
    CLEANUP(str_free) struct str lower = {0};

    add_lower(&lower, word);
    for (size_t i = 0; i < risk_part_count; i++) {
        size_t found = 0;
        if (find_part(str_span(&lower), &risk_parts[i], &found))
            risk_note(search, risk_parts[i].kind, at, end);
    }
}

/* True for a sign or a blank beyond ASCII that looks like one of ASCII. */
static bool is_disguised(int32_t code, struct span character)
{
    CLEANUP(str_free) struct str skeleton = {0};
    utf8proc_category_t category = utf8proc_category(code);
    bool ascii = true;

    if (code < 0x80 || (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NO) ||
        category >= UTF8PROC_CATEGORY_CC)
        return false;
    if (category == UTF8PROC_CATEGORY_ZS)
        return true;
    confusable_skeleton(&skeleton, character);
    for (size_t i = 0; i < skeleton.len; i++)
        ascii = ascii && (unsigned char)skeleton.at[i] < 0x80;
    ascii = ascii && skeleton.len;
    return ascii;
}

bool risk_is_of_word(int32_t code)
{
    utf8proc_category_t category = code < 0 ? UTF8PROC_CATEGORY_CN : utf8proc_category(code);

    return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NO;
}

void risk_alike(struct risk_search *search)
{
    struct span rest = search->text;
    size_t start = 0, at = 0;

    if (!rest.at)
        return;
    for (;;) {
        bool ended = !rest.len;
        int32_t code = ended ? UTF8_INVALID : utf8_next(&rest);
        size_t next = search->text.len - rest.len;
        if (ended || !risk_is_of_word(code)) {
            struct span run = {search->text.at + start, at - start};
            if (confusable_mixes(run))
                risk_note(search, RISK_ALIKE, start, at);
            start = next;
        }
        if (ended)
            return;
        if (is_disguised(code, (struct span){search->text.at + at, next - at}))
            risk_note(search, RISK_ALIKE, at, next);
        at = next;
    }
}
