/* Leaks that the leak sanitizer must not report, for programs that are built with it: the screens
 * are confined and cannot read a file with these when they end. */
const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
    return "leak:libtinfo\n" /* curses keeps its data about the terminal until the process ends */
           "leak:libncurses\n"
           "leak:libcriterion\n"; /* the test runner keeps its registrations */
}
