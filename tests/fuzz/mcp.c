/* The output of a session of the Model Context Protocol depends only on its input bytes, however
 * they are cut; each line of it is JSON, and a read-only session writes nothing.
 *
 * The first byte is the length of the pieces. */
#include "tests/unit/mcp/mcp_support.h"

#include "fuzz.h"

#define HELLO                                                                                      \
    "{\"jsonrpc\":\"2.0\",\"id\":\"hello\",\"method\":\"initialize\",\"params\":{"                 \
    "\"protocolVersion\":\"2025-03-26\"}}\n"

struct drafts_cache {
    struct str out;
    size_t waits, dropped;
    bool readonly;
};

static bool put(void *context, struct span line)
{
    struct drafts_cache *desk = context;
    struct json value;
    struct err err;

    require(json_scan(line, JSON_STRICT, &value, &err), "%s: %.*s", err.text, (int)line.len,
            line.at);
    require(!memchr(line.at, '\n', line.len), "two lines");
    str_add_span(&desk->out, line);
    str_putc(&desk->out, '\n');
    return true;
}

static void call(void *context, const struct tool *tool, const struct arguments *arguments,
                 struct mcp_result *result)
{
    const struct drafts_cache *desk = context;

    require(!desk->readonly || !tool->writes, "%s", tool->name);
    for (const struct argument_spec *spec = tool->arguments; spec->name; spec++)
        require(!spec->needed || arguments_get(arguments, spec->name), "%s lacks %s", tool->name,
                spec->name);
    str_addf(&result->object, "{\"v\":1,\"tool\":\"%s\",\"n\":%zu}", tool->name, arguments->count);
    mcp_result_say(result, "a remark");
}

static bool start_wait(void *context, struct mcp_wait *wait, const struct arguments *arguments,
                       struct mcp_result *result)
{
    (void)wait;
    (void)arguments;
    (void)result;
    ((struct drafts_cache *)context)->waits++;
    return true;
}

static void drop(void *context, struct mcp_wait *wait)
{
    (void)wait;
    ((struct drafts_cache *)context)->dropped++;
}

/* Returns all output when the bytes arrive in pieces of that length. The caller frees. */
static struct str answers(struct span bytes, size_t piece, bool readonly, bool hello)
{
    struct drafts_cache desk = {.readonly = readonly};
    struct mcp_host host = {.context = &desk,
                            .version = "1",
                            .agent = "alice",
                            .readonly = readonly,
                            .put = put,
                            .call = call,
                            .wait = start_wait,
                            .drop = drop,
                            .list = list_nothing,
                            .read = read_the_one};
    struct mcp_session *session = mcp_open(&host);

    if (hello)
        mcp_take(session, span_of(HELLO));
    while (bytes.len) {
        struct span part = {bytes.at, bytes.len < piece ? bytes.len : piece};
        require(mcp_take(session, part), "it ended by itself");
        bytes.at += part.len;
        bytes.len -= part.len;
    }
    require(mcp_finish(session), "it ended by itself");
    mcp_close(session);
    require(desk.waits == desk.dropped, "%zu of %zu waits are left", desk.waits - desk.dropped,
            desk.waits);
    return desk.out;
}

void fuzz_mcp(struct span input)
{
    unsigned char how = fuzz_byte(&input);
    bool readonly = how & 1, hello = !(how & 2);
    struct str whole = answers(input, SIZE_MAX, readonly, hello);
    struct str pieces = answers(input, 1 + (how >> 2), readonly, hello);

    require(span_eq(str_span(&whole), str_span(&pieces)), "%s\nis not\n%s", str_c(&whole),
            str_c(&pieces));
    str_free(&whole);
    str_free(&pieces);
}
