/* The story: a small team builds a shop. All agents are invented. */
#include "demo/story.h"

#include "demo/swarm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Texts of agents about their work. */

/* Returns the plan without its own title. */
static const char *below_title(const char *plan)
{
    const char *end = strncmp(plan, "# ", 2) == 0 ? strchr(plan, '\n') : NULL;

    return end ? end + 2 : plan;
}

static void word_plan(struct message *message, const struct job *job, bool in_words)
{
    const char *answer = in_words ? "\n\nPlease say approved, or what to change." : "";
    const char *feedback = message->part[PART_REASON];

    message_setf(message, PART_SUBJECT, "Plan: %s%s", job->title, feedback ? ", narrowed" : "");
    if (feedback)
        message_setf(message, PART_BODY,
                     "# %s, narrowed\n\nYou said:\n\n> %s\n\nSo this is what is left of the plan, "
                     "and everything else waits for another one.\n\n%s%s",
                     job->title, feedback, job->narrowed, answer);
    else
        message_setf(message, PART_BODY, "# %s\n\n%s%s", job->title, below_title(job->plan),
                     answer);
}

/* The words of a job in texts. */
static const struct {
    const char *word;
    size_t offset;
} job_words[] = {
    {"title", offsetof(struct job, title)},      {"command", offsetof(struct job, command)},
    {"why", offsetof(struct job, why)},          {"result", offsetof(struct job, result)},
    {"host", offsetof(struct job, host)},        {"otherwise", offsetof(struct job, otherwise)},
    {"hostwhy", offsetof(struct job, host_why)}, {"question", offsetof(struct job, question)},
    {"asks", offsetof(struct job, asks)},        {"told", offsetof(struct job, told)},
    {"step1", offsetof(struct job, steps[0])},   {"step2", offsetof(struct job, steps[1])},
    {"step3", offsetof(struct job, steps[2])},   {"done", offsetof(struct job, done)},
    {"state", offsetof(struct job, state)},      {"next", offsetof(struct job, next)},
};

/* Returns what a word stands for, or NULL. */
static const char *find_word(const char *word, const struct job *job, const struct message *about)
{
    static const struct {
        const char *word;
        enum part part;
    } parts[] = {{"reason", PART_REASON}, {"subject", PART_SUBJECT}, {"command", PART_COMMAND}};

    for (size_t i = 0; about && i < sizeof parts / sizeof *parts; i++)
        if (strcmp(parts[i].word, word) == 0 && about->part[parts[i].part])
            return about->part[parts[i].part];
    for (size_t i = 0; i < sizeof job_words / sizeof *job_words; i++)
        if (strcmp(job_words[i].word, word) == 0)
            return *(const char *const *)((const char *)job + job_words[i].offset);
    return strcmp(word, "accepted") == 0 ? "Accepted. I have read all of it and go on from there."
                                         : NULL;
}

void story_add(struct text *out, const char *text, const struct job *job,
               const struct message *about)
{
    while (*text) {
        size_t len = strcspn(text, "$");
        text_add(out, text, len);
        text += len;
        if (!*text)
            break;
        len = strspn(++text, "abcdefghijklmnopqrstuvwxyz123");
        CLEANUP(demo_free) char *word = text_format("%.*s", (int)len, text);
        const char *found = find_word(word, job, about);
        if (!len)
            text_putc(out, '$');
        else if (found) /* of the next steps only the first */
            text_add(out, found, strcmp(word, "next") == 0 ? strcspn(found, "\n") : strlen(found));
        text += len;
    }
}

static void story_set(struct message *message, enum part part, const char *text,
                      const struct job *job)
{
    CLEANUP(text_free) struct text out = {0};

    story_add(&out, text, job, NULL);
    message_set(message, part, text_c(&out));
}

