/* Risks: the tables of commands and of parts of words. */
#include "base/text/utf8.h"
#include "mail/security/risk_private.h"

/* Programs and variables that are a risk. */

#define ANYWHERE RISK_ANYWHERE
#define COMMAND RISK_COMMAND
#define FIRST RISK_FIRST

const struct risk_command risk_commands[] = {
    /* deleting */
    {"rm", NULL, RISK_DELETES, ANYWHERE},
    {"rmdir", NULL, RISK_DELETES, ANYWHERE},
    {"unlink", NULL, RISK_DELETES, ANYWHERE},
    {"shred", NULL, RISK_DELETES, ANYWHERE},
    {"srm", NULL, RISK_DELETES, ANYWHERE},
    {"wipe", NULL, RISK_DELETES, COMMAND},
    {"wipefs", NULL, RISK_DELETES, ANYWHERE},
    {"trash*", NULL, RISK_DELETES, FIRST},
    {"truncate", NULL, RISK_DELETES, ANYWHERE},
    {"mkfs*", NULL, RISK_DELETES, ANYWHERE},
    {"fdisk", NULL, RISK_DELETES, ANYWHERE},
    {"sgdisk", NULL, RISK_DELETES, ANYWHERE},
    {"parted", NULL, RISK_DELETES, COMMAND},
    {"blkdiscard", NULL, RISK_DELETES, ANYWHERE},
    {"dd", "of=*", RISK_DELETES, ANYWHERE},
    {"find", "-delete", RISK_DELETES, ANYWHERE},
    {"rsync", "--delete*", RISK_DELETES, ANYWHERE},
    {"rsync", "--remove-source-files", RISK_DELETES, ANYWHERE},
    {"del", NULL, RISK_DELETES, FIRST},
    {"erase", NULL, RISK_DELETES, FIRST},
    {"rd", NULL, RISK_DELETES, FIRST},
    {"remove-item", NULL, RISK_DELETES, ANYWHERE},
    {"ri", NULL, RISK_DELETES, FIRST},
    {"git", "clean", RISK_DELETES, ANYWHERE},
    {"git", "--hard", RISK_DELETES, ANYWHERE},
    {"git", "--force*", RISK_DELETES, ANYWHERE},
    {"git", "-f", RISK_DELETES, ANYWHERE},
    {"git", "-D", RISK_DELETES, ANYWHERE},
    {"git", "--delete", RISK_DELETES, ANYWHERE},
    {"git", "--mirror", RISK_DELETES, ANYWHERE},
    {"git", "--prune*", RISK_DELETES, ANYWHERE},
    {"git", "restore", RISK_DELETES, ANYWHERE},
    {"git", "drop", RISK_DELETES, ANYWHERE},
    {"git", "clear", RISK_DELETES, ANYWHERE},
    {"git", "gc", RISK_DELETES, ANYWHERE},
    {"git", "filter-branch", RISK_DELETES, ANYWHERE},
    {"git", "filter-repo", RISK_DELETES, ANYWHERE},
    {"git", "update-ref", RISK_DELETES, ANYWHERE},
    {"git", "+*", RISK_DELETES, ANYWHERE}, /* a forced push of a branch */
    {"git", ":*", RISK_DELETES, ANYWHERE}, /* or the removal of one */
    {"git-clean", NULL, RISK_DELETES, ANYWHERE},
    {"docker", "rmi", RISK_DELETES, ANYWHERE},
    {"docker", "prune", RISK_DELETES, ANYWHERE},
    {"docker", "down", RISK_DELETES, ANYWHERE},
    {"podman", "rmi", RISK_DELETES, ANYWHERE},
    {"podman", "prune", RISK_DELETES, ANYWHERE},
    {"kubectl", "delete", RISK_DELETES, ANYWHERE},
    {"helm", "uninstall", RISK_DELETES, ANYWHERE},
    {"terraform", "destroy", RISK_DELETES, ANYWHERE},
    {"terraform", "apply", RISK_DELETES, ANYWHERE},
    {"aws", "rb", RISK_DELETES, ANYWHERE},
    {"aws", "delete*", RISK_DELETES, ANYWHERE},
    {"aws", "terminate*", RISK_DELETES, ANYWHERE},
    {"gcloud", "delete", RISK_DELETES, ANYWHERE},
    {"gh", "delete", RISK_DELETES, ANYWHERE},
    {"apt*", "remove", RISK_DELETES, ANYWHERE},
    {"apt*", "purge", RISK_DELETES, ANYWHERE},
    {"apt*", "autoremove", RISK_DELETES, ANYWHERE},
    {"npm", "unpublish", RISK_DELETES, ANYWHERE},
    {"drop", "table", RISK_DELETES, ANYWHERE},
    {"drop", "database", RISK_DELETES, ANYWHERE},
    {"drop", "schema", RISK_DELETES, ANYWHERE},
    {"drop", "index", RISK_DELETES, ANYWHERE},
    {"drop", "view", RISK_DELETES, ANYWHERE},
    {"drop", "user", RISK_DELETES, ANYWHERE},
    {"drop", "role", RISK_DELETES, ANYWHERE},
    {"delete", "from", RISK_DELETES, ANYWHERE},
    {"dropdb", NULL, RISK_DELETES, ANYWHERE},
    {"flushall", NULL, RISK_DELETES, ANYWHERE},
    {"flushdb", NULL, RISK_DELETES, ANYWHERE},

    /* ending programs */
    {"kill", NULL, RISK_ENDS, COMMAND},
    {"pkill", NULL, RISK_ENDS, ANYWHERE},
    {"killall", NULL, RISK_ENDS, ANYWHERE},
    {"shutdown", NULL, RISK_ENDS, FIRST},
    {"reboot", NULL, RISK_ENDS, FIRST},
    {"poweroff", NULL, RISK_ENDS, FIRST},
    {"halt", NULL, RISK_ENDS, FIRST},

    /* network */
    {"curl", NULL, RISK_NETWORK, ANYWHERE},
    {"wget", NULL, RISK_NETWORK, ANYWHERE},
    {"aria2c", NULL, RISK_NETWORK, ANYWHERE},
    {"axel", NULL, RISK_NETWORK, COMMAND},
    {"http", NULL, RISK_NETWORK, FIRST},
    {"https", NULL, RISK_NETWORK, FIRST},
    {"xh", NULL, RISK_NETWORK, FIRST},
    {"lynx", NULL, RISK_NETWORK, ANYWHERE},
    {"w3m", NULL, RISK_NETWORK, ANYWHERE},
    {"ssh", NULL, RISK_NETWORK, ANYWHERE},
    {"ssh-copy-id", NULL, RISK_NETWORK, ANYWHERE},
    {"scp", NULL, RISK_NETWORK, ANYWHERE},
    {"sftp", NULL, RISK_NETWORK, ANYWHERE},
    {"rsync", NULL, RISK_NETWORK, ANYWHERE},
    {"rclone", NULL, RISK_NETWORK, ANYWHERE},
    {"mosh", NULL, RISK_NETWORK, FIRST},
    {"nc", NULL, RISK_NETWORK, COMMAND},
    {"ncat", NULL, RISK_NETWORK, ANYWHERE},
    {"netcat", NULL, RISK_NETWORK, ANYWHERE},
    {"nc.traditional", NULL, RISK_NETWORK, ANYWHERE},
    {"nc.openbsd", NULL, RISK_NETWORK, ANYWHERE},
    {"socat", NULL, RISK_NETWORK, ANYWHERE},
    {"telnet", NULL, RISK_NETWORK, ANYWHERE},
    {"ftp", NULL, RISK_NETWORK, FIRST},
    {"tftp", NULL, RISK_NETWORK, ANYWHERE},
    {"lftp", NULL, RISK_NETWORK, ANYWHERE},
    {"ping*", NULL, RISK_NETWORK, FIRST},
    {"traceroute", NULL, RISK_NETWORK, ANYWHERE},
    {"dig", NULL, RISK_NETWORK, COMMAND},
    {"nslookup", NULL, RISK_NETWORK, ANYWHERE},
    {"host", NULL, RISK_NETWORK, FIRST},
    {"whois", NULL, RISK_NETWORK, FIRST},
    {"nmap", NULL, RISK_NETWORK, ANYWHERE},
    {"openssl", "s_client", RISK_NETWORK, ANYWHERE},
    {"mail", NULL, RISK_NETWORK, FIRST},
    {"mailx", NULL, RISK_NETWORK, ANYWHERE},
    {"sendmail", NULL, RISK_NETWORK, ANYWHERE},
    {"mutt", NULL, RISK_NETWORK, FIRST},
    {"ngrok", NULL, RISK_NETWORK, ANYWHERE},
    {"cloudflared", NULL, RISK_NETWORK, ANYWHERE},
    {"git", "push", RISK_NETWORK, ANYWHERE},
    {"git", "fetch", RISK_NETWORK, ANYWHERE},
    {"git", "pull", RISK_NETWORK, ANYWHERE},
    {"git", "clone", RISK_NETWORK, ANYWHERE},
    {"git", "remote", RISK_NETWORK, ANYWHERE},
    {"git", "ls-remote", RISK_NETWORK, ANYWHERE},
    {"git", "submodule", RISK_NETWORK, ANYWHERE},
    {"svn", NULL, RISK_NETWORK, FIRST},
    {"gh", NULL, RISK_NETWORK, FIRST},
    {"glab", NULL, RISK_NETWORK, FIRST},
    {"npm", "install", RISK_NETWORK, ANYWHERE},
    {"npm", "i", RISK_NETWORK, ANYWHERE},
    {"npm", "ci", RISK_NETWORK, ANYWHERE},
    {"npm", "add", RISK_NETWORK, ANYWHERE},
    {"npm", "update", RISK_NETWORK, ANYWHERE},
    {"npm", "publish", RISK_NETWORK, ANYWHERE},
    {"npm", "exec", RISK_NETWORK, ANYWHERE},
    {"npx", NULL, RISK_NETWORK, ANYWHERE},
    {"pnpm", "install", RISK_NETWORK, ANYWHERE},
    {"pnpm", "i", RISK_NETWORK, ANYWHERE},
    {"pnpm", "add", RISK_NETWORK, ANYWHERE},
    {"pnpm", "dlx", RISK_NETWORK, ANYWHERE},
    {"yarn", "install", RISK_NETWORK, ANYWHERE},
    {"yarn", "add", RISK_NETWORK, ANYWHERE},
    {"yarn", "dlx", RISK_NETWORK, ANYWHERE},
    {"yarn", "publish", RISK_NETWORK, ANYWHERE},
    {"bun", "install", RISK_NETWORK, ANYWHERE},
    {"bun", "add", RISK_NETWORK, ANYWHERE},
    {"bunx", NULL, RISK_NETWORK, ANYWHERE},
    {"pip*", "install", RISK_NETWORK, ANYWHERE},
    {"pip*", "download", RISK_NETWORK, ANYWHERE},
    {"python*", "pip", RISK_NETWORK, ANYWHERE},
    {"python*", "http.server", RISK_NETWORK, ANYWHERE},
    {"pipx", NULL, RISK_NETWORK, ANYWHERE},
    {"uv", "pip", RISK_NETWORK, ANYWHERE},
    {"uv", "add", RISK_NETWORK, ANYWHERE},
    {"uv", "sync", RISK_NETWORK, ANYWHERE},
    {"uvx", NULL, RISK_NETWORK, ANYWHERE},
    {"poetry", "add", RISK_NETWORK, ANYWHERE},
    {"poetry", "install", RISK_NETWORK, ANYWHERE},
    {"poetry", "publish", RISK_NETWORK, ANYWHERE},
    {"twine", "upload", RISK_NETWORK, ANYWHERE},
    {"conda", "install", RISK_NETWORK, ANYWHERE},
    {"gem", "install", RISK_NETWORK, ANYWHERE},
    {"gem", "push", RISK_NETWORK, ANYWHERE},
    {"bundle", "install", RISK_NETWORK, ANYWHERE},
    {"composer", "install", RISK_NETWORK, ANYWHERE},
    {"composer", "require", RISK_NETWORK, ANYWHERE},
    {"cargo", "install", RISK_NETWORK, ANYWHERE},
    {"cargo", "add", RISK_NETWORK, ANYWHERE},
    {"cargo", "fetch", RISK_NETWORK, ANYWHERE},
    {"cargo", "update", RISK_NETWORK, ANYWHERE},
    {"cargo", "publish", RISK_NETWORK, ANYWHERE},
    {"go", "get", RISK_NETWORK, ANYWHERE},
    {"go", "install", RISK_NETWORK, ANYWHERE},
    {"go", "mod", RISK_NETWORK, ANYWHERE},
    {"apt*", "install", RISK_NETWORK, ANYWHERE},
    {"apt*", "update", RISK_NETWORK, ANYWHERE},
    {"apt*", "upgrade", RISK_NETWORK, ANYWHERE},
    {"apt*", "dist-upgrade", RISK_NETWORK, ANYWHERE},
    {"dnf", NULL, RISK_NETWORK, FIRST},
    {"yum", NULL, RISK_NETWORK, FIRST},
    {"apk", "add", RISK_NETWORK, ANYWHERE},
    {"pacman", "-S", RISK_NETWORK, ANYWHERE},
    {"brew", "install", RISK_NETWORK, ANYWHERE},
    {"brew", "upgrade", RISK_NETWORK, ANYWHERE},
    {"brew", "tap", RISK_NETWORK, ANYWHERE},
    {"snap", "install", RISK_NETWORK, ANYWHERE},
    {"docker", "pull", RISK_NETWORK, ANYWHERE},
    {"docker", "push", RISK_NETWORK, ANYWHERE},
    {"docker", "run", RISK_NETWORK, ANYWHERE},
    {"docker", "build", RISK_NETWORK, ANYWHERE},
    {"docker", "login", RISK_NETWORK, ANYWHERE},
    {"podman", "pull", RISK_NETWORK, ANYWHERE},
    {"podman", "push", RISK_NETWORK, ANYWHERE},
    {"podman", "run", RISK_NETWORK, ANYWHERE},
    {"kubectl", NULL, RISK_NETWORK, FIRST},
    {"helm", NULL, RISK_NETWORK, FIRST},
    {"aws", NULL, RISK_NETWORK, FIRST},
    {"gcloud", NULL, RISK_NETWORK, FIRST},
    {"gsutil", NULL, RISK_NETWORK, ANYWHERE},
    {"az", NULL, RISK_NETWORK, FIRST},
    {"vercel", NULL, RISK_NETWORK, FIRST},
    {"netlify", NULL, RISK_NETWORK, FIRST},
    {"heroku", NULL, RISK_NETWORK, FIRST},
    {"terraform", "init", RISK_NETWORK, ANYWHERE},
    {"invoke-webrequest", NULL, RISK_NETWORK, ANYWHERE},
    {"invoke-restmethod", NULL, RISK_NETWORK, ANYWHERE},
    {"iwr", NULL, RISK_NETWORK, COMMAND},
    {"irm", NULL, RISK_NETWORK, COMMAND},

    /* root rights */
    {"sudo", NULL, RISK_ROOT, ANYWHERE},
    {"sudoedit", NULL, RISK_ROOT, ANYWHERE},
    {"doas", NULL, RISK_ROOT, ANYWHERE},
    {"su", NULL, RISK_ROOT, COMMAND},
    {"pkexec", NULL, RISK_ROOT, ANYWHERE},
    {"runuser", NULL, RISK_ROOT, ANYWHERE},
    {"run0", NULL, RISK_ROOT, ANYWHERE},
    {"runas", NULL, RISK_ROOT, FIRST},
    {"gosu", NULL, RISK_ROOT, ANYWHERE},
    {"chmod", "/*", RISK_ROOT, ANYWHERE},
    {"chmod", "+s", RISK_ROOT, ANYWHERE},
    {"chown", "/*", RISK_ROOT, ANYWHERE},
    {"chown", "root*", RISK_ROOT, ANYWHERE},
    {"chgrp", "/*", RISK_ROOT, ANYWHERE},
    {"install", "/*", RISK_ROOT, FIRST},
    {"setcap", NULL, RISK_ROOT, ANYWHERE},
    {"setuid*", NULL, RISK_ROOT, ANYWHERE},
    {"chattr", NULL, RISK_ROOT, ANYWHERE},
    {"setfacl", NULL, RISK_ROOT, ANYWHERE},
    {"useradd", NULL, RISK_ROOT, ANYWHERE},
    {"adduser", NULL, RISK_ROOT, ANYWHERE},
    {"usermod", NULL, RISK_ROOT, ANYWHERE},
    {"passwd", NULL, RISK_ROOT, FIRST},
    {"visudo", NULL, RISK_ROOT, ANYWHERE},
    {"mount", NULL, RISK_ROOT, COMMAND},
    {"umount", NULL, RISK_ROOT, ANYWHERE},
    {"chroot", NULL, RISK_ROOT, ANYWHERE},
    {"nsenter", NULL, RISK_ROOT, ANYWHERE},
    {"unshare", NULL, RISK_ROOT, ANYWHERE},
    {"insmod", NULL, RISK_ROOT, ANYWHERE},
    {"modprobe", NULL, RISK_ROOT, ANYWHERE},
    {"sysctl", NULL, RISK_ROOT, ANYWHERE},
    {"iptables*", NULL, RISK_ROOT, ANYWHERE},
    {"nft", NULL, RISK_ROOT, COMMAND},
    {"ufw", NULL, RISK_ROOT, ANYWHERE},
    {"docker", "--privileged", RISK_ROOT, ANYWHERE},

    /* running text as a program */
    {"eval", NULL, RISK_CODE, ANYWHERE},
    {"base64", "-d", RISK_CODE, ANYWHERE},
    {"base64", "-D", RISK_CODE, ANYWHERE},
    {"base64", "--decode", RISK_CODE, ANYWHERE},
    {"base32", "-d", RISK_CODE, ANYWHERE},
    {"xxd", "-r", RISK_CODE, ANYWHERE},
    {"openssl", "enc", RISK_CODE, ANYWHERE},
    {"find", "-exec*", RISK_CODE, ANYWHERE},
    {"find", "-ok*", RISK_CODE, ANYWHERE},
    {"source", NULL, RISK_CODE, FIRST},
    {".", NULL, RISK_CODE, FIRST},
    {"trap", NULL, RISK_CODE, FIRST},
    {"alias", NULL, RISK_CODE, FIRST},
    {"invoke-expression", NULL, RISK_CODE, ANYWHERE},
    {"iex", NULL, RISK_CODE, COMMAND},
    {"ld_preload=", NULL, RISK_CODE, ANYWHERE},
    {"ld_library_path=", NULL, RISK_CODE, ANYWHERE},
    {"dyld_insert_libraries=", NULL, RISK_CODE, ANYWHERE},
    {"path=", NULL, RISK_CODE, FIRST},
    {"ifs=", NULL, RISK_CODE, FIRST},
    {"env=", NULL, RISK_CODE, FIRST},
    {"bash_env=", NULL, RISK_CODE, ANYWHERE},
    {"prompt_command=", NULL, RISK_CODE, ANYWHERE},
    {"git_ssh=", NULL, RISK_CODE, ANYWHERE},
    {"git_ssh_command=", NULL, RISK_CODE, ANYWHERE},
    {"git_config*", NULL, RISK_CODE, ANYWHERE},
    {"pager=", NULL, RISK_CODE, ANYWHERE},
    {"editor=", NULL, RISK_CODE, ANYWHERE},
    {"node_options=", NULL, RISK_CODE, ANYWHERE},
    {"pythonstartup=", NULL, RISK_CODE, ANYWHERE},
    {"pythonpath=", NULL, RISK_CODE, ANYWHERE},
    {"perl5opt=", NULL, RISK_CODE, ANYWHERE},
    {"git", "core.*", RISK_CODE, ANYWHERE},
    {"git", "alias.*", RISK_CODE, ANYWHERE},
    {"git", "--upload-pack*", RISK_CODE, ANYWHERE},
    {"gdb", NULL, RISK_CODE, ANYWHERE},

    /* continuing afterwards */
    {"crontab", NULL, RISK_LASTS, ANYWHERE},
    {"at", NULL, RISK_LASTS, FIRST},
    {"batch", NULL, RISK_LASTS, FIRST},
    {"systemctl", NULL, RISK_LASTS, ANYWHERE},
    {"systemd-run", NULL, RISK_LASTS, ANYWHERE},
    {"service", NULL, RISK_LASTS, FIRST},
    {"launchctl", NULL, RISK_LASTS, ANYWHERE},
    {"update-rc.d", NULL, RISK_LASTS, ANYWHERE},
    {"schtasks", NULL, RISK_LASTS, ANYWHERE},
    {"nohup", NULL, RISK_LASTS, ANYWHERE},
    {"setsid", NULL, RISK_LASTS, ANYWHERE},
    {"disown", NULL, RISK_LASTS, ANYWHERE},
    {"daemonize", NULL, RISK_LASTS, ANYWHERE},
    {"screen", NULL, RISK_LASTS, FIRST},
    {"tmux", NULL, RISK_LASTS, FIRST},
    {"pm2", NULL, RISK_LASTS, ANYWHERE},
    {"docker", "--restart*", RISK_LASTS, ANYWHERE},
    {"docker", "-d", RISK_LASTS, ANYWHERE},

    {"printenv", NULL, RISK_SECRETS, ANYWHERE},
    {"security", "find-*", RISK_SECRETS, ANYWHERE},
    {"gpg", "--export-secret*", RISK_SECRETS, ANYWHERE},
    {"history", NULL, RISK_SECRETS, FIRST},
};

