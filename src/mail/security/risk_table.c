/* Risks: the tables of commands and of parts of words. */
#include "base/text/utf8.h"
#include "mail/security/risk_private.h"

/* Programs and variables that are a risk. */

#define ANYWHERE RISK_ANYWHERE
#define COMMAND RISK_COMMAND
#define FIRST RISK_FIRST

const struct risk_command risk_commands[] = {
    /* deleting */
    {"rm rmdir unlink shred srm wipefs truncate mkfs* fdisk sgdisk blkdiscard remove-item "
     "git-clean dropdb flushall flushdb",
     NULL, RISK_DELETES, ANYWHERE},
    {"wipe parted", NULL, RISK_DELETES, COMMAND},
    {"trash* del erase rd ri", NULL, RISK_DELETES, FIRST},
    {"dd", "of=*", RISK_DELETES, ANYWHERE},
    {"find", "-delete", RISK_DELETES, ANYWHERE},
    {"rsync", "--delete* --remove-source-files", RISK_DELETES, ANYWHERE},
    /* +* is a forced push of a branch, :* the removal of one */
    {"git",
     "clean --hard --force* -f -D --delete --mirror --prune* restore drop clear gc "
     "filter-branch filter-repo update-ref +* :*",
     RISK_DELETES, ANYWHERE},
    {"docker", "rmi prune down", RISK_DELETES, ANYWHERE},
    {"podman", "rmi prune", RISK_DELETES, ANYWHERE},
    {"kubectl", "delete", RISK_DELETES, ANYWHERE},
    {"helm", "uninstall", RISK_DELETES, ANYWHERE},
    {"terraform", "destroy apply", RISK_DELETES, ANYWHERE},
    {"aws", "rb delete* terminate*", RISK_DELETES, ANYWHERE},
    {"gcloud", "delete", RISK_DELETES, ANYWHERE},
    {"gh", "delete", RISK_DELETES, ANYWHERE},
    {"apt*", "remove purge autoremove", RISK_DELETES, ANYWHERE},
    {"npm", "unpublish", RISK_DELETES, ANYWHERE},
    {"drop", "table database schema index view user role", RISK_DELETES, ANYWHERE},
    {"delete", "from", RISK_DELETES, ANYWHERE},

    /* ending programs */
    {"pkill killall", NULL, RISK_ENDS, ANYWHERE},
    {"kill", NULL, RISK_ENDS, COMMAND},
    {"shutdown reboot poweroff halt", NULL, RISK_ENDS, FIRST},

    /* network */
    {"curl wget aria2c lynx w3m ssh ssh-copy-id scp sftp rsync rclone ncat netcat "
     "nc.traditional nc.openbsd socat telnet tftp lftp traceroute nslookup nmap mailx sendmail "
     "ngrok cloudflared npx bunx pipx uvx gsutil invoke-webrequest invoke-restmethod",
     NULL, RISK_NETWORK, ANYWHERE},
    {"axel nc dig iwr irm", NULL, RISK_NETWORK, COMMAND},
    {"http https xh mosh ftp ping* host whois mail mutt svn gh glab dnf yum kubectl helm aws "
     "gcloud az vercel netlify heroku",
     NULL, RISK_NETWORK, FIRST},
    {"openssl", "s_client", RISK_NETWORK, ANYWHERE},
    {"git", "push fetch pull clone remote ls-remote submodule", RISK_NETWORK, ANYWHERE},
    {"npm", "install i ci add update publish exec", RISK_NETWORK, ANYWHERE},
    {"pnpm", "install i add dlx", RISK_NETWORK, ANYWHERE},
    {"yarn", "install add dlx publish", RISK_NETWORK, ANYWHERE},
    {"bun", "install add", RISK_NETWORK, ANYWHERE},
    {"pip*", "install download", RISK_NETWORK, ANYWHERE},
    {"python*", "pip http.server", RISK_NETWORK, ANYWHERE},
    {"uv", "pip add sync", RISK_NETWORK, ANYWHERE},
    {"poetry", "add install publish", RISK_NETWORK, ANYWHERE},
    {"twine", "upload", RISK_NETWORK, ANYWHERE},
    {"conda", "install", RISK_NETWORK, ANYWHERE},
    {"gem", "install push", RISK_NETWORK, ANYWHERE},
    {"bundle", "install", RISK_NETWORK, ANYWHERE},
    {"composer", "install require", RISK_NETWORK, ANYWHERE},
    {"cargo", "install add fetch update publish", RISK_NETWORK, ANYWHERE},
    {"go", "get install mod", RISK_NETWORK, ANYWHERE},
    {"apt*", "install update upgrade dist-upgrade", RISK_NETWORK, ANYWHERE},
    {"apk", "add", RISK_NETWORK, ANYWHERE},
    {"pacman", "-S", RISK_NETWORK, ANYWHERE},
    {"brew", "install upgrade tap", RISK_NETWORK, ANYWHERE},
    {"snap", "install", RISK_NETWORK, ANYWHERE},
    {"docker", "pull push run build login", RISK_NETWORK, ANYWHERE},
    {"podman", "pull push run", RISK_NETWORK, ANYWHERE},
    {"terraform", "init", RISK_NETWORK, ANYWHERE},

    /* root rights */
    {"sudo sudoedit doas pkexec runuser run0 gosu setcap setuid* chattr setfacl useradd adduser "
     "usermod visudo umount chroot nsenter unshare insmod modprobe sysctl iptables* ufw",
     NULL, RISK_ROOT, ANYWHERE},
    {"su mount nft", NULL, RISK_ROOT, COMMAND},
    {"runas passwd", NULL, RISK_ROOT, FIRST},
    {"chmod", "/* +s", RISK_ROOT, ANYWHERE},
    {"chown", "/* root*", RISK_ROOT, ANYWHERE},
    {"chgrp", "/*", RISK_ROOT, ANYWHERE},
    {"install", "/*", RISK_ROOT, FIRST},
    {"docker", "--privileged", RISK_ROOT, ANYWHERE},

    /* running text as a program */
    {"eval invoke-expression ld_preload= ld_library_path= dyld_insert_libraries= bash_env= "
     "prompt_command= git_ssh= git_ssh_command= git_config* pager= editor= node_options= "
     "pythonstartup= pythonpath= perl5opt= gdb",
     NULL, RISK_CODE, ANYWHERE},
    {"iex", NULL, RISK_CODE, COMMAND},
    {"source . trap alias path= ifs= env=", NULL, RISK_CODE, FIRST},
    {"base64", "-d -D --decode", RISK_CODE, ANYWHERE},
    {"base32", "-d", RISK_CODE, ANYWHERE},
    {"xxd", "-r", RISK_CODE, ANYWHERE},
    {"openssl", "enc", RISK_CODE, ANYWHERE},
    {"find", "-exec* -ok*", RISK_CODE, ANYWHERE},
    {"git", "core.* alias.* --upload-pack*", RISK_CODE, ANYWHERE},

    /* continuing afterwards */
    {"crontab systemctl systemd-run launchctl update-rc.d schtasks nohup setsid disown "
     "daemonize pm2",
     NULL, RISK_LASTS, ANYWHERE},
    {"at batch service screen tmux", NULL, RISK_LASTS, FIRST},
    {"docker", "--restart* -d", RISK_LASTS, ANYWHERE},

    {"printenv", NULL, RISK_SECRETS, ANYWHERE},
    {"history", NULL, RISK_SECRETS, FIRST},
    {"security", "find-*", RISK_SECRETS, ANYWHERE},
    {"gpg", "--export-secret*", RISK_SECRETS, ANYWHERE},
};