void word_message(struct message *message, const struct job *job, const char *text, bool in_words)
{
    static const struct {
        const char *subject, *body;
    } words[ACTS] = {[ACT_PERMIT] = {"Permission: Bash: $command",
                                     "May I run this?\n\n    $command\n\nWhy: $why."},
                     [ACT_HOST] = {"Host: $host", "May I connect to $host?\n\nWhy: $hostwhy."},
                     [ACT_ASK] = {"Question: $title", "$question"},
                     [ACT_HANDOFF] = {"Handoff: $title", ""}};

    if (text) {
        CLEANUP(text_free) struct text body = {0};
        story_add(&body, text, job, NULL);
        message_say(message, text_c(&body));
        return;
    }
    if (message->act == ACT_PLAN) {
        word_plan(message, job, in_words);
        return;
    }
    story_set(message, PART_SUBJECT, words[message->act].subject, job);
    story_set(message, PART_BODY, words[message->act].body, job);
    if (message->act == ACT_PERMIT) {
        message_set(message, PART_COMMAND, job->command);
        message_set(message, PART_REASON, job->why);
    } else if (message->act == ACT_HOST) {
        message_set(message, PART_HOST, job->host);
    } else if (message->act == ACT_HANDOFF) {
        message_set(message, PART_DONE, job->steps[1]);
        message_set(message, PART_STATE, job->state);
        message_set(message, PART_NEXT, job->next);
        message_set(message, PART_BLOCKERS, job->blockers);
        message_set(message, PART_FILES, job->files);
    }
}

