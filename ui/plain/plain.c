/* The program without a screen: prints what screens show as lines, and reads lines. For screen
 * readers, terminals that can do nothing else, and scripts.
 *
 * The modes of the terminal are not changed, no sequence is ever written, and nothing is printed
 * while a line is typed: news are printed before the next prompt. */
#include "ui/plain/plain.h"

#include "base/text/sanitize.h"
#include "base/text/utf8.h"
#include "ui/compose/form.h"
#include "ui/widget/command_line.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

/* The program without a screen: printing screens as lines. */

/* Converting a grid to text. */

enum { BLANKS_MOST = 3, NUMBER_MOST = 9999 };

/* Returns the number of the row, from 1; 0 if it cannot be chosen. */
static size_t count_of(const struct grid *grid, int y)
{
    for (size_t i = 0; i < grid->stop_count; i++)
        if (grid->stops[i].y == y)
            return i + 1;
    return 0;
}

/* Appends one row as a line, with the number before it unless it is 0. */
static void plain_add_row(struct str *out, const struct grid *grid, int y, size_t number)
{
    if (number)
        str_addf(out, "%3zu. ", number);
    grid_add_row(out, grid, y);
    str_putc(out, '\n');
}

static bool is_blank(const struct grid *grid, int y)
{
    CLEANUP(str_free) struct str row = {0};

    grid_add_row(&row, grid, y);
    return row.len == 0;
}

bool plain_add_rows(struct str *out, const struct grid *grid)
{
    int blanks = 0;
    bool begun = false;

    for (int y = 0; y < grid->rows; y++) {
        if (is_blank(grid, y)) {
            blanks++;
            continue;
        }
        if (blanks > BLANKS_MOST)
            blanks = 1; /* empty space of a screen, not part of a text */
        for (; begun && blanks; blanks--)
            str_putc(out, '\n');
        plain_add_row(out, grid, y, count_of(grid, y));
        blanks = 0;
        begun = true;
    }
    return begun && !blanks;
}

bool plain_selected(const struct grid *grid, struct span *key)
{
    size_t number = count_of(grid, grid->cursor_y);

    if (number)
        *key =
            (struct span){grid->text.at + grid->stops[number - 1].at, grid->stops[number - 1].len};
    return number > 0;
}

static bool has_found(const struct grid *grid, int y)
{
    for (int x = 0; x < grid->columns; x++)
        if (grid->cells[(size_t)y * (size_t)grid->columns + (size_t)x].over == STYLE_FOUND)
            return true;
    return false;
}

bool plain_add_found(struct str *out, const struct grid *grid)
{
    bool any = false;

    for (int y = 0; y < grid->rows; y++) {
        if (!has_found(grid, y))
            continue;
        plain_add_row(out, grid, y, count_of(grid, y));
        any = true;
    }
    return any;
}

bool plain_take_line(struct str *input, bool ended, struct str *line)
{
    const char *end = input->len ? memchr(input->at, '\n', input->len) : NULL;
    size_t len = end ? (size_t)(end - input->at) : input->len;

    if (!end && !(ended && input->len))
        return false;
    str_clear(line);
    str_add(line, input->at, len);
    if (line->len && line->at[line->len - 1] == '\r')
        line->at[--line->len] = '\0';
    size_t used = end ? len + 1 : len;
    memmove(input->at, input->at + used, input->len - used);
    input->len -= used;
    input->at[input->len] = '\0';
    return true;
}

bool plain_take_number(struct span *line, size_t *number)
{
    struct span rest = span_trim(*line);
    size_t value = 0, digits = 0;

    while (digits < rest.len && rest.at[digits] >= '0' && rest.at[digits] <= '9') {
        value = value * 10 + (size_t)(rest.at[digits++] - '0');
        if (value > NUMBER_MOST)
            value = NUMBER_MOST;
    }
    if (!digits || (digits < rest.len && rest.at[digits] != ' '))
        return false;
    *number = value;
    *line = span_trim((struct span){rest.at + digits, rest.len - digits});
    return true;
}

enum { ROWS = 200, TEXT_ROWS = 10000, COLUMNS = 80, COLUMNS_LEAST = 20 };

