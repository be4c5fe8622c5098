/* doctor: reports problems with advice, and repairs those that are safe to repair. */
#include "store/doctor/doctor.h"
#include "base/io_error.h"
#include "base/json/json_print.h"
#include "base/text/sanitize.h"
#include "cmd/confirm.h"
#include "ui/process/sandbox.h"

#include <unistd.h>

static const struct option_spec options[] = {
    {"fix", .help = "repair what is safe to repair, after asking for each kind"},
    {"yes", .help = "with --fix: do not ask"},
    {0},
};

static const char *severity(const struct finding *finding)
{
    return finding->problem ? "problem" : "remark";
}

static void put_json(const struct app *app, const struct finding *finding)
{
    CLEANUP(str_free) struct str line = {0};

    str_puts(&line, "{\"v\":1");
    json_member_word(&line, "check", finding->check->word);
    json_member_word(&line, "severity", severity(finding));
    json_member(&line, "source", span_of(finding->source ? finding->source->path : NULL));
    json_member(&line, "path", finding->path);
    json_member(&line, "text", finding->text);
    json_member(&line, "advice", finding->advice);
    json_member_flag(&line, "fixable", finding->fixable);
    json_member_flag(&line, "fixed", finding->fixed);
    str_puts(&line, "}\n");
    app_put(app, &line);
}

/* Appends the subject: the path below the root if there is one source, else the whole path. */
static void add_subject(struct str *out, const struct app *app, const struct finding *finding)
{
    bool itself = finding->source && span_is(finding->path, ".");
    bool whole = finding->source && store_source_count(app->store) > 1;
    bool path = finding->path.len && finding->path.at[0] != '"';

    if (itself || whole)
        sanitize_add(out, span_of(finding->source->path), app->clean);
    if (whole && !itself)
        str_puts(out, path ? "/" : ": ");
    if (!itself)
        sanitize_add(out, finding->path, app->clean);
}

static void put_text(const struct app *app, const struct finding *finding)
{
    CLEANUP(str_free) struct str text = {0};

    str_addf(&text, "%-8s %s  ", severity(finding), finding->check->word);
    size_t start = text.len;
    add_subject(&text, app, finding);
    if (text.len > start)
        str_puts(&text, ": ");
    sanitize_add(&text, finding->text, app->clean);
    str_puts(&text, "\n         do: ");
    sanitize_add(&text, finding->advice, app->clean);
    str_putc(&text, '\n');
    app_put(app, &text);
}

/* Prints the result of one repair. */
static void put_outcome(const struct app *app, const struct finding *finding)
{
    CLEANUP(str_free) struct str text = {0};

    str_addf(&text, "%-8s %s  ", finding->fixed ? "fixed" : "left", finding->check->word);
    add_subject(&text, app, finding);
    if (!finding->fixed) {
        str_puts(&text, ": it was not repaired: ");
        sanitize_add(&text, span_of(finding->failure.text), app->clean);
    }
    str_putc(&text, '\n');
    app_put(app, &text);
}

/* Asks at the terminal. Anything but yes means no. */
static bool confirm_repair(const struct app *app, const struct doctor_check *check, size_t count)
{
    CLEANUP(str_free) struct str question = {0};
    char line[64];

    str_addf(&question, "%s %zu %s? [y/N] ", check->deed, count,
             count == 1 ? check->one : check->many);
    return app_ask(app, str_c(&question), line, sizeof line) && (line[0] == 'y' || line[0] == 'Y');
}

static bool repair(struct app *app, struct doctor *doctor, struct err *err)
{
    bool tried = false;

    for (const struct doctor_check *check = doctor_checks; check->word; check++) {
        size_t count = doctor_fixable(doctor, check);
        if (!count || (!app_has(app, "yes") && !confirm_repair(app, check, count)))
            continue;
        tried = true;
        if (!store_doctor_fix(app->store, doctor, check, err))
            return false;
    }
    if (tried)
        store_doctor_confirm(app->store, doctor);
    return true;
}