_Static_assert(sizeof risk_commands / sizeof *risk_commands <= RISK_COMMANDS_MAX,
               "the state of a search has a place for each row");
const size_t risk_command_count = sizeof risk_commands / sizeof *risk_commands;

const struct risk_part risk_parts[] = {
    {"://", RISK_NETWORK, false},
    {"/dev/tcp/", RISK_NETWORK, false},
    {"/dev/udp/", RISK_NETWORK, false},
    {"git@", RISK_NETWORK, false},
    {"urllib", RISK_NETWORK, false},
    {"requests.", RISK_NETWORK, false},
    {"socket.", RISK_NETWORK, false},

    {"rmtree", RISK_DELETES, false},
    {"os.remove", RISK_DELETES, false},
    {"unlink", RISK_DELETES, false},
    {"rmsync", RISK_DELETES, false},
    {"fs.rm", RISK_DELETES, false},

    {"os.system", RISK_CODE, false},
    {"subprocess", RISK_CODE, false},
    {"child_process", RISK_CODE, false},

    {"/etc/sudoers", RISK_ROOT, false},
    {"docker.sock", RISK_ROOT, false},

    {".env", RISK_SECRETS, true},
    {".ssh", RISK_SECRETS, true},
    {"id_rsa", RISK_SECRETS, false},
    {"id_dsa", RISK_SECRETS, false},
    {"id_ecdsa", RISK_SECRETS, false},
    {"id_ed25519", RISK_SECRETS, false},
    {".pem", RISK_SECRETS, true},
    {".p12", RISK_SECRETS, true},
    {".pfx", RISK_SECRETS, true},
    {".gnupg", RISK_SECRETS, true},
    {".aws", RISK_SECRETS, true},
    {".azure", RISK_SECRETS, true},
    {".kube", RISK_SECRETS, true},
    {".netrc", RISK_SECRETS, true},
    {".pgpass", RISK_SECRETS, true},
    {".npmrc", RISK_SECRETS, true},
    {".pypirc", RISK_SECRETS, true},
    {".git-credentials", RISK_SECRETS, true},
    {".docker/config", RISK_SECRETS, true},
    {".config/gh", RISK_SECRETS, true},
    {"_history", RISK_SECRETS, true},
    {"keychain", RISK_SECRETS, true},
    {"credential", RISK_SECRETS, true},
    {"secret", RISK_SECRETS, true},
    {"token", RISK_SECRETS, true},
    {"password", RISK_SECRETS, true},
    {"passwd", RISK_SECRETS, true},
    {"api_key", RISK_SECRETS, true},
    {"api-key", RISK_SECRETS, true},
    {"apikey", RISK_SECRETS, true},
    {"access_key", RISK_SECRETS, true},
    {"private_key", RISK_SECRETS, true},
    {"/etc/shadow", RISK_SECRETS, true},
    {"/environ", RISK_SECRETS, true},

    {".bashrc", RISK_LASTS, true},
    {".bash_profile", RISK_LASTS, true},
    {".bash_login", RISK_LASTS, true},
    {".profile", RISK_LASTS, true},
    {".zshrc", RISK_LASTS, true},
    {".zshenv", RISK_LASTS, true},
    {".zprofile", RISK_LASTS, true},
    {".git/hooks", RISK_LASTS, true},
    {".git/config", RISK_LASTS, true},
    {".gitconfig", RISK_LASTS, true},
    {".husky", RISK_LASTS, true},
    {".github/workflows", RISK_LASTS, true},
    {".vscode/tasks", RISK_LASTS, true},
    {"authorized_keys", RISK_LASTS, true},
    {"/etc/cron", RISK_LASTS, false},
    {"/cron.d", RISK_LASTS, true},
    {"/systemd", RISK_LASTS, true},
    {"/init.d", RISK_LASTS, true},
    {"rc.local", RISK_LASTS, true},
    {"autostart", RISK_LASTS, true},
    {"launchagents", RISK_LASTS, true},
    {"launchdaemons", RISK_LASTS, true},
    {"ld.so.preload", RISK_LASTS, true},

    {".claude/", RISK_RIGHTS, false},
    {".claude.json", RISK_RIGHTS, true},
    {"claude.md", RISK_RIGHTS, true},
    {"agents.md", RISK_RIGHTS, true},
    {".mcp.json", RISK_RIGHTS, true},
    {".roomodes", RISK_RIGHTS, true},
    {".openclaw", RISK_RIGHTS, true},
    {"/inboxes", RISK_RIGHTS, true},
    {"/mailbox", RISK_RIGHTS, false},
    {"swarmutt", RISK_RIGHTS, false},
    {"dangerously", RISK_RIGHTS, false},
    {"bypasspermissions", RISK_RIGHTS, false},
    {"skip-permissions", RISK_RIGHTS, false},
};

const size_t risk_part_count = sizeof risk_parts / sizeof *risk_parts;

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

/* Programs that run another one, named among their arguments. */
static const char *const runners[] = {
    "env",     "exec",     "command",  "builtin",     "nohup",  "nice",   "ionice",
    "timeout", "stdbuf",   "setsid",   "sudo",        "doas",   "pkexec", "su",
    "runuser", "xargs",    "parallel", "busybox",     "chroot", "watch",  "strace",
    "ltrace",  "unshare",  "nsenter",  "systemd-run", "flock",  "ssh",    "eval",
    "-exec",   "-execdir", "-ok",      "-okdir",      NULL,
};

/* The directories of system programs. */
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

bool risk_is_interpreter(struct span name)
{
    while (name.len && ((name.at[name.len - 1] >= '0' && name.at[name.len - 1] <= '9') ||
                        name.at[name.len - 1] == '.'))
        name.len--;
    return is_listed(interpreters, name);
}

bool risk_is_keyword(struct span name)
{
    return is_listed(keywords, name);
}

bool risk_is_runner(struct span name)
{
    return is_listed(runners, name);
}

struct span risk_program(struct span word)
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

struct span risk_name(struct str *scratch, struct span word, bool command)
{
    struct span program = risk_program(word), before;

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
