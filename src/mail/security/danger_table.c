/* Dangers: parts of words that tell one, and what commands are made of. */
#include "mail/security/danger_private.h"

#include "base/text/fold.h"

const struct danger_part danger_parts[] = {
    {"://", DANGER_NETWORK, false},
    {"/dev/tcp/", DANGER_NETWORK, false},
    {"/dev/udp/", DANGER_NETWORK, false},
    {"git@", DANGER_NETWORK, false},
    {"urllib", DANGER_NETWORK, false},
    {"requests.", DANGER_NETWORK, false},
    {"socket.", DANGER_NETWORK, false},

    {"rmtree", DANGER_DELETES, false},
    {"os.remove", DANGER_DELETES, false},
    {"unlink", DANGER_DELETES, false},
    {"rmsync", DANGER_DELETES, false},
    {"fs.rm", DANGER_DELETES, false},

    {"os.system", DANGER_CODE, false},
    {"subprocess", DANGER_CODE, false},
    {"child_process", DANGER_CODE, false},

    {"/etc/sudoers", DANGER_ROOT, false},
    {"docker.sock", DANGER_ROOT, false},

    {".env", DANGER_SECRETS, true},
    {".ssh", DANGER_SECRETS, true},
    {"id_rsa", DANGER_SECRETS, false},
    {"id_dsa", DANGER_SECRETS, false},
    {"id_ecdsa", DANGER_SECRETS, false},
    {"id_ed25519", DANGER_SECRETS, false},
    {".pem", DANGER_SECRETS, true},
    {".p12", DANGER_SECRETS, true},
    {".pfx", DANGER_SECRETS, true},
    {".gnupg", DANGER_SECRETS, true},
    {".aws", DANGER_SECRETS, true},
    {".azure", DANGER_SECRETS, true},
    {".kube", DANGER_SECRETS, true},
    {".netrc", DANGER_SECRETS, true},
    {".pgpass", DANGER_SECRETS, true},
    {".npmrc", DANGER_SECRETS, true},
    {".pypirc", DANGER_SECRETS, true},
    {".git-credentials", DANGER_SECRETS, true},
    {".docker/config", DANGER_SECRETS, true},
    {".config/gh", DANGER_SECRETS, true},
    {"_history", DANGER_SECRETS, true},
    {"keychain", DANGER_SECRETS, true},
    {"credential", DANGER_SECRETS, true},
    {"secret", DANGER_SECRETS, true},
    {"token", DANGER_SECRETS, true},
    {"password", DANGER_SECRETS, true},
    {"passwd", DANGER_SECRETS, true},
    {"api_key", DANGER_SECRETS, true},
    {"api-key", DANGER_SECRETS, true},
    {"apikey", DANGER_SECRETS, true},
    {"access_key", DANGER_SECRETS, true},
    {"private_key", DANGER_SECRETS, true},
    {"/etc/shadow", DANGER_SECRETS, true},
    {"/environ", DANGER_SECRETS, true},

    {".bashrc", DANGER_LASTS, true},
    {".bash_profile", DANGER_LASTS, true},
    {".bash_login", DANGER_LASTS, true},
    {".profile", DANGER_LASTS, true},
    {".zshrc", DANGER_LASTS, true},
    {".zshenv", DANGER_LASTS, true},
    {".zprofile", DANGER_LASTS, true},
    {".git/hooks", DANGER_LASTS, true},
    {".git/config", DANGER_LASTS, true},
    {".gitconfig", DANGER_LASTS, true},
    {".husky", DANGER_LASTS, true},
    {".github/workflows", DANGER_LASTS, true},
    {".vscode/tasks", DANGER_LASTS, true},
    {"authorized_keys", DANGER_LASTS, true},
    {"/etc/cron", DANGER_LASTS, false},
    {"/cron.d", DANGER_LASTS, true},
    {"/systemd", DANGER_LASTS, true},
    {"/init.d", DANGER_LASTS, true},
    {"rc.local", DANGER_LASTS, true},
    {"autostart", DANGER_LASTS, true},
    {"launchagents", DANGER_LASTS, true},
    {"launchdaemons", DANGER_LASTS, true},
    {"ld.so.preload", DANGER_LASTS, true},

    {".claude/", DANGER_RIGHTS, false},
    {".claude.json", DANGER_RIGHTS, true},
    {"claude.md", DANGER_RIGHTS, true},
    {"agents.md", DANGER_RIGHTS, true},
    {".mcp.json", DANGER_RIGHTS, true},
    {".roomodes", DANGER_RIGHTS, true},
    {".openclaw", DANGER_RIGHTS, true},
    {"/inboxes", DANGER_RIGHTS, true},
    {"/mailbox", DANGER_RIGHTS, false},
    {"swarmutt", DANGER_RIGHTS, false},
    {"dangerously", DANGER_RIGHTS, false},
    {"bypasspermissions", DANGER_RIGHTS, false},
    {"skip-permissions", DANGER_RIGHTS, false},
};