static void add_number(struct str *out, size_t count, const char *one, const char *many)
{
    str_addf(out, "%zu %s", count, count == 1 ? one : many);
}

/* Prints the counts of what remains. Returns the exit code. */
static int sum_up(const struct app *app, const struct doctor *doctor)
{
    size_t problems = 0, remarks = 0, fixable = 0, fixed = 0;
    CLEANUP(str_free) struct str text = {0};

    for (size_t i = 0; i < doctor->count; i++) {
        const struct finding *finding = doctor->findings[i];
        fixed += finding->fixed;
        problems += finding->problem && !finding->fixed;
        remarks += !finding->problem && !finding->fixed;
        fixable += finding->fixable && !finding->fixed;
    }
    if (!doctor->count) {
        str_puts(&text, io_error_count(IO_ERROR_OTHER) ? "nothing wrong in what could be read: "
                                                       : "nothing wrong: ");
        str_puts(&text, "looked at ");
        add_number(&text, doctor->messages, "message", "messages");
        str_puts(&text, " in ");
        add_number(&text, doctor->boxes, "box", "boxes");
        str_puts(&text, " of ");
        add_number(&text, doctor->sources, "source", "sources");
    } else {
        add_number(&text, problems, "problem", "problems");
        str_puts(&text, ", ");
        add_number(&text, remarks, "remark", "remarks");
        if (fixed)
            str_addf(&text, "; %zu fixed", fixed);
        if (fixable && !app_has(app, "fix"))
            str_addf(&text, "; %zu can be fixed with --fix", fixable);
    }
    str_putc(&text, '\n');
    if (!app_json(app))
        app_put(app, &text);
    return problems ? EXIT_NOTHING : EXIT_DONE;
}

/* Prints whether Landlock would restrict the screens here. */
static void put_confinement(const struct app *app)
{
    CLEANUP(str_free) struct str text = {0};
    struct err err;
    int version = sandbox_version(&app->config, &err);

    if (version)
        str_addf(&text, "the screens are confined by Landlock (ABI %d)\n", version);
    else
        str_addf(&text, "the screens are not confined: %s\n", err.text);
    app_put(app, &text);
}

static bool may_fix(const struct app *app, struct err *err)
{
    if (app_has(app, "readonly"))
        return err_set(err, ERR_REFUSED, "doctor --fix would write, and --readonly was given");
    if (!app_has(app, "yes") && !isatty(STDIN_FILENO))
        return err_set(err, ERR_REFUSED,
                       "doctor --fix asks before it repairs anything, and nobody is there to "
                       "answer: use --yes");
    return true;
}

static int run_doctor(struct app *app)
{
    bool fix = app_has(app, "fix");
    CLEANUP(doctor_free) struct doctor doctor = {0};
    struct err err;

    if (app_has(app, "yes") && !fix)
        return app_misused(app, "--yes goes with --fix");
    if (fix && !may_fix(app, &err))
        return app_fail(app, &err);
    app->changes = fix;
    store_doctor(app->store, app_now(app), &doctor);
    for (size_t i = 0; !app_json(app) && i < doctor.count; i++)
        put_text(app, doctor.findings[i]);
    bool ok = !fix || repair(app, &doctor, &err);
    for (size_t i = 0; i < doctor.count; i++) {
        const struct finding *finding = doctor.findings[i];
        if (app_json(app))
            put_json(app, finding);
        else if (finding->tried)
            put_outcome(app, finding);
        if (app_json(app) && finding->tried && !finding->fixed)
            app_note(app, "%s: it was not repaired: %s", finding->path.at, finding->failure.text);
    }
    if (ok && !app_json(app))
        put_confinement(app);
    return ok ? sum_up(app, &doctor) : app_fail(app, &err);
}

const struct command command_doctor = {.name = "doctor",
                                       .summary = "what is wrong, and what to do about it",
                                       .options = options,
                                       .sourceless = true,
                                       .undaunted = true,
                                       .one = "problems are left",
                                       .examines = true,
                                       .run = run_doctor};