/* clang-format off */
static const struct job jobs[] = {
    {.layout = "claude",
     .title = "Move sessions out of the auth module",
     .plan = "## Why\n\nSessions live in `auth.c` beside the password code. Each change of one risks the other.\n\n"
             "## Steps\n\n1. Copy the session table to `session.c`, with its tests\n2. Switch the 14 callers, one commit each\n"
             "3. Migrate stored sessions at start; the old table stays readable for a week\n4. Remove the old table\n\n"
             "## Files\n\n| file | change |\n| --- | --- |\n| `src/session.c` | new |\n| `src/auth.c` | -210 lines |\n"
             "| `src/login.c` | callers |\n| `db/schema.sql` | migration |\n\n## Risk\n\nPeople who are logged in during step 3 may have to log in again.",
     .narrowed = "## Steps\n\n1. Copy the session table to `session.c`, with its tests\n2. Switch the callers in `login.c` only\n\n"
                 "No migration and no change of the schema. The old table stays as it is.\n\n## Files\n\n- `src/session.c` (new)\n- `src/login.c`",
     .command = "make -C build check TESTS='session login'", .why = "run the session and login tests",
     .result = "38 tests ran, all passed in 12.4 s.", .otherwise = "I read the test results of the last nightly run instead: the same 38 tests passed there.",
     .host = "api.payments.example", .host_why = "the login test asks the payment sandbox for a token",
     .question = "Sessions now end after 30 minutes without a click. The old code never ended them. I would keep the 30 minutes. Agreed?",
     .asks = "Do your tests log in through `login.c` or straight through the session table?", .told = "Through login.c, all but two. I will change those two today.",
     .steps = {"session.c is in place with its tests; auth.c is 210 lines shorter.", "9 of 14 callers are switched; nothing has changed for people.", "All callers are switched. The last test run was clean."},
     .done = "Sessions have a module of their own. 4 commits, 38 tests, nothing else was touched.",
     .files = "src/session.c\nsrc/login.c", .state = "9 of 14 callers switched, everything builds", .next = "switch the five callers in admin/\nremove the old table", .blockers = ""},
    {.layout = "claude",
     .title = "A clean build in the test runner",
     .plan = "## Goal\n\nTests must never see objects of an older build.\n\n## Steps\n\n1. Build in a directory of its own for each run\n"
             "2. Remove it afterwards, also after a failure\n3. Keep the last three logs\n\n## What it costs\n\nAbout 40 seconds a run.",
     .narrowed = "## Steps\n\n1. Build in a directory of its own for each run\n2. Remove it afterwards\n\nLogs stay as they are.",
     .command = "rm -rf build/ && make check", .why = "old objects hide a failure in the price tests",
     .result = "Clean build in 1 min 52 s; 412 tests passed, 1 failed: price_rounding.", .otherwise = "I build in a second directory, build-clean/, and leave build/ alone.",
     .host = "downloads.fonts.example", .host_why = "the receipt test renders a page with the shop's font",
     .question = "price_rounding fails for amounts with three decimals, such as 0.125. I would round to even, as the bank does. Agreed?",
     .asks = "Is `build/` yours right now? I would like to start clean.", .told = "No, I am done with it. Go ahead.",
     .steps = {"The runner makes build/run-NNN for each run now.", "A failing test leaves its log; the directory goes.", "Ten runs in a row: the same result each time."},
     .done = "The test runner starts clean every time. 412 tests, 0 surprises.",
     .files = "tests/run.sh", .state = "runner works, its own test is missing", .next = "test that a failing build removes its directory", .blockers = ""},
    {.layout = "claude",
     .title = "Search index for the product pages",
     .plan = "## Steps\n\n1. Free space on /var\n2. Build the index in parts of 1 GB\n3. Swap it in at night\n\n## Risk\n\nDuring step 3 search is slow for two minutes.",
     .narrowed = "## Steps\n\n1. Free space on /var\n2. Build the index in parts of 1 GB, and stop there",
     .command = "sudo find /var/cache/shop -type f -mtime +30 -delete", .why = "the index needs 4 GB more on /var",
     .result = "6.1 GB are free on /var now.", .otherwise = "I moved the work to /data/index, where 20 GB are free.",
     .host = "mirror.images.example", .host_why = "thumbnails of 212 products are missing here",
     .question = "The index can be built in one go (20 minutes, search is slow) or in parts (2 hours, nobody notices). I would take the parts. Agreed?",
     .asks = "Is the index there already? My tests wait for it.", .told = "61 % built. I will write when it is complete.",
     .steps = {"Part 1 of 6 of the index is written.", "Part 3 of 6; 2.2 GB so far.", "All six parts are written; checking them now."},
     .done = "The product index is complete: 48,210 products, checked twice.",
     .files = "tools/index.sh\netc/index.conf", .state = "index built to 61 %, /var is full", .next = "free 4 GB on /var\nrun tools/index.sh --resume", .blockers = "no disk left on /var"},
    {.layout = "claude",
     .title = "Describe the checkout for people who call it",
     .plan = "## Contents\n\n1. One page: from basket to receipt\n2. Every error a caller can get, with what to do\n3. Examples that the tests run\n\nAbout 6 pages.",
     .narrowed = "## Contents\n\n1. One page: from basket to receipt\n2. The five errors that callers ask about most",
     .command = "npm run docs:check", .why = "links in the new pages may be dead",
     .result = "212 links, 2 dead; both are fixed.", .otherwise = "I checked the links of the changed pages by hand.",
     .host = "docs.example.org", .host_why = "to look whether the old links still lead somewhere",
     .question = "May the examples show a test card number?",
     .asks = "What does the checkout answer when the basket is empty?", .told = "409 with `{\"error\":\"empty basket\"}`.",
     .steps = {"The page from basket to receipt is written.", "All 17 errors have an entry; 3 need a second look.", "The examples run as tests now."},
     .done = "The checkout has its pages: 6 of them, with 11 examples that the tests run.",
     .files = "docs/checkout.md", .state = "errors described, examples missing", .next = "examples for the five most asked errors", .blockers = ""},
    {.layout = "openclaw",
     .title = "Spelling mistakes in search",
     .plan = "1. Collect the 500 most frequent misses\n2. Suggest the nearest word\n3. Measure for a day",
     .narrowed = "1. Collect the 500 most frequent misses. Nothing is shown to anybody yet.",
     .command = "python3 tools/misses.py --last 7d", .why = "to know what people miss",
     .result = "1,204 misses, 500 of them more than ten times.", .otherwise = "I use the list of last month.",
     .host = "words.example.org", .host_why = "a word list", .question = "Three suggestions push the results down on phones. Is one enough?",
     .asks = "Does the ranking look at the number of clicks?", .told = "Yes, of the last 30 days.",
     .steps = {"The 500 most frequent misses are in misses.csv.", "\"jaket\" finds jackets now.", "Half of the misses have a suggestion."},
     .done = "Search suggests the nearest word: misses are down from 9 % to 4 %.",
     .files = "search/suggest.py", .state = "suggestions work in the test shop", .next = "measure for a day\nshow them to everybody", .blockers = ""},
    {.layout = "openclaw",
     .title = "Crawl the partner catalogues again",
     .plan = "1. Two partners first\n2. Compare prices\n3. All eleven",
     .narrowed = "1. Two partners. Nothing is written to the catalogue.",
     .command = "python3 crawl.py --partner 3 --dry-run", .why = "partner 3 changed its pages",
     .result = "2,310 pages, 12 without a price.", .otherwise = "I compare with the copy of yesterday.",
     .host = "catalogue.partner.example", .host_why = "their pages moved", .question = "Partner 7 asks us to crawl at night only. Agreed?",
     .asks = "Are the images of partner 3 part of your crawl?", .told = "No, only names and prices.",
     .steps = {"Partner 3 is through: 2,310 pages.", "Prices differ for 41 products; list attached to the task.", "Seven of eleven partners are done."},
     .done = "All eleven catalogues are in. 41 prices were wrong, all of them by partner 3.",
     .files = "crawl/partners.json", .state = "7 of 11 partners done", .next = "the four that are left\ntell partner 3 about its prices", .blockers = "partner 9 answers slowly"},
    {.layout = "inbox",
     .title = "Release 4.2 of the shop",
     .plan = "## Order\n\n1. Freeze at 16:00\n2. Run all tests twice\n3. Ship to 5 % of people\n4. Everybody, if errors stay below 0.1 %\n\n## Way back\n\n`release.sh --back` takes four minutes. It was tried yesterday.",
     .narrowed = "## Order\n\n1. Freeze at 16:00\n2. Run all tests twice\n3. Ship to 5 % of people, and wait for your word",
     .command = "./release.sh --to 5", .why = "ship 4.2 to 5 % of people",
     .result = "4.2 runs for 5 % of people; errors at 0.02 %.", .otherwise = "4.2 stays on the test machine until you say so.",
     .host = "status.example.org", .host_why = "to announce the release", .question = "The notes of 4.2 mention the new session module. Nobody outside knows of it; may I leave that out?",
     .asks = "Did the second run of all tests end?", .told = "Yes: 412 passed, as in the first run.",
     .steps = {"Frozen at 16:00; 31 changes are in 4.2.", "First full run: 412 passed.", "Second full run: 412 passed, no difference."},
     .done = "Release 4.2 is out for everybody. Errors stayed at 0.02 %.",
     .files = "RELEASE.md", .state = "4.2 runs for 5 % of people", .next = "watch errors for an hour\nship to everybody", .blockers = ""},
    {.layout = "inbox",
     .title = "Validate the change of the price tables",
     .plan = "1. Recalculate yesterday's 18,300 orders with the new tables\n2. Compare cent by cent\n3. Report each difference",
     .narrowed = "1. Recalculate 1,000 orders of yesterday\n2. Compare cent by cent",
     .command = "psql shop -c 'TRUNCATE price_preview'", .why = "the preview table has rows of an older try",
     .result = "The preview table is empty; 18,300 orders recalculated.", .otherwise = "I write into a table of my own, price_preview_2.",
     .host = "rates.bank.example", .host_why = "exchange rates of yesterday", .question = "Seven orders differ by one cent, all in one currency. Does one cent count as a difference?",
     .asks = "Which version of the tax table do you use?", .told = "The one of this month, revision 12.",
     .steps = {"6,000 of 18,300 orders compared: no difference.", "12,000 compared: 3 differ by one cent.", "All compared: 7 differ by one cent."},
     .done = "Validated: 18,293 of 18,300 orders are equal, seven differ by one cent.",
     .files = "price/tables.sql", .state = "12,000 of 18,300 orders compared", .next = "compare the rest\nexplain the one-cent differences", .blockers = ""},
    {.layout = "adr",
     .title = "Import of supplier invoices",
     .plan = "# Import of supplier invoices\n\n1. Read the 3 formats that suppliers send\n2. Check totals and tax\n3. Ask a person where they differ\n\nNothing is booked before step 3.",
     .narrowed = "# Import, first part\n\n1. Read the one format that most suppliers send\n2. Check totals and tax, book nothing",
     .command = "python3 import.py --supplier 12 --commit", .why = "book the 48 invoices of supplier 12",
     .result = "48 invoices booked, 0 refused.", .otherwise = "The 48 invoices stay in the preview until somebody books them.",
     .host = "invoices.supplier.example", .host_why = "supplier 12 offers its invoices there", .question = "Supplier 12 writes tax with three decimals. I would round once per invoice. Agreed?",
     .asks = "I need the account numbers of supplier 12 before I can go on. Which are they?", .told = "4400 for goods, 4730 for freight.",
     .steps = {"Formats A and B are read without a loss.", "1,120 of 1,300 invoices agree to the cent.", "The 180 others are sorted by the reason."},
     .done = "The import reads all three formats; 1,300 invoices are in, 12 wait for a person.",
     .files = "import/read.py\nimport/check.py", .state = "formats A and B are read, C is half done", .next = "finish format C\ncheck tax of credit notes", .blockers = "supplier 12 sends no account numbers"},
    {.layout = "adr",
     .title = "Audit of the refunds in October",
     .plan = "# Audit of refunds\n\n1. All refunds above 200\n2. Compare with returned parcels\n3. A list of what does not match",
     .narrowed = "# Audit, first part\n\n1. Refunds above 500 only\n2. Compare with returned parcels",
     .command = "python3 audit.py --month 10 --export refunds.csv", .why = "export names and amounts of 92 refunds",
     .result = "refunds.csv has 92 rows.", .otherwise = "I work on the database and export nothing.",
     .host = "parcels.example.org", .host_why = "to look up parcels", .question = "Three refunds have no parcel but a note by the support. Do those count as explained?",
     .asks = "I need the export of the refunds before I can finish. When is it there?", .told = "It is there now: refunds.csv.",
     .steps = {"92 refunds above 200 found.", "86 of 92 match a parcel.", "Six are left; three have a note."},
     .done = "Audit finished: 92 refunds, 89 explained, 3 for you to look at.",
     .files = "audit/refunds.py", .state = "86 of 92 refunds match", .next = "look at the six that are left", .blockers = ""},
    {.layout = "roo",
     .title = "A darker theme for the storefront",
     .plan = "1. Colours in one file\n2. Follow the system's setting\n3. A switch in the footer",
     .narrowed = "1. Colours in one file. Nothing looks different yet.",
     .command = "npm run build:theme", .why = "to see the colours",
     .result = "The theme is 14 kB.", .otherwise = "I look at it in the preview only.",
     .host = "colours.example.org", .host_why = "a palette", .question = "The shop's red is hard to read on dark grey. May I use a lighter one there?",
     .asks = "Does your page use colours of its own?", .told = "Only the warning. I will take the one of the theme.",
     .steps = {"All 31 colours are in theme.css.", "The pages follow the system's setting.", "The switch in the footer remembers its state."},
     .done = "The dark theme is complete: 22 pages looked at, contrast measured.",
     .files = "web/theme.css", .state = "16 of 22 pages follow the theme", .next = "the six pages of the account\nmeasure contrast", .blockers = ""},
    {.layout = "roo",
     .title = "Faster product pages",
     .plan = "1. Measure\n2. Load images late\n3. Measure again",
     .narrowed = "1. Measure only",
     .command = "npm run measure -- --pages 50", .why = "numbers before and after",
     .result = "50 pages, 1.9 s in the middle.", .otherwise = "I take the numbers of last week.",
     .host = "cdn.images.example", .host_why = "to measure with real images", .question = "Images below the fold can come late, but then the page jumps a little. Acceptable?",
     .asks = "Are the sizes of the images in the page already?", .told = "Yes, since last week.",
     .steps = {"Measured: 1.9 s in the middle, 4.2 s for the slowest.", "Images come late now: 1.2 s.", "The slowest page needs 2.0 s."},
     .done = "Product pages need 1.2 s instead of 1.9 s.",
     .files = "web/product.js", .state = "images come late, measured once", .next = "measure on a phone", .blockers = ""},
};
/* clang-format on */