static void put_line(const struct str *text)
{
    if (text->len)
        fwrite(text->at, 1, text->len, stdout);
}

/* Prints a text as a line, cleaned. */
static void plain_put(const struct plain *plain, struct span text)
{
    CLEANUP(str_free) struct str line = {0};

    sanitize_add(&line, text, plain->ui->grid.clean);
    str_putc(&line, '\n');
    put_line(&line);
}

/* Prints the status messages. */
static void plain_put_said(struct plain *plain)
{
    struct status_message *saying = &plain->ui->saying;

    if (saying->failed.len)
        plain_put(plain, str_span(&saying->failed));
    if (saying->said.len)
        plain_put(plain, str_span(&saying->said));
    str_clear(&saying->failed);
    str_clear(&saying->said);
}

static int columns(void)
{
    struct winsize size;
    bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col;
    int all = (known ? size.ws_col : COLUMNS) - PLAIN_MARGIN;

    return all > COLUMNS_LEAST ? all : COLUMNS_LEAST;
}

/* Reports whether the screen is only a text: it is printed whole, and nobody has to leave it. */
static bool is_text(struct ui *ui)
{
    return ui_top(ui)->where == IN_PAGER;
}

/* Returns the height to draw in: texts and reviews are printed whole. */
static int rows_for(struct ui *ui)
{
    return is_text(ui) || ui_top(ui)->where == IN_REVIEW ? TEXT_ROWS : ROWS;
}

static void draw_rows(struct ui *ui)
{
    int rows = rows_for(ui), width = columns();

    if (ui->grid.rows != rows || ui->grid.columns != width)
        grid_resize(&ui->grid, rows, width);
    else
        grid_clear(&ui->grid);
    struct area area = grid_area(&ui->grid);
    struct screen *screen = ui_top(ui);
    screen->ops->draw(screen, &ui->grid, &area);
}

/* Keeps the keys of the printed numbers: the person refers to them, whatever changes meanwhile. */
static void keep_stops(struct plain *plain)
{
    const struct grid *grid = &plain->ui->grid;

    plain->keys.count = 0;
    arena_free(&plain->arena);
    plain->arena = (struct arena){0};
    plain->screen = ui_top(plain->ui)->id;
    for (size_t i = 0; i < grid->stop_count; i++) {
        struct span key = {grid->text.at + grid->stops[i].at, grid->stops[i].len};
        span_list_add(&plain->keys, arena_copy(&plain->arena, key));
    }
}

/* Prints the top screen as lines. Closes it afterwards if it is only a text. */
static void plain_show(struct plain *plain)
{
    struct ui *ui = plain->ui;
    CLEANUP(str_free) struct str text = {0}, summary = {0};

    ui->printing = true;
    ui->frame++;
    draw_rows(ui); /* the summary of a screen may depend on its size */
    ui->printing = false;
    frame_add_summary(ui, &summary);
    plain_put(plain, str_span(&summary));
    plain->more = plain_add_rows(&text, &ui->grid);
    put_line(&text);
    ui->drawn_us = time_steady();
    if (is_text(ui)) { /* the numbers printed before remain valid */
        ui_pop(ui, ui_top(ui));
        ui_bury(ui);
        plain->more = false;
    } else {
        keep_stops(plain);
    }
    if (plain->more)
        puts("(there may be more: an empty line goes on)");
}

/* Returns the number of a row; a row that came since the numbers were printed gets the next one. */
static size_t number_of(struct plain *plain, struct span key)
{
    for (size_t i = 0; i < plain->keys.count; i++)
        if (span_eq(plain->keys.items[i], key))
            return i + 1;
    span_list_add(&plain->keys, arena_copy(&plain->arena, key));
    return plain->keys.count;
}

/* Prints only the selected row or, with `found`, the rows with matches. */
static void plain_show_row(struct plain *plain, bool found)
{
    const struct grid *grid = &plain->ui->grid;
    CLEANUP(str_free) struct str text = {0};
    struct span key;

    draw_rows(plain->ui);
    if (!(found && plain_add_found(&text, grid)) && plain_selected(grid, &key))
        plain_add_row(&text, grid, grid->cursor_y, number_of(plain, key));
    put_line(&text);
}

