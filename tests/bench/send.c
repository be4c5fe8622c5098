/* The least work of sending: writes one message, syncs it, renames it and syncs the directory. Then
 * prints a line. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char text[] =
    "{\n  \"id\": \"MSG-000000000001\",\n  \"from_agent\": \"user\",\n  \"to_agent\": "
    "\"agent-00\",\n"
    "  \"swarm_name\": null,\n  \"type\": \"request\",\n  \"subject\": \"Rebase\",\n"
    "  \"body\": \"main moved\",\n  \"payload\": {},\n  \"priority\": 2,\n"
    "  \"created_at\": \"2026-01-03T14:30:00.123456\",\n  \"expires_at\": null,\n"
    "  \"status\": \"unread\",\n  \"read_at\": null,\n  \"completed_at\": null,\n"
    "  \"reply_to\": null,\n  \"thread_id\": null,\n  \"context\": {},\n"
    "  \"attachments\": [],\n  \"tags\": []\n}";

int main(int argc, char **argv)
{
    char staged[40], name[40];
    int dir = argc == 2 ? open(argv[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

    if (dir < 0) {
        fputs("usage: send DIRECTORY\n", stderr);
        return 2;
    }
    snprintf(staged, sizeof staged, ".MSG-%012x.tmp", (unsigned)getpid());
    snprintf(name, sizeof name, "MSG-%012x.json", (unsigned)getpid());
    int fd = openat(dir, staged, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text) || fsync(fd) ||
        linkat(dir, staged, dir, name, 0) || unlinkat(dir, staged, 0) || fsync(dir)) {
        perror("send");
        return 1;
    }
    puts(name);
    fflush(stdout);
    return 0;
}