enum { JOBS = sizeof jobs / sizeof *jobs };

const struct job *job_find(const char *layout, unsigned place, unsigned round)
{
    const struct job *own[sizeof jobs / sizeof *jobs] = {0};
    unsigned count = 0;

    for (size_t i = 0; i < JOBS; i++)
        if (strcmp(jobs[i].layout, layout) == 0)
            own[count++] = &jobs[i];
    return own[(place + round) % count];
}

const char *chatter_find(unsigned number)
{
    static const char *const lines[] = {
        "I took your last change in; nothing broke here.",
        "The nightly build takes four minutes longer; two tests wait for the clock.",
        "I have a small fix for your module, three lines. It is on my branch.",
        "Your test helper saved me an hour. Thank you.",
        "I wait for a word from above and use the time to read your part.",
        "Two of your comments name functions that are gone. I corrected them.",
        "The numbers of this morning are in the shared notes, second table.",
        "I renamed my branch, so that the order of the reviews is clear.",
        "If you touch the configuration today: I am done with it.",
        "I saw one odd line in the log at 03:12 and looked: harmless, a restart.",
        "Half of my tests run twice as fast now. The trick works for yours, too.",
        "No hurry, but your last note has a broken link.",
    };

    return lines[number % (sizeof lines / sizeof *lines)];
}