/* Moves to the next page and prints it. */
static void plain_next_page(struct plain *plain)
{
    struct ui *ui = plain->ui;
    struct screen *screen = ui_top(ui);

    /* a list continues after the last row printed, wherever the cursor was */
    if (plain->keys.count && screen->where & IN_LISTS && screen->ops->choose)
        screen->ops->choose(screen, plain->keys.items[plain->keys.count - 1], false);
    CLEANUP(str_free) struct str before = {0}, after = {0};
    draw_rows(ui);
    plain_add_rows(&before, &ui->grid);
    ui_act(ui, ACTION_PAGE_DOWN, (struct span){0});
    draw_rows(ui);
    plain_add_rows(&after, &ui->grid);
    if (span_eq(str_span(&before), str_span(&after))) {
        puts("that was all of it");
        plain->more = false;
    } else {
        plain_show(plain);
    }
}

/* The program without a screen: forms, field by field. */

/* Returns the form on top, or NULL. */
static struct form_screen *form_on_top(struct ui *ui)
{
    struct screen *screen = ui_top(ui);

    return screen->ops == &form_ops ? form_of(screen) : NULL;
}

/* Reports whether a field is asked for. */
static bool plain_form_asks(const struct plain *plain)
{
    const struct form_screen *form = form_on_top(plain->ui);

    return form && plain->form == form->screen.id && plain->field < form->count;
}

static void stop_form(struct plain *plain)
{
    plain->field = SIZE_MAX;
    plain->written = false;
    str_clear(&plain->text);
}

static void plain_form_give_up(struct plain *plain)
{
    stop_form(plain);
    puts("the other fields stay as they are");
}

/* Asks for the next field, starting at that entry. */
static void go_on(struct plain *plain, struct form_screen *form, size_t from)
{
    while (from < form->count && !entry_is_shown(form, &form->entries[from]))
        from++;
    stop_form(plain);
    if (from < form->count) {
        plain->field = from;
        form->at = from;
    } else {
        plain_show(plain);
        puts("send shows what would be sent; NAME asks for that field again, NAME editor opens it "
             "in the editor; postpone keeps it, discard throws it away");
    }
}

/* Starts asking for the fields of a form that was opened. */
static void plain_form_check(struct plain *plain)
{
    struct form_screen *form = form_on_top(plain->ui);

    if (!form || form->screen.id == plain->form)
        return;
    plain->form = form->screen.id;
    plain->single = false;
    go_on(plain, form, 0);
}

/* Asks for the field that the line names; returns false if it names none. */
static bool plain_form_name(struct plain *plain, struct span line)
{
    struct form_screen *form = form_on_top(plain->ui);

    for (size_t i = 0; form && i < form->count; i++) {
        const char *label = form->entries[i].spec->label;
        size_t len = strlen(label);
        if (line.len < len || strncasecmp(label, line.at, len) != 0 ||
            !entry_is_shown(form, &form->entries[i]))
            continue;
        struct span behind = {line.at + len, line.len - len}, rest = span_trim(behind);
        if (behind.len && (behind.at[0] != ' ' || !span_is(rest, "editor")))
            continue;
        form->at = i;
        if (rest.len) {
            ui_act(plain->ui, ACTION_EDITOR, (struct span){0});
        } else {
            stop_form(plain);
            plain->field = i;
            plain->single = true;
        }
        return true;
    }
    return false;
}

/* --- questions --- */

static void add_items(struct str *out, const struct entry *entry)
{
    for (size_t i = 0; i < entry->count; i++) {
        struct span item = edit_text(&entry->edits[i]);
        if (item.len)
            str_addf(out, "%s%.*s", i ? "; " : "", (int)item.len, item.at);
    }
}

static void add_place(struct str *out, const struct form_screen *form, size_t at)
{
    const struct form_target *place = &form->places[at];

    str_addf(out, "%s:%s", ui_source(form->screen.ui, place->source)->format->name,
             ui_source(form->screen.ui, place->source)->path);
    if (place->team.len)
        str_addf(out, " %.*s", (int)place->team.len, place->team.at);
}

