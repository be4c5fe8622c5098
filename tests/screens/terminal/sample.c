/* A small screen program that tests the tests' terminal itself. Its argument selects its mistake:
 * one of the faults below, or mess (leaves the terminal as it is). Keys: m and M mouse on and off,
 * p takes a paste, b bell, h hides the cursor, c crashes, q ends. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <curses.h>

static const struct fault {
    const char *name, *bytes;
} faults[] = {
    {"leak", "\x1b]52;c;aGVsbG8=\x07"},
    {"bidi", "\xe2\x80\xae"},
    {"title", "\x1b]2;a title\x07"},
    {"query", "\x1b[6n"},
    {"raw", "\x9b"},
};

static void say(const char *text)
{
    if (write(STDOUT_FILENO, text, strlen(text)) < 0)
        exit(4);
}

static void do_wrong(const char *what)
{
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (strcmp(what, faults[i].name) == 0)
            say(faults[i].bytes);
}

static void draw(int last)
{
    erase();
    mvprintw(0, 0, "sample %dx%d", LINES, COLS);
    attron(A_REVERSE);
    mvprintw(1, 0, "%-*s", COLS, "a bar");
    attroff(A_REVERSE);
    attron(A_BOLD | COLOR_PAIR(1));
    mvaddstr(2, 2, "red and bold");
    attroff(A_BOLD | COLOR_PAIR(1));
    mvaddstr(3, 0, "wide \xe4\xb8\x96\xe7\x95\x8c e\xcc\x81 end");
    mvhline(4, 0, 0, COLS);
    if (last == KEY_RESIZE)
        mvaddstr(5, 0, "key: resize");
    else if (last)
        mvprintw(5, 0, "key: %s (%d)", keyname(last), last);
    move(6, 3);
    refresh();
}

static void take_paste(void)
{
    char text[128];
    size_t len = 0;

    for (int c; len + 1 < sizeof text && (c = getch()) != 'z';) /* the end of the tests' pastes */
        text[len++] = c == '\r' ? '/' : c == '\x1b' ? '^' : (char)c;
    text[len] = '\0';
    mvprintw(7, 0, "pasted: %s", text);
    refresh();
}

static void show_click(void)
{
    MEVENT event;

    if (getmouse(&event) == OK)
        mvprintw(8, 0, "mouse: %d,%d %s", event.y, event.x,
                 event.bstate & BUTTON4_PRESSED ? "wheel" : "click");
    refresh();
}

static void set_mouse(bool on)
{
    mousemask(on ? BUTTON1_PRESSED | BUTTON4_PRESSED : 0, NULL);
}

static bool obey(int c)
{
    draw(c);
    if (c == 'm' || c == 'M')
        set_mouse(c == 'm');
    else if (c == 'p')
        take_paste();
    else if (c == 'b')
        beep();
    else if (c == 'h')
        curs_set(0);
    else if (c == KEY_MOUSE)
        show_click();
    else if (c == 'c')
        abort();
    return c != 'q';
}

int main(int argc, char **argv)
{
    const char *wrong = argc > 1 ? argv[1] : "";

    setlocale(LC_ALL, "");
    puts("before");
    fflush(stdout);
    initscr();
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    mouseinterval(0);
    start_color();
    use_default_colors();
    init_pair(1, COLOR_RED, -1);
    say("\x1b[?2004h");
    draw(0);
    do_wrong(wrong);
    while (obey(getch()))
        ;
    if (strcmp(wrong, "mess") == 0)
        _exit(0);
    say("\x1b[?2004l");
    set_mouse(false);
    endwin();
    puts("after");
    return argc > 2 ? atoi(argv[2]) : 0;
}
