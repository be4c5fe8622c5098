/* The keys of forms, from the first one to the bytes in the mailbox: handoffs, broadcasts,
 * forwards, and nudges. */
#include "tests/screens/harness/stage.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

TestSuite(sending, .fini = stage_close, .timeout = 300);

#define TEAM "home/.claude/teams/dev/inboxes/"
#define BOXES "project/workspace/mailboxes/"

/* True if the text matches a pattern in which $ stands for a time or an id. */
static bool is_like(const char *text, const char *pattern)
{
    for (; *pattern; pattern++) {
        if (*pattern != '$') {
            if (*text++ != *pattern)
                return false;
            continue;
        }
        if (!isalnum((unsigned char)*text))
            return false;
        while (*text && (isalnum((unsigned char)*text) || strchr("-:.", *text)))
            text++;
    }
    return !*text;
}

/* Returns the content of a box of the team; empty if it does not exist. */
static struct str read_box(const char *name)
{
    struct str path = {0}, text = {0};

    str_addf(&path, TEAM "%s.json", name);
    if (tmp_exists(&stage.mailbox.tmp, str_c(&path)))
        text = tmp_read(&stage.mailbox.tmp, str_c(&path));
    else
        str_puts(&text, "[\n]");
    str_free(&path);
    return text;
}

/* Expects one new entry at the end of the box. */
static void check_added(const char *name, const struct str *before, const char *entry)
{
    struct str pattern = {0}, after = read_box(name);

    str_add(&pattern, before->at, before->len - strlen("\n]"));
    str_addf(&pattern, "%s\n  %s\n]", pattern.len > 1 ? "," : "", entry);
    cr_assert(is_like(str_c(&after), str_c(&pattern)), "%s.json is\n%s\nand not\n%s", name,
              str_c(&after), str_c(&pattern));
    str_free(&pattern);
    str_free(&after);
}