_Static_assert(sizeof risk_commands / sizeof *risk_commands <= RISK_COMMANDS_MAX,
               "the state of a search has a place for each row");
const size_t risk_command_count = sizeof risk_commands / sizeof *risk_commands;

const struct risk_parts risk_parts[] = {
    {"://* /dev/tcp/* /dev/udp/* git@* urllib* requests.* socket.*", RISK_NETWORK},
    {"rmtree* os.remove* unlink* rmsync* fs.rm*", RISK_DELETES},
    {"os.system* subprocess* child_process*", RISK_CODE},
    {"/etc/sudoers* docker.sock*", RISK_ROOT},
    {".env .ssh id_rsa* id_dsa* id_ecdsa* id_ed25519* .pem .p12 .pfx .gnupg .aws .azure .kube "
     ".netrc .pgpass .npmrc .pypirc .git-credentials .docker/config .config/gh _history "
     "keychain credential secret token password passwd api_key api-key apikey access_key "
     "private_key /etc/shadow /environ",
     RISK_SECRETS},
    {".bashrc .bash_profile .bash_login .profile .zshrc .zshenv .zprofile .git/hooks "
     ".git/config .gitconfig .husky .github/workflows .vscode/tasks authorized_keys /etc/cron* "
     "/cron.d /systemd /init.d rc.local autostart launchagents launchdaemons ld.so.preload",
     RISK_LASTS},
    {".claude/* .claude.json claude.md agents.md .mcp.json .roomodes .openclaw /inboxes "
     "/mailbox* swarmutt* dangerously* bypasspermissions* skip-permissions*",
     RISK_RIGHTS},
};

const size_t risk_parts_count = sizeof risk_parts / sizeof *risk_parts;

/* Programs that run text; a version may follow their names. */
static const char interpreters[] =
    "sh bash zsh dash ksh mksh ash fish csh tcsh python perl php ruby node deno nodejs lua pwsh "
    "powershell cmd bun tclsh osascript rscript busybox ipython";

/* Words of the shell that a command's name follows. */
static const char keywords[] =
    "! { if then elif else do while until time coproc export declare local readonly typeset";

/* Programs that run another one, named among their arguments. */
static const char runners[] =
    "env exec command builtin nohup nice ionice timeout stdbuf setsid sudo doas pkexec su "
    "runuser xargs parallel busybox chroot watch strace ltrace unshare nsenter systemd-run "
    "flock ssh eval -exec -execdir -ok -okdir";

/* The directories of system programs. */
static const char program_dirs[] =
    "/bin/ /usr/bin/ /usr/local/bin/ /sbin/ /usr/sbin/ /usr/local/sbin/ /opt/homebrew/bin/ "
    "/snap/bin/";

bool risk_is_listed(struct span name, const char *list)
{
    for (struct span word; (word = risk_take(&list)).len;)
        if (span_eq(name, word))
            return true;
    return false;
}

bool risk_is_interpreter(struct span name)
{
    while (name.len && ((name.at[name.len - 1] >= '0' && name.at[name.len - 1] <= '9') ||
                        name.at[name.len - 1] == '.'))
        name.len--;
    return risk_is_listed(name, interpreters);
}

bool risk_is_keyword(struct span name)
{
    return risk_is_listed(name, keywords);
}

bool risk_is_runner(struct span name)
{
    return risk_is_listed(name, runners);
}

struct span risk_program(struct span word)
{
    const char *dirs = program_dirs;

    for (struct span directory; (directory = risk_take(&dirs)).len;) {
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