/* Appends the value of a field on one line. */
static void add_value(struct str *out, const struct form_screen *form, const struct entry *entry)
{
    switch (entry->spec->kind) {
    case ENTRY_LINE:
    case ENTRY_TEXT:
        str_add_span(out, edit_text(&entry->edits[0]));
        break;
    case ENTRY_ITEMS:
        add_items(out, entry);
        break;
    case ENTRY_PRIORITY:
        str_puts(out, entry->choice ? priority_name((enum priority)entry->choice) : "");
        break;
    case ENTRY_SWITCH:
        str_puts(out, entry->on ? "yes" : "no");
        break;
    case ENTRY_PLACE:
        if (entry->choice < form->place_count)
            add_place(out, form, entry->choice);
        break;
    }
}

static void put_places(struct plain *plain, const struct form_screen *form)
{
    for (size_t i = 0; i < form->place_count; i++) {
        CLEANUP(str_free) struct str line = {0};
        str_addf(&line, "%3zu. ", i + 1);
        add_place(&line, form, i);
        plain_put(plain, str_span(&line));
    }
}

static void plain_form_add_question(struct plain *plain, struct str *out)
{
    static const char *const how[] = {[ENTRY_TEXT] =
                                          " (several lines; a line with only a dot ends it)",
                                      [ENTRY_ITEMS] = " (one a line; an empty line ends it)",
                                      [ENTRY_PRIORITY] = " (low, normal, high or urgent)",
                                      [ENTRY_SWITCH] = " (y/n)",
                                      [ENTRY_PLACE] = " (a number)"};
    struct form_screen *form = form_on_top(plain->ui);
    const struct entry *entry = &form->entries[plain->field];
    enum entry_kind kind = entry->spec->kind;

    if (plain->written)
        return; /* the question comes before the first line only */
    if (kind == ENTRY_PLACE)
        put_places(plain, form);
    str_addf(out, "%s%s", entry->spec->label, entry_is_required(form, entry) ? "*" : "");
    str_puts(out, kind == ENTRY_LINE ? "" : how[kind]);
    if (entry->spec->hint)
        str_addf(out, " (%s)", entry->spec->hint);
    CLEANUP(str_free) struct str value = {0};
    add_value(&value, form, entry);
    if (value.len)
        str_addf(out, " [%s]", str_c(&value));
    str_puts(out, kind == ENTRY_TEXT || kind == ENTRY_ITEMS ? ":\n" : ": ");
}

/* Prints "swarmutt> ", or the question. */
static void plain_put_prompt(struct plain *plain)
{
    CLEANUP(str_free) struct str text = {0};

    if (plain->ui->prompt)
        prompt_add_question(plain->ui, &text);
    else if (plain_form_asks(plain))
        plain_form_add_question(plain, &text);
    else
        str_puts(&text, "swarmutt> ");
    CLEANUP(str_free) struct str cleaned = {0};
    sanitize_add(&cleaned, str_span(&text), plain->ui->grid.clean | SANITIZE_LINES);
    put_line(&cleaned);
    fflush(stdout);
}

/* --- answers --- */

/* Sets a field of one line; - clears it. */
static bool set_line(struct form_screen *form, struct entry *entry, struct span line)
{
    if (span_is(line, "-"))
        line.len = 0;
    if (edit_replace(&entry->edits[0], 0, entry->edits[0].text.len, line) == EDIT_FULL)
        ui_info(form->screen.ui, STYLE_WARNING, "that is too long");
    form_changed(form);
    return true;
}

static bool set_choice(struct form_screen *form, struct entry *entry, struct span line)
{
    enum priority priority;
    size_t number;

    switch (entry->spec->kind) {
    case ENTRY_PRIORITY:
        if (!priority_parse(line, &priority))
            return false;
        entry->choice = priority;
        break;
    case ENTRY_PLACE:
        if (!plain_take_number(&line, &number) || !number || number > form->place_count)
            return false;
        entry->choice = number - 1;
        break;
    default:
        if (!span_is(line, "y") && !span_is(line, "n") && !span_is(line, "yes") &&
            !span_is(line, "no"))
            return false;
        entry->on = line.at[0] == 'y';
    }
    form_changed(form);
    return true;
}

