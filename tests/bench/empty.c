/* The smallest program with a screen: draws one line once, and ends on any key. */
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
