/* Dangers: parts of words that tell one, and what commands are made of. */
#include "base/text/utf8.h"
#include "mail/security/risk_private.h"

/* Dangers: programs and variables that tell one. */

#define ANYWHERE DANGER_ANYWHERE
#define COMMAND DANGER_COMMAND
#define FIRST DANGER_FIRST

const struct danger_command danger_commands[] = {
    /* what is gone afterwards */
    {"rm", NULL, DANGER_DELETES, ANYWHERE},
    {"rmdir", NULL, DANGER_DELETES, ANYWHERE},
    {"unlink", NULL, DANGER_DELETES, ANYWHERE},
    {"shred", NULL, DANGER_DELETES, ANYWHERE},
    {"srm", NULL, DANGER_DELETES, ANYWHERE},
    {"wipe", NULL, DANGER_DELETES, COMMAND},
    {"wipefs", NULL, DANGER_DELETES, ANYWHERE},
    {"trash*", NULL, DANGER_DELETES, FIRST},
    {"truncate", NULL, DANGER_DELETES, ANYWHERE},
    {"mkfs*", NULL, DANGER_DELETES, ANYWHERE},
    {"fdisk", NULL, DANGER_DELETES, ANYWHERE},
    {"sgdisk", NULL, DANGER_DELETES, ANYWHERE},
    {"parted", NULL, DANGER_DELETES, COMMAND},
    {"blkdiscard", NULL, DANGER_DELETES, ANYWHERE},
    {"dd", "of=*", DANGER_DELETES, ANYWHERE},
    {"find", "-delete", DANGER_DELETES, ANYWHERE},
    {"rsync", "--delete*", DANGER_DELETES, ANYWHERE},
    {"rsync", "--remove-source-files", DANGER_DELETES, ANYWHERE},
    {"del", NULL, DANGER_DELETES, FIRST},
    {"erase", NULL, DANGER_DELETES, FIRST},
    {"rd", NULL, DANGER_DELETES, FIRST},
    {"remove-item", NULL, DANGER_DELETES, ANYWHERE},
    {"ri", NULL, DANGER_DELETES, FIRST},
    {"git", "clean", DANGER_DELETES, ANYWHERE},
    {"git", "--hard", DANGER_DELETES, ANYWHERE},
    {"git", "--force*", DANGER_DELETES, ANYWHERE},
    {"git", "-f", DANGER_DELETES, ANYWHERE},
    {"git", "-D", DANGER_DELETES, ANYWHERE},
    {"git", "--delete", DANGER_DELETES, ANYWHERE},
    {"git", "--mirror", DANGER_DELETES, ANYWHERE},
    {"git", "--prune*", DANGER_DELETES, ANYWHERE},
    {"git", "restore", DANGER_DELETES, ANYWHERE},
    {"git", "drop", DANGER_DELETES, ANYWHERE},
    {"git", "clear", DANGER_DELETES, ANYWHERE},
    {"git", "gc", DANGER_DELETES, ANYWHERE},
    {"git", "filter-branch", DANGER_DELETES, ANYWHERE},
    {"git", "filter-repo", DANGER_DELETES, ANYWHERE},
    {"git", "update-ref", DANGER_DELETES, ANYWHERE},
    {"git", "+*", DANGER_DELETES, ANYWHERE}, /* a branch that is pushed by force */
    {"git", ":*", DANGER_DELETES, ANYWHERE}, /* or removed */
    {"git-clean", NULL, DANGER_DELETES, ANYWHERE},
    {"docker", "rmi", DANGER_DELETES, ANYWHERE},
    {"docker", "prune", DANGER_DELETES, ANYWHERE},
    {"docker", "down", DANGER_DELETES, ANYWHERE},
    {"podman", "rmi", DANGER_DELETES, ANYWHERE},
    {"podman", "prune", DANGER_DELETES, ANYWHERE},
    {"kubectl", "delete", DANGER_DELETES, ANYWHERE},
    {"helm", "uninstall", DANGER_DELETES, ANYWHERE},
    {"terraform", "destroy", DANGER_DELETES, ANYWHERE},
    {"terraform", "apply", DANGER_DELETES, ANYWHERE},
    {"aws", "rb", DANGER_DELETES, ANYWHERE},
    {"aws", "delete*", DANGER_DELETES, ANYWHERE},
    {"aws", "terminate*", DANGER_DELETES, ANYWHERE},
    {"gcloud", "delete", DANGER_DELETES, ANYWHERE},
    {"gh", "delete", DANGER_DELETES, ANYWHERE},
    {"apt*", "remove", DANGER_DELETES, ANYWHERE},
    {"apt*", "purge", DANGER_DELETES, ANYWHERE},
    {"apt*", "autoremove", DANGER_DELETES, ANYWHERE},
    {"npm", "unpublish", DANGER_DELETES, ANYWHERE},
    {"drop", "table", DANGER_DELETES, ANYWHERE},
    {"drop", "database", DANGER_DELETES, ANYWHERE},
    {"drop", "schema", DANGER_DELETES, ANYWHERE},
    {"drop", "index", DANGER_DELETES, ANYWHERE},
    {"drop", "view", DANGER_DELETES, ANYWHERE},
    {"drop", "user", DANGER_DELETES, ANYWHERE},
    {"drop", "role", DANGER_DELETES, ANYWHERE},
    {"delete", "from", DANGER_DELETES, ANYWHERE},
    {"dropdb", NULL, DANGER_DELETES, ANYWHERE},
    {"flushall", NULL, DANGER_DELETES, ANYWHERE},
    {"flushdb", NULL, DANGER_DELETES, ANYWHERE},

    /* what does not run any more */
    {"kill", NULL, DANGER_ENDS, COMMAND},
    {"pkill", NULL, DANGER_ENDS, ANYWHERE},
    {"killall", NULL, DANGER_ENDS, ANYWHERE},
    {"shutdown", NULL, DANGER_ENDS, FIRST},
    {"reboot", NULL, DANGER_ENDS, FIRST},
    {"poweroff", NULL, DANGER_ENDS, FIRST},
    {"halt", NULL, DANGER_ENDS, FIRST},

    /* what leaves the machine or comes to it */
    {"curl", NULL, DANGER_NETWORK, ANYWHERE},
    {"wget", NULL, DANGER_NETWORK, ANYWHERE},
    {"aria2c", NULL, DANGER_NETWORK, ANYWHERE},
    {"axel", NULL, DANGER_NETWORK, COMMAND},
    {"http", NULL, DANGER_NETWORK, FIRST},
    {"https", NULL, DANGER_NETWORK, FIRST},
    {"xh", NULL, DANGER_NETWORK, FIRST},
    {"lynx", NULL, DANGER_NETWORK, ANYWHERE},
    {"w3m", NULL, DANGER_NETWORK, ANYWHERE},
    {"ssh", NULL, DANGER_NETWORK, ANYWHERE},
    {"ssh-copy-id", NULL, DANGER_NETWORK, ANYWHERE},
    {"scp", NULL, DANGER_NETWORK, ANYWHERE},
    {"sftp", NULL, DANGER_NETWORK, ANYWHERE},
    {"rsync", NULL, DANGER_NETWORK, ANYWHERE},
    {"rclone", NULL, DANGER_NETWORK, ANYWHERE},
    {"mosh", NULL, DANGER_NETWORK, FIRST},
    {"nc", NULL, DANGER_NETWORK, COMMAND},
    {"ncat", NULL, DANGER_NETWORK, ANYWHERE},
    {"netcat", NULL, DANGER_NETWORK, ANYWHERE},
    {"nc.traditional", NULL, DANGER_NETWORK, ANYWHERE},
    {"nc.openbsd", NULL, DANGER_NETWORK, ANYWHERE},
    {"socat", NULL, DANGER_NETWORK, ANYWHERE},
    {"telnet", NULL, DANGER_NETWORK, ANYWHERE},
    {"ftp", NULL, DANGER_NETWORK, FIRST},
    {"tftp", NULL, DANGER_NETWORK, ANYWHERE},
    {"lftp", NULL, DANGER_NETWORK, ANYWHERE},
    {"ping*", NULL, DANGER_NETWORK, FIRST},
    {"traceroute", NULL, DANGER_NETWORK, ANYWHERE},
    {"dig", NULL, DANGER_NETWORK, COMMAND},
    {"nslookup", NULL, DANGER_NETWORK, ANYWHERE},
    {"host", NULL, DANGER_NETWORK, FIRST},
    {"whois", NULL, DANGER_NETWORK, FIRST},
    {"nmap", NULL, DANGER_NETWORK, ANYWHERE},
    {"openssl", "s_client", DANGER_NETWORK, ANYWHERE},
    {"mail", NULL, DANGER_NETWORK, FIRST},
    {"mailx", NULL, DANGER_NETWORK, ANYWHERE},
    {"sendmail", NULL, DANGER_NETWORK, ANYWHERE},
    {"mutt", NULL, DANGER_NETWORK, FIRST},
    {"ngrok", NULL, DANGER_NETWORK, ANYWHERE},
    {"cloudflared", NULL, DANGER_NETWORK, ANYWHERE},
    {"git", "push", DANGER_NETWORK, ANYWHERE},
    {"git", "fetch", DANGER_NETWORK, ANYWHERE},
    {"git", "pull", DANGER_NETWORK, ANYWHERE},
    {"git", "clone", DANGER_NETWORK, ANYWHERE},
    {"git", "remote", DANGER_NETWORK, ANYWHERE},
    {"git", "ls-remote", DANGER_NETWORK, ANYWHERE},
    {"git", "submodule", DANGER_NETWORK, ANYWHERE},
    {"svn", NULL, DANGER_NETWORK, FIRST},
    {"gh", NULL, DANGER_NETWORK, FIRST},
    {"glab", NULL, DANGER_NETWORK, FIRST},
    {"npm", "install", DANGER_NETWORK, ANYWHERE},
    {"npm", "i", DANGER_NETWORK, ANYWHERE},
    {"npm", "ci", DANGER_NETWORK, ANYWHERE},
    {"npm", "add", DANGER_NETWORK, ANYWHERE},
    {"npm", "update", DANGER_NETWORK, ANYWHERE},
    {"npm", "publish", DANGER_NETWORK, ANYWHERE},
    {"npm", "exec", DANGER_NETWORK, ANYWHERE},
    {"npx", NULL, DANGER_NETWORK, ANYWHERE},
    {"pnpm", "install", DANGER_NETWORK, ANYWHERE},
    {"pnpm", "i", DANGER_NETWORK, ANYWHERE},
    {"pnpm", "add", DANGER_NETWORK, ANYWHERE},
    {"pnpm", "dlx", DANGER_NETWORK, ANYWHERE},
    {"yarn", "install", DANGER_NETWORK, ANYWHERE},
    {"yarn", "add", DANGER_NETWORK, ANYWHERE},
    {"yarn", "dlx", DANGER_NETWORK, ANYWHERE},
    {"yarn", "publish", DANGER_NETWORK, ANYWHERE},
    {"bun", "install", DANGER_NETWORK, ANYWHERE},
    {"bun", "add", DANGER_NETWORK, ANYWHERE},
    {"bunx", NULL, DANGER_NETWORK, ANYWHERE},
    {"pip*", "install", DANGER_NETWORK, ANYWHERE},
    {"pip*", "download", DANGER_NETWORK, ANYWHERE},
    {"python*", "pip", DANGER_NETWORK, ANYWHERE},
    {"python*", "http.server", DANGER_NETWORK, ANYWHERE},
    {"pipx", NULL, DANGER_NETWORK, ANYWHERE},
    {"uv", "pip", DANGER_NETWORK, ANYWHERE},
    {"uv", "add", DANGER_NETWORK, ANYWHERE},
    {"uv", "sync", DANGER_NETWORK, ANYWHERE},
    {"uvx", NULL, DANGER_NETWORK, ANYWHERE},
    {"poetry", "add", DANGER_NETWORK, ANYWHERE},
    {"poetry", "install", DANGER_NETWORK, ANYWHERE},
    {"poetry", "publish", DANGER_NETWORK, ANYWHERE},
    {"twine", "upload", DANGER_NETWORK, ANYWHERE},
    {"conda", "install", DANGER_NETWORK, ANYWHERE},
    {"gem", "install", DANGER_NETWORK, ANYWHERE},
    {"gem", "push", DANGER_NETWORK, ANYWHERE},
    {"bundle", "install", DANGER_NETWORK, ANYWHERE},
    {"composer", "install", DANGER_NETWORK, ANYWHERE},
    {"composer", "require", DANGER_NETWORK, ANYWHERE},
    {"cargo", "install", DANGER_NETWORK, ANYWHERE},
    {"cargo", "add", DANGER_NETWORK, ANYWHERE},
    {"cargo", "fetch", DANGER_NETWORK, ANYWHERE},
    {"cargo", "update", DANGER_NETWORK, ANYWHERE},
    {"cargo", "publish", DANGER_NETWORK, ANYWHERE},
    {"go", "get", DANGER_NETWORK, ANYWHERE},
    {"go", "install", DANGER_NETWORK, ANYWHERE},
    {"go", "mod", DANGER_NETWORK, ANYWHERE},
    {"apt*", "install", DANGER_NETWORK, ANYWHERE},
    {"apt*", "update", DANGER_NETWORK, ANYWHERE},
    {"apt*", "upgrade", DANGER_NETWORK, ANYWHERE},
    {"apt*", "dist-upgrade", DANGER_NETWORK, ANYWHERE},
    {"dnf", NULL, DANGER_NETWORK, FIRST},
    {"yum", NULL, DANGER_NETWORK, FIRST},
    {"apk", "add", DANGER_NETWORK, ANYWHERE},
    {"pacman", "-S", DANGER_NETWORK, ANYWHERE},
    {"brew", "install", DANGER_NETWORK, ANYWHERE},
    {"brew", "upgrade", DANGER_NETWORK, ANYWHERE},
    {"brew", "tap", DANGER_NETWORK, ANYWHERE},
    {"snap", "install", DANGER_NETWORK, ANYWHERE},
    {"docker", "pull", DANGER_NETWORK, ANYWHERE},
    {"docker", "push", DANGER_NETWORK, ANYWHERE},
    {"docker", "run", DANGER_NETWORK, ANYWHERE},
    {"docker", "build", DANGER_NETWORK, ANYWHERE},
    {"docker", "login", DANGER_NETWORK, ANYWHERE},
    {"podman", "pull", DANGER_NETWORK, ANYWHERE},
    {"podman", "push", DANGER_NETWORK, ANYWHERE},
    {"podman", "run", DANGER_NETWORK, ANYWHERE},
    {"kubectl", NULL, DANGER_NETWORK, FIRST},
    {"helm", NULL, DANGER_NETWORK, FIRST},
    {"aws", NULL, DANGER_NETWORK, FIRST},
    {"gcloud", NULL, DANGER_NETWORK, FIRST},
    {"gsutil", NULL, DANGER_NETWORK, ANYWHERE},
    {"az", NULL, DANGER_NETWORK, FIRST},
    {"vercel", NULL, DANGER_NETWORK, FIRST},
    {"netlify", NULL, DANGER_NETWORK, FIRST},
    {"heroku", NULL, DANGER_NETWORK, FIRST},
    {"terraform", "init", DANGER_NETWORK, ANYWHERE},
    {"invoke-webrequest", NULL, DANGER_NETWORK, ANYWHERE},
    {"invoke-restmethod", NULL, DANGER_NETWORK, ANYWHERE},
    {"iwr", NULL, DANGER_NETWORK, COMMAND},
    {"irm", NULL, DANGER_NETWORK, COMMAND},

    /* who may do everything */
    {"sudo", NULL, DANGER_ROOT, ANYWHERE},
    {"sudoedit", NULL, DANGER_ROOT, ANYWHERE},
    {"doas", NULL, DANGER_ROOT, ANYWHERE},
    {"su", NULL, DANGER_ROOT, COMMAND},
    {"pkexec", NULL, DANGER_ROOT, ANYWHERE},
    {"runuser", NULL, DANGER_ROOT, ANYWHERE},
    {"run0", NULL, DANGER_ROOT, ANYWHERE},
    {"runas", NULL, DANGER_ROOT, FIRST},
    {"gosu", NULL, DANGER_ROOT, ANYWHERE},
    {"chmod", "/*", DANGER_ROOT, ANYWHERE},
    {"chmod", "+s", DANGER_ROOT, ANYWHERE},
    {"chown", "/*", DANGER_ROOT, ANYWHERE},
    {"chown", "root*", DANGER_ROOT, ANYWHERE},
    {"chgrp", "/*", DANGER_ROOT, ANYWHERE},
    {"install", "/*", DANGER_ROOT, FIRST},
    {"setcap", NULL, DANGER_ROOT, ANYWHERE},
    {"setuid*", NULL, DANGER_ROOT, ANYWHERE},
    {"chattr", NULL, DANGER_ROOT, ANYWHERE},
    {"setfacl", NULL, DANGER_ROOT, ANYWHERE},
    {"useradd", NULL, DANGER_ROOT, ANYWHERE},
    {"adduser", NULL, DANGER_ROOT, ANYWHERE},
    {"usermod", NULL, DANGER_ROOT, ANYWHERE},
    {"passwd", NULL, DANGER_ROOT, FIRST},
    {"visudo", NULL, DANGER_ROOT, ANYWHERE},
    {"mount", NULL, DANGER_ROOT, COMMAND},
    {"umount", NULL, DANGER_ROOT, ANYWHERE},
    {"chroot", NULL, DANGER_ROOT, ANYWHERE},
    {"nsenter", NULL, DANGER_ROOT, ANYWHERE},
    {"unshare", NULL, DANGER_ROOT, ANYWHERE},
    {"insmod", NULL, DANGER_ROOT, ANYWHERE},
    {"modprobe", NULL, DANGER_ROOT, ANYWHERE},
    {"sysctl", NULL, DANGER_ROOT, ANYWHERE},
    {"iptables*", NULL, DANGER_ROOT, ANYWHERE},
    {"nft", NULL, DANGER_ROOT, COMMAND},
    {"ufw", NULL, DANGER_ROOT, ANYWHERE},
    {"docker", "--privileged", DANGER_ROOT, ANYWHERE},

    /* what runs text */
    {"eval", NULL, DANGER_CODE, ANYWHERE},
    {"base64", "-d", DANGER_CODE, ANYWHERE},
    {"base64", "-D", DANGER_CODE, ANYWHERE},
    {"base64", "--decode", DANGER_CODE, ANYWHERE},
    {"base32", "-d", DANGER_CODE, ANYWHERE},
    {"xxd", "-r", DANGER_CODE, ANYWHERE},
    {"openssl", "enc", DANGER_CODE, ANYWHERE},
    {"find", "-exec*", DANGER_CODE, ANYWHERE},
    {"find", "-ok*", DANGER_CODE, ANYWHERE},
    {"source", NULL, DANGER_CODE, FIRST},
    {".", NULL, DANGER_CODE, FIRST},
    {"trap", NULL, DANGER_CODE, FIRST},
    {"alias", NULL, DANGER_CODE, FIRST},
    {"invoke-expression", NULL, DANGER_CODE, ANYWHERE},
    {"iex", NULL, DANGER_CODE, COMMAND},
    {"ld_preload=", NULL, DANGER_CODE, ANYWHERE},
    {"ld_library_path=", NULL, DANGER_CODE, ANYWHERE},
    {"dyld_insert_libraries=", NULL, DANGER_CODE, ANYWHERE},
    {"path=", NULL, DANGER_CODE, FIRST},
    {"ifs=", NULL, DANGER_CODE, FIRST},
    {"env=", NULL, DANGER_CODE, FIRST},
    {"bash_env=", NULL, DANGER_CODE, ANYWHERE},
    {"prompt_command=", NULL, DANGER_CODE, ANYWHERE},
    {"git_ssh=", NULL, DANGER_CODE, ANYWHERE},
    {"git_ssh_command=", NULL, DANGER_CODE, ANYWHERE},
    {"git_config*", NULL, DANGER_CODE, ANYWHERE},
    {"pager=", NULL, DANGER_CODE, ANYWHERE},
    {"editor=", NULL, DANGER_CODE, ANYWHERE},
    {"node_options=", NULL, DANGER_CODE, ANYWHERE},
    {"pythonstartup=", NULL, DANGER_CODE, ANYWHERE},
    {"pythonpath=", NULL, DANGER_CODE, ANYWHERE},
    {"perl5opt=", NULL, DANGER_CODE, ANYWHERE},
    {"git", "core.*", DANGER_CODE, ANYWHERE},
    {"git", "alias.*", DANGER_CODE, ANYWHERE},
    {"git", "--upload-pack*", DANGER_CODE, ANYWHERE},
    {"gdb", NULL, DANGER_CODE, ANYWHERE},

    /* what goes on afterwards */
    {"crontab", NULL, DANGER_LASTS, ANYWHERE},
    {"at", NULL, DANGER_LASTS, FIRST},
    {"batch", NULL, DANGER_LASTS, FIRST},
    {"systemctl", NULL, DANGER_LASTS, ANYWHERE},
    {"systemd-run", NULL, DANGER_LASTS, ANYWHERE},
    {"service", NULL, DANGER_LASTS, FIRST},
    {"launchctl", NULL, DANGER_LASTS, ANYWHERE},
    {"update-rc.d", NULL, DANGER_LASTS, ANYWHERE},
    {"schtasks", NULL, DANGER_LASTS, ANYWHERE},
    {"nohup", NULL, DANGER_LASTS, ANYWHERE},
    {"setsid", NULL, DANGER_LASTS, ANYWHERE},
    {"disown", NULL, DANGER_LASTS, ANYWHERE},
    {"daemonize", NULL, DANGER_LASTS, ANYWHERE},
    {"screen", NULL, DANGER_LASTS, FIRST},
    {"tmux", NULL, DANGER_LASTS, FIRST},
    {"pm2", NULL, DANGER_LASTS, ANYWHERE},
    {"docker", "--restart*", DANGER_LASTS, ANYWHERE},
    {"docker", "-d", DANGER_LASTS, ANYWHERE},

    {"printenv", NULL, DANGER_SECRETS, ANYWHERE},
    {"security", "find-*", DANGER_SECRETS, ANYWHERE},
    {"gpg", "--export-secret*", DANGER_SECRETS, ANYWHERE},
    {"history", NULL, DANGER_SECRETS, FIRST},
};

_Static_assert(sizeof danger_commands / sizeof *danger_commands <= DANGER_COMMANDS_MAX,
               "the state of a search has a place for each row");
const size_t danger_command_count = sizeof danger_commands / sizeof *danger_commands;

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