static void set_items(struct form_screen *form, struct entry *entry, struct span text)
{
    while (entry->count > 1)
        entry_remove_item(entry, 0);
    entry->at = 0;
    edit_set(&entry->edits[0], span_of(""));
    form_type(&form->screen, text, true);
}

/* Adds a line to a field with several; returns true after the last. */
static bool take_line(struct plain *plain, struct form_screen *form, struct entry *entry,
                      struct span line)
{
    bool text = entry->spec->kind == ENTRY_TEXT;

    if (span_is(line, ".") || (!text && !span_trim(line).len)) {
        if (!plain->written)
            return true; /* the field stays as it is */
        if (text)
            set_line(form, entry, str_span(&plain->text));
        else
            set_items(form, entry, str_span(&plain->text));
        return true;
    }
    if (span_is(line, "..")) /* a literal dot */
        line.len = 1;
    str_puts(&plain->text, plain->written ? "\n" : "");
    str_add_span(&plain->text, line);
    plain->written = true;
    return false;
}

static void plain_form_answer(struct plain *plain, struct span line)
{
    struct form_screen *form = form_on_top(plain->ui);
    size_t field = plain->field;
    struct entry *entry = &form->entries[field];
    struct span trimmed = span_trim(line);
    bool done = true;

    form->at = field;
    if (form->sending)
        ui_info(plain->ui, STYLE_WARNING, "it is being sent: nothing can be changed now");
    else if (entry->spec->kind == ENTRY_TEXT || entry->spec->kind == ENTRY_ITEMS)
        done = take_line(plain, form, entry, line);
    else if (trimmed.len)
        done = entry->spec->kind == ENTRY_LINE ? set_line(form, entry, trimmed)
                                               : set_choice(form, entry, trimmed);
    if (!done && !plain->written)
        ui_info(plain->ui, STYLE_WARNING, "that cannot be there; an empty line leaves it as it is");
    if (done && plain->single)
        stop_form(plain);
    else if (done)
        go_on(plain, form, field + 1);
}

/* Running a line. */

static void run_text(struct plain *plain, struct span line)
{
    struct ui *ui = plain->ui;
    struct key_sequence keys;
    struct err err;
    enum fed fed;

    if (line.at[0] == '/' && line.len > 1) {
        input_act(ui, ACTION_SEARCH, (struct span){line.at + 1, line.len - 1});
        return;
    }
    if (line.at[0] == ':' && line.len > 1)
        line = span_trim((struct span){line.at + 1, line.len - 1});
    if (!command_line_knows(ui, line) && key_sequence_parse(line, &keys, &err)) {
        enum action action = keymap_lookup(&ui->keymap, ui_top(ui)->where, &keys, &fed);
        if (fed == FED_ACTION) {
            input_act(ui, action, (struct span){0});
            return;
        }
        if (keys.count == 1 || fed == FED_PENDING) {
            ui_info(ui, STYLE_WARNING, "%.*s %s; help shows all keys", (int)line.len, line.at,
                    fed == FED_PENDING ? "is the start of several keys" : "does nothing here");
            return;
        }
    }
    command_line_run(ui, line);
}

/* Runs a line that starts with a number: of the row that had it when it was printed. */
static void run_number(struct plain *plain, size_t number, struct span rest)
{
    struct ui *ui = plain->ui;
    struct screen *screen = ui_top(ui);

    if (!number || number > plain->keys.count || screen->id != plain->screen) {
        ui_info(ui, STYLE_WARNING,
                plain->keys.count ? "no row has the number %zu; an empty line "
                                    "shows them"
                                  : "there is no row %zu here",
                number);
        return;
    }
    if (!screen->ops->choose ||
        !screen->ops->choose(screen, plain->keys.items[number - 1], !rest.len)) {
        ui_info(ui, STYLE_WARNING, "row %zu is not there any more; nothing was done", number);
        return;
    }
    if (!rest.len) {
        ui->acted = ACTION_OPEN;
        return;
    }
    if (screen->where & IN_DECIDE && input_has_moved(ui)) { /* the person has not read it yet */
        ui->acted = ACTION_OPEN;
        ui_info(ui, STYLE_WARNING, "read it first, here it is; then \"%.*s\" does it",
                (int)rest.len, rest.at);
        return;
    }
    input_pin(ui);
    run_text(plain, rest);
}

