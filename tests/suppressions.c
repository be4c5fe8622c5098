/* What the leak sanitizer does not tell, put into programs that are built with it: the screens are
 * confined and cannot read a file of these when they end. */
const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
    return "leak:libtinfo\n" /* curses keeps what it knows of the terminal until the process ends */
           "leak:libncurses\n"
           "leak:libcriterion\n"; /* the test runner keeps what it registered */
}