const char *job_answer(const char *question)
{
    for (size_t i = 0; i < JOBS; i++)
        if (strcmp(jobs[i].asks, question) == 0)
            return jobs[i].told;
    return "Yes, as far as I know.";
}

/* The members of the swarm. */

/* Gives one agent to each layout as long as there are any, then distributes by weight. */
static void share_out(size_t *shares, const struct layout *const *chosen, size_t agents)
{
    for (size_t given = 0; given < agents; given++) {
        size_t best = 0;
        for (size_t i = 0; chosen[i]; i++) {
            bool first = !shares[i] && shares[best];
            bool fairer = (shares[i] * chosen[best]->weight < shares[best] * chosen[i]->weight);
            if (first || (fairer && (shares[i] || !shares[best])))
                best = i;
        }
        shares[best]++;
    }
}

static void add_members(struct swarm *swarm, const struct layout *layout, size_t count)
{
    static const char *const colors[] = {"blue",   "green", "yellow", "purple",
                                         "orange", "pink",  "cyan"};

    for (unsigned place = 0; place < count; place++) {
        struct member *member = &swarm->members[swarm->count++];
        member->layout = layout;
        member->place = place;
        member->role = layout->roles[place % (sizeof layout->roles / sizeof *layout->roles)];
        member->color = colors[place % (sizeof colors / sizeof *colors)];
        snprintf(member->name, sizeof member->name, "%s-%zu", member->role, swarm->count);
    }
}