static bool is_search(enum action action)
{
    return action == ACTION_SEARCH || action == ACTION_SEARCH_NEXT ||
           action == ACTION_SEARCH_PREVIOUS;
}

/* Reports whether the action changes the whole of what a screen shows; other actions move in it, or
 * say what they did. */
static bool shows_all(const struct ui *ui, enum action action, struct screen *screen)
{
    if (action == ACTION_REDRAW)
        return true;
    if (action == ACTION_NONE || ui->prompt || is_search(action))
        return false;
    switch (actions[action].group) {
    case GROUP_READ:
    case GROUP_FIND:
    case GROUP_VIEW:
        return true;
    case GROUP_MOVE: /* requests and texts are shown whole */
        return screen->where & (IN_DECIDE | IN_READING) || action == ACTION_BACK;
    default:
        return false;
    }
}

static void plain_put_result(struct plain *plain)
{
    struct ui *ui = plain->ui;
    enum action action = ui->acted;
    struct screen *screen = ui_top(ui);
    bool moved = action != ACTION_NONE && !ui->prompt && input_has_moved(ui);

    plain_put_said(plain);
    if (screen->id != plain->screen || shows_all(ui, action, screen) ||
        (moved && screen->where & (IN_DECIDE | IN_READING)))
        plain_show(plain);
    else if (moved || (is_search(action) && !ui->prompt) ||
             (action && actions[action].group == GROUP_MOVE))
        plain_show_row(plain, is_search(action));
}

/* Runs a line and notes what it changed; effects that come later are awaited elsewhere. */
static void plain_act(struct plain *plain, struct span line)
{
    struct ui *ui = plain->ui;
    struct span typed = line;
    size_t number;

    line = span_trim(line);
    ui->acted = ACTION_NONE;
    if (!utf8_valid(typed)) {
        ui_info(ui, STYLE_WARNING, "that is not UTF-8; nothing was done");
    } else if (ui->prompt) {
        prompt_answer(ui, line);
        ui->acted = plain->asking;
    } else if (plain_form_asks(plain)) {
        plain_form_answer(plain, typed);
    } else if (line.len && plain_form_name(plain, line)) {
        plain->asking = ACTION_NONE;
    } else if (!line.len && plain->more) {
        plain_next_page(plain);
    } else if (!line.len) {
        ui->acted = ACTION_REDRAW;
    } else if (plain_take_number(&line, &number)) {
        run_number(plain, number, line);
    } else {
        run_text(plain, line);
    }
    plain->asking = ui->acted;
    ui_bury(ui);
}

enum { READ_MOST = 65536 };

/* Time after which the person is told that something takes long. */
#define PATIENCE_US INT64_C(2000000)

/* --- waiting --- */

static bool is_readable(int fd)
{
    struct pollfd poll_fd = {.fd = fd, .events = POLLIN};

    return fd >= 0 && poll(&poll_fd, 1, 0) > 0;
}

/* Reports whether ^C was pressed since the last call. */
static bool was_interrupted(const struct plain *plain)
{
    struct signalfd_siginfo info;

    return is_readable(plain->signals) &&
           read(plain->signals, &info, sizeof info) == (ssize_t)sizeof info;
}

static bool is_loading(const struct ui *ui)
{
    return !ui->picture->ready || !ui->picture->world || !ui->picture->number;
}

static bool is_working(const struct ui *ui)
{
    return ui->tasks || ui->followed_count;
}