const size_t danger_part_count = sizeof danger_parts / sizeof *danger_parts;

static const char *const interpreters[] = {
    "sh",   "bash",  "zsh",       "dash",    "ksh",     "mksh",       "ash",
    "fish", "csh",   "tcsh",      "python",  "perl",    "php",        "ruby",
    "node", "deno",  "nodejs",    "lua",     "pwsh",    "powershell", "cmd",
    "bun",  "tclsh", "osascript", "rscript", "busybox", "ipython",    NULL,
};

/* Words of the shell that a command's name follows. */
static const char *const keywords[] = {
    "!",    "{",      "if",     "then",    "elif",  "else",     "do",      "while", "until",
    "time", "coproc", "export", "declare", "local", "readonly", "typeset", NULL,
};

/* Programs that run another one, which stands somewhere behind them. */
static const char *const runners[] = {
    "env",     "exec",     "command",  "builtin",     "nohup",  "nice",   "ionice",
    "timeout", "stdbuf",   "setsid",   "sudo",        "doas",   "pkexec", "su",
    "runuser", "xargs",    "parallel", "busybox",     "chroot", "watch",  "strace",
    "ltrace",  "unshare",  "nsenter",  "systemd-run", "flock",  "ssh",    "eval",
    "-exec",   "-execdir", "-ok",      "-okdir",      NULL,
};

/* Where the programs of a system lie. */
static const char *const program_dirs[] = {
    "/bin/",      "/usr/bin/",        "/usr/local/bin/",    "/sbin/",
    "/usr/sbin/", "/usr/local/sbin/", "/opt/homebrew/bin/", "/snap/bin/",
    NULL,
};

static bool is_listed(const char *const *list, struct span name)
{
    for (size_t i = 0; list[i]; i++)
        if (span_is(name, list[i]))
            return true;
    return false;
}

bool danger_is_interpreter(struct span name)
{
    while (name.len && ((name.at[name.len - 1] >= '0' && name.at[name.len - 1] <= '9') ||
                        name.at[name.len - 1] == '.'))
        name.len--;
    return is_listed(interpreters, name);
}

bool danger_is_keyword(struct span name)
{
    return is_listed(keywords, name);
}

bool danger_is_runner(struct span name)
{
    return is_listed(runners, name);
}

struct span danger_program(struct span word)
{
    for (size_t i = 0; program_dirs[i]; i++) {
        struct span directory = span_of(program_dirs[i]);
        if (!span_starts(word, directory) || word.len == directory.len)
            continue;
        struct span name = {word.at + directory.len, word.len - directory.len};
        return !memchr(name.at, '/', name.len) ? name : (struct span){0};
    }
    return (struct span){0};
}

struct span danger_name(struct str *scratch, struct span word, bool command)
{
    struct span program = danger_program(word), before;

    if (program.at)
        word = program;
    else if (!command && word.len && memchr(word.at, '/', word.len))
        return (struct span){0};
    else
        span_split_last(word, '/', &before, &word);
    if (span_ends(word, ".exe"))
        word.len -= 4;
    str_clear(scratch);
    fold_add(scratch, word);
    return str_span(scratch);
}