bool swarm_cast(struct swarm *swarm, const struct layout *const *chosen, size_t agents)
{
    size_t shares[8] = {0};

    if (agents < 1 || agents > AGENTS_MAX || !chosen[0])
        return false;
    swarm->members = demo_alloc(agents * sizeof *swarm->members);
    swarm->starts = demo_alloc(agents * sizeof *swarm->starts);
    swarm->gone = mmap(NULL, AGENTS_MAX, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (swarm->gone == MAP_FAILED)
        return false;
    share_out(shares, chosen, agents);
    for (size_t i = 0; chosen[i]; i++)
        add_members(swarm, chosen[i], shares[i]);
    return true;
}

void swarm_free(struct swarm *swarm)
{
    for (size_t i = 0; i < swarm->count; i++)
        message_free(swarm->starts[i].asked);
    free(swarm->members);
    free(swarm->starts);
    swarm->members = NULL;
    swarm->starts = NULL;
    swarm->count = 0;
}

const struct member *swarm_member(const struct swarm *swarm, const struct layout *layout,
                                  unsigned place)
{
    for (size_t i = 0; i < swarm->count; i++)
        if (swarm->members[i].layout == layout && swarm->members[i].place == place)
            return &swarm->members[i];
    return NULL;
}

size_t swarm_size(const struct swarm *swarm, const struct layout *layout)
{
    size_t count = 0;

    for (size_t i = 0; i < swarm->count; i++)
        count += swarm->members[i].layout == layout;
    return count;
}