/* Waits until it has ended, or ^C is pressed. */
static void wait_for(struct plain *plain, bool (*is_going_on)(const struct ui *ui),
                     const char *waiting)
{
    struct ui *ui = plain->ui;
    int64_t begun_us = time_steady();
    bool told = !plain->typed;

    while (is_going_on(ui) && !ui->leaving) {
        events_wait(ui, -1, plain->signals, told ? TIME_NONE : PATIENCE_US);
        events_settle(ui);
        if (was_interrupted(plain)) {
            puts("\nit goes on by itself");
            return;
        }
        if (!told && time_steady() - begun_us >= PATIENCE_US && is_going_on(ui)) {
            puts(waiting);
            fflush(stdout);
            told = true;
        }
    }
}

/* Prints the news since the last prompt, in one line. */
static void put_changes(struct plain *plain)
{
    struct ui *ui = plain->ui;
    CLEANUP(str_free) struct str text = {0};

    if (notify_take(&ui->tidings.notify, NOTIFY_LINE, time_steady(), ui->grid.clean, &text))
        plain_put(plain, str_span(&text));
}

/* --- lines --- */

static void read_some(struct plain *plain)
{
    ssize_t got = read(STDIN_FILENO, str_room(&plain->input, READ_MOST), READ_MOST);

    if (got > 0) {
        plain->input.len += (size_t)got;
        plain->input.at[plain->input.len] = '\0';
    } else if (got == 0 || (errno != EINTR && errno != EAGAIN)) {
        plain->ended = true;
    }
}

static void take_interrupt(struct plain *plain)
{
    struct ui *ui = plain->ui;

    str_clear(&plain->input);
    putchar('\n');
    if (ui->prompt) {
        prompt_give_up(ui);
        plain_put_said(plain);
        puts("given up");
    }
    if (!ui->prompt && plain_form_asks(plain))
        plain_form_give_up(plain);
    plain_put_prompt(plain);
}

/* Waits for the next line; returns false at the end of the input. */
static bool next_line(struct plain *plain, struct str *line)
{
    while (!plain_take_line(&plain->input, plain->ended, line)) {
        if (plain->ended || ferror(stdout))
            return false;
        events_wait(plain->ui, STDIN_FILENO, plain->signals, TIME_NONE);
        events_settle(plain->ui);
        if (was_interrupted(plain))
            take_interrupt(plain);
        if (is_readable(STDIN_FILENO))
            read_some(plain);
    }
    if (!plain->typed) /* so that the output reads like a terminal session */
        plain_put(plain, str_span(line));
    return true;
}

/* --- start and end --- */

/* Lets ^C give up a line; if lines come from a file it ends the program, as usual. */
static void take_signals(struct plain *plain)
{
    sigset_t set;

    signal(SIGPIPE, SIG_IGN);
    if (!plain->typed)
        return;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    plain->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (plain->signals >= 0)
        pthread_sigmask(SIG_BLOCK, &set, NULL);
}

void plain_run(struct ui *ui)
{
    struct plain plain = {
        .ui = ui, .typed = isatty(STDIN_FILENO), .signals = -1, .field = SIZE_MAX};
    CLEANUP(str_free) struct str line = {0};

    ui->grid.plain = true;
    take_signals(&plain);
    events_start(ui);
    wait_for(&plain, is_loading, "looking for mail ...");
    plain_show(&plain);
    puts("help explains what can be typed; quit leaves");
    while (!ui->leaving) {
        if (!ui->prompt)
            input_pin(ui);
        if (!ui->prompt && !plain_form_asks(&plain))
            put_changes(&plain);
        plain_put_prompt(&plain);
        if (!next_line(&plain, &line))
            break;
        plain_put_said(&plain); /* news of earlier actions that came meanwhile */
        plain_act(&plain, str_span(&line));
        wait_for(&plain, is_working, "it takes a while; ^C goes on without waiting");
        if (ui->leaving)
            plain_put_said(&plain);
        else
            plain_put_result(&plain);
        plain_form_check(&plain);
    }
    if (plain.ended && plain.typed)
        putchar('\n');
    if (plain.signals >= 0)
        close(plain.signals);
    span_list_free(&plain.keys);
    arena_free(&plain.arena);
    str_free(&plain.input);
    str_free(&plain.text);
}
