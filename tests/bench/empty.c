/* The least that a program with a screen can be: one line, drawn once. Any key ends it. */
#include <locale.h>

#include <curses.h>

int main(void)
{
    setlocale(LC_ALL, "");
    if (!initscr())
        return 1;
    mvaddstr(0, 0, "here I am");
    refresh();
    getch();
    endwin();
    return 0;
}