/* Returns the only letter of a box besides those of mailbox_make(). The caller frees. */
static struct str read_letter(const char *box)
{
    int fd = openat(stage.mailbox.tmp.fd, box, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    struct str path = {0};
    int found = 0;

    cr_assert_not_null(dir, "there is no %s", box);
    for (struct dirent *entry; (entry = readdir(dir));) {
        if (entry->d_name[0] == '.' || strstr(entry->d_name, "0000") ||
            strstr(entry->d_name, "550e8400"))
            continue;
        found++;
        str_clear(&path);
        str_addf(&path, "%s/%s", box, entry->d_name);
    }
    closedir(dir);
    cr_assert_eq(found, 1, "%s has %d new letters", box, found);
    struct str letter = tmp_read(&stage.mailbox.tmp, str_c(&path));
    str_free(&path);
    return letter;
}

static void check_letter(const char *box, const char *pattern)
{
    struct str letter = read_letter(box);

    cr_assert(is_like(str_c(&letter), pattern), "in %s there is\n%s\nand not\n%s", box,
              str_c(&letter), pattern);
    str_free(&letter);
}

static const char handed_letter[] =
    "{\n"
    "  \"id\": \"$\",\n"
    "  \"from_agent\": \"user\",\n"
    "  \"to_agent\": \"swarm_dev/reviewer\",\n"
    "  \"swarm_name\": null,\n"
    "  \"type\": \"handoff\",\n"
    "  \"subject\": \"index\",\n"
    "  \"body\": \"Work handoff from implementer to swarm_dev/reviewer.\\n\\n**Work Completed:** "
    "deleted logs\\n\\n**Current State:** disk full\\nindex pushed\\n\\n**Next Steps:**\\n- free 2 "
    "GB\\n- rerun make index\\n- tell me\\n\\n**Blockers:**\\n- needs root for "
    "/var\\n\\n**Notes:**\\nThe second half takes an hour.\\n\\nswarm_dev/implementer wrote on "
    "2026-02-12 at 13:23:00:\\n> Work handoff from swarm_dev/implementer to user.\",\n"
    "  \"payload\": {},\n"
    "  \"priority\": 3,\n"
    "  \"created_at\": \"$\",\n"
    "  \"expires_at\": null,\n"
    "  \"status\": \"unread\",\n"
    "  \"read_at\": null,\n"
    "  \"completed_at\": null,\n"
    "  \"reply_to\": null,\n"
    "  \"thread_id\": \"MSG-0000000000b1\",\n"
    "  \"context\": {\n"
    "    \"work_completed\": \"deleted logs\",\n"
    "    \"files_modified\": [\n"
    "      \"src/index.c\"\n"
    "    ],\n"
    "    \"files_created\": [\n"
    "      \"doc/index.md\"\n"
    "    ],\n"
    "    \"current_state\": \"disk full\\nindex pushed\",\n"
    "    \"state_file\": null,\n"
    "    \"next_steps\": [\n"
    "      \"free 2 GB\",\n"
    "      \"rerun make index\",\n"
    "      \"tell me\"\n"
    "    ],\n"
    "    \"blockers\": [\n"
    "      \"needs root for /var\"\n"
    "    ],\n"
    "    \"dependencies\": [],\n"
    "    \"related_escalations\": [\n"
    "      \"MSG-0000000000e5\"\n"
    "    ],\n"
    "    \"job_id\": \"job-7\",\n"
    "    \"notes\": \"The second half takes an hour.\\n\\nswarm_dev/implementer wrote on "
    "2026-02-12 "
    "at 13:23:00:\\n> Work handoff from swarm_dev/implementer to user.\"\n"
    "  },\n"
    "  \"attachments\": [\n"
    "    \"src/index.c\",\n"
    "    \"doc/index.md\"\n"
    "  ],\n"
    "  \"tags\": [\n"
    "    \"handoff\"\n"
    "  ]\n"
    "}";

Test(sending, a_handoff_is_a_letter_with_all_its_fields)
{
    stage_open(MAILBOX_ADR, NULL);
    stage_go("/ i n d e x Enter", "?:help");
    stage_wait_selected("Handoff: index");
    stage_go("H", "HANDOFF from implementer");
    terminal_wait_text(stage.terminal, "swarm_dev/implementer wrote on"); /* the quoted text */
    terminal_wait_text(stage.terminal, "1[free 2 GB] 2[rerun make index] 3[+]");
    terminal_type(stage.terminal, "swarm_dev/reviewer\t\t\x15"
                                  "deleted logs\t");
    stage_go("^U", "deleted logs"); /* the prefilled text can be deleted */
    terminal_type(stage.terminal, "disk full\rindex pushed\t");
    stage_go("End Right End Right", "3[");
    terminal_type(stage.terminal, "tell me");
    terminal_wait_text(stage.terminal, "3[tell me ] 4[+]");
    stage_send("To      swarm_dev/reviewer", "sent to swarm_dev/reviewer, MSG-");
    check_letter(BOXES "swarm_dev_reviewer/inbox", handed_letter);
    stage_quit();
}

Test(sending, a_handoff_says_everything_in_words_where_there_are_only_words)
{
    stage_open(MAILBOX_CLAUDE, NULL);
    struct str before = read_box("w7");
    stage_go("2", "AGENTS ");
    stage_go("/ i n f r a Enter", "infra-4@dev: ");
    stage_go("H", "HANDOFF from infra-4 (STUCK? 19m");
    terminal_wait_text(stage.terminal, "infra-4 wrote on");
    terminal_type(stage.terminal, "w7\t\x15the index\tnothing yet\t\tfree some space");
    terminal_wait_text(stage.terminal, "1[free some space ]");
    stage_send("To      w7@dev", "sent to w7, ");
    check_added("w7", &before,
                "{\n"
                "    \"from\": \"team-lead\",\n"
                "    \"text\": \"Work handoff from infra-4 to w7.\\n\\n**Work Completed:** nothing "
                "yet\\n\\n**Current State:** STUCK?: silent 19m, 1 unread since 17m; last: \\\"no "
                "disk left\\\"\\n\\n**Next Steps:**\\n- free some space\\n\\n**Notes:**\\ninfra-4 "
                "wrote on 2026-02-12 at 13:44:00:\\n> The build of the index stops: no disk left "
                "on the build machine.\",\n"
                "    \"summary\": \"Handoff: the index\",\n"
                "    \"timestamp\": \"$\",\n"
                "    \"read\": false\n"
                "  }");
    str_free(&before);
    stage_quit();
}

Test(sending, a_broadcast_reaches_all_but_those_who_are_left_out)
{
    static const char *const names[] = {"builder-1", "doc-3", "infra-4", "team-lead", "w7"};
    enum { COUNT = sizeof names / sizeof *names, DOC = 1, LEAD = 3 };
    static const char entry[] = "{\n"
                                "    \"from\": \"team-lead\",\n"
                                "    \"text\": \"No merges until 15:00.\",\n"
                                "    \"summary\": \"Freeze\",\n"
                                "    \"timestamp\": \"$\",\n"
                                "    \"read\": false\n"
                                "  }";
    struct str before[COUNT];

    stage_open(MAILBOX_CLAUDE, NULL);
    for (int i = 0; i < COUNT; i++)
        before[i] = read_box(names[i]);
    stage_go("B", "BROADCAST to dev (6 on its roster)");
    stage_go("Up Up", "Exclude");
    terminal_type(stage.terminal, "tes\t"); /* only members of the team */
    terminal_wait_text(stage.terminal, "1[tester-2 ]");
    terminal_key(stage.terminal, "Enter");
    terminal_type(stage.terminal, "doc-3");
    stage_go("Down", "1[tester-2] 2[doc-3] 3[+]");
    terminal_type(stage.terminal, "Freeze\tNo merges until 15:00.");
    stage_go("^X", "REVIEW");
    terminal_wait_text(stage.terminal, "To 3 agents, a message each: builder-1, infra-4, w7");
    terminal_wait_text(stage.terminal, "Left out  doc-3: excluded");
    terminal_wait_text(stage.terminal, "Left out  team-lead: sends it");
    terminal_wait_text(stage.terminal, "Left out  tester-2: excluded");
    stage_go("q", "BROADCAST to dev");
    stage_send("To 3 agents", "sent to 3 agents: 3 of 3 messages delivered");
    for (int i = 0; i < COUNT; i++) {
        struct str after = read_box(names[i]);
        if (i == DOC || i == LEAD)
            cr_expect(span_eq(str_span(&before[i]), str_span(&after)), "%s", str_c(&after));
        else
            check_added(names[i], &before[i], entry);
        str_free(&before[i]);
        str_free(&after);
    }
    cr_expect_not(tmp_exists(&stage.mailbox.tmp, TEAM "tester-2.json"));
    stage_quit();
}

Test(sending, a_broadcast_is_one_message_where_the_layout_has_it_so)
{
    stage_open(MAILBOX_OPENCLAW, NULL);
    stage_go("B", "BROADCAST to web (3 on its roster)");
    cr_expect_not(terminal_has(stage.terminal, "Exclude")); /* a single handoff excludes nobody */
    terminal_type(stage.terminal, "Freeze at noon.");
    stage_go("Up", "[normal]");
    stage_go("Right Right", "[urgent]");
    stage_go("^X", "To 1 agent, one message that all of them see: tm1");
    terminal_wait_text(stage.terminal, "Left out  tm2: is not active");
    terminal_wait_text(stage.terminal, "the gateway tells nobody about it");
    stage_go("q", "BROADCAST to web");
    stage_send("To      all@web", "sent to 1 agent: 1 of 1 message delivered");
    check_letter("home/.openclaw/teams/web/mailbox", "{\n"
                                                     "  \"messageId\": \"$\",\n"
                                                     "  \"teamId\": \"web\",\n"
                                                     "  \"from\": \"lead\",\n"
                                                     "  \"to\": \"all\",\n"
                                                     "  \"message\": \"Freeze at noon.\",\n"
                                                     "  \"priority\": \"urgent\",\n"
                                                     "  \"read\": false,\n"
                                                     "  \"createdAt\": $\n"
                                                     "}\n");
    stage_quit();
}

Test(sending, what_is_forwarded_arrives_whole)
{
    stage_open(MAILBOX_CLAUDE, NULL);
    struct str before = read_box("builder-1");
    stage_go("/ w h i c h Enter", "?:help");
    stage_wait_selected("which page first?");
    stage_go("f", "FORWARD of doc-3: which page first?");
    terminal_wait_text(stage.terminal, "> I would take the first.");
    terminal_type(stage.terminal, "builder-1\t\tYours, I think.");
    terminal_wait_text(stage.terminal, "Yours, I think.");
    stage_send("To      builder-1@dev", "sent to builder-1, ");
    check_added("builder-1", &before,
                "{\n"
                "    \"from\": \"team-lead\",\n"
                "    \"text\": \"Yours, I think.\\n\\ndoc-3 wrote on 2026-02-12 at 13:58:00:\\n> "
                "From: doc-3\\n> To: team-lead\\n> Subject: which page first?\\n> Type: "
                "message\\n> Priority: normal\\n> Id: $\\n>\\n> Which page shall I write "
                "first?\\n>\\n> - **install**: nobody gets past it\\n> - **usage**: most asked "
                "for\\n>\\n> I would take the first.\\n\",\n"
                "    \"summary\": \"Fwd: which page first?\",\n"
                "    \"timestamp\": \"$\",\n"
                "    \"read\": false\n"
                "  }");
    str_free(&before);
    stage_quit();
}

Test(sending, a_nudge_goes_to_the_agent_whose_page_it_is)
{
    stage_open(MAILBOX_CLAUDE, NULL);
    struct str before = read_box("infra-4");
    stage_go("2", "AGENTS ");
    stage_go("/ i n f r a Enter", "infra-4@dev: ");
    stage_go("Enter", "AGENT 2/2");
    stage_go("g n", "NUDGE infra-4  (STUCK?");
    stage_send("To      infra-4@dev", "sent to infra-4, ");
    check_added("infra-4", &before,
                "{\n"
                "    \"from\": \"team-lead\",\n"
                "    \"text\": \"How is it going? Tell me briefly what is done, what you are at, "
                "and whether anything holds you up.\",\n"
                "    \"summary\": \"How is it going?\",\n"
                "    \"timestamp\": \"$\",\n"
                "    \"read\": false\n"
                "  }");
    str_free(&before);
    terminal_wait_text(stage.terminal, "AGENT 3/3"); /* the page shows it at once */
    stage_quit();
}

Test(sending, a_nudge_asks_for_an_answer_where_it_can)
{
    stage_open(MAILBOX_ADR, NULL);
    stage_command("nudge swarm_dev/reviewer", "NUDGE ");
    terminal_wait_text(stage.terminal, "[x] an answer is expected");
    stage_send("\"type\": \"request\"", "MSG-");
    struct str letter = read_letter(BOXES "swarm_dev_reviewer/inbox");
    cr_expect(strstr(str_c(&letter), "\"to_agent\": \"swarm_dev/reviewer\""), "%s", str_c(&letter));
    cr_expect(strstr(str_c(&letter), "\"type\": \"request\""), "%s", str_c(&letter));
    str_free(&letter);
    stage_quit();
}

/* In ADR-003 the type of a message says if an answer is expected. */
static void compose_and_send(const char *to, const char *keys, const char *type)
{
    char shown[64], said[64];

    snprintf(shown, sizeof shown, "\"type\": \"%s\"", type);
    snprintf(said, sizeof said, "sent to %s, ", to);
    stage_go("m", "an answer is expected");
    terminal_type(stage.terminal, to);
    terminal_type(stage.terminal, "\tNumbers");
    terminal_keys(stage.terminal, keys);
    stage_send(shown, said);
}

Test(sending, an_adr_message_is_a_request_if_an_answer_is_expected_and_else_a_notification)
{
    stage_open(MAILBOX_ADR, NULL);
    compose_and_send("swarm_dev/reviewer", "", "notification");
    compose_and_send("swarm_dev/critic", "Down Down Down Down Down Space", "request");
    struct str told = read_letter(BOXES "swarm_dev_reviewer/inbox");
    struct str asked = read_letter(BOXES "swarm_dev_critic/inbox");
    cr_expect(strstr(str_c(&told), "\"type\": \"notification\""), "%s", str_c(&told));
    cr_expect(strstr(str_c(&asked), "\"type\": \"request\""), "%s", str_c(&asked));
    str_free(&told);
    str_free(&asked);
    stage_quit();
}

Test(sending, an_adr_reply_that_expects_an_answer_is_a_request)
{
    stage_open(MAILBOX_ADR, NULL);
    stage_go("/ R e v i e w e d Enter", "Reviewed: parser");
    stage_go("r", "REPLY to swarm_dev/reviewer: Reviewed: parser");
    terminal_type(stage.terminal, "Which parser?");
    stage_go("Up Up Up Space", "[x] an answer is expected");
    stage_send("\"type\": \"request\"", "sent to swarm_dev/reviewer, ");
    struct str letter = read_letter(BOXES "swarm_dev_reviewer/inbox");
    cr_expect(strstr(str_c(&letter), "\"type\": \"request\""), "%s", str_c(&letter));
    cr_expect(strstr(str_c(&letter), "\"reply_to\": \"MSG-0000000000f1\""), "%s", str_c(&letter));
    str_free(&letter);
    stage_quit();
}

/* A broadcast to everybody goes to each name once, in any swarm. */
Test(sending, everybody_is_every_agent_of_the_source)
{
    static const char *const boxes[] = {"architect", "implementer", "reviewer"};
    char box[256];

    stage_open(MAILBOX_ADR, NULL);
    stage_command("broadcast", "BROADCAST to swarm_dev (4 on its roster)");
    stage_go("Up Up Space", "BROADCAST to everybody");
    terminal_wait_text(stage.terminal, "all agents of this source get it");
    stage_go("Down", "Exclude");
    terminal_type(stage.terminal, "critic");
    stage_go("Down", "1[critic]");
    terminal_type(stage.terminal, "Freeze\t\tAt noon.");
    stage_send("To 3 agents, a message each: architect, implementer, reviewer",
               "sent to 3 agents: 3 of 3 messages delivered");
    for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++) {
        snprintf(box, sizeof box, BOXES "%s/inbox", boxes[i]);
        struct str letter = read_letter(box);
        cr_expect(strstr(str_c(&letter), "\"body\": \"At noon.\""), "%s", str_c(&letter));
        str_free(&letter);
    }
    cr_expect_not(tmp_exists(&stage.mailbox.tmp, BOXES "critic"));
    stage_quit();
}
