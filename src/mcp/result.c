/* Results of tools: the object, the same as text, and what is said about it. */
#include "base/json/json_print.h"
#include "mcp/session_private.h"

void mcp_result_free(struct mcp_result *result)
{
    str_free(&result->object);
    str_free(&result->words);
}

void mcp_result_say(struct mcp_result *result, const char *sentence)
{
    str_add(&result->words, sentence, strlen(sentence) + 1);
}

static void add_text_block(struct str *out, struct span text)
{
    str_puts(out, "{\"type\":\"text\",\"text\":");
    json_put_text(out, text, &json_style_line);
    str_putc(out, '}');
}

void mcp_result_add(struct str *out, const struct mcp_result *result)
{
    const char *comma = "";

    str_add(out, result->object.at, result->object.len - 1);
    if (result->words.len)
        str_puts(out, ",\"remarks\":[");
    for (size_t at = 0; at < result->words.len; at += strlen(result->words.at + at) + 1) {
        str_puts(out, comma);
        json_put_text(out, span_of(result->words.at + at), &json_style_line);
        comma = ",";
    }
    str_puts(out, result->words.len ? "]}" : "}");
}

/* The text is the same object for clients that know no structured results; why something failed is
 * said in words. */
static void add_result(struct str *out, const struct mcp_result *result)
{
    struct str object = {0}, words = {0};

    for (size_t at = 0; at < result->words.len; at += strlen(result->words.at + at) + 1)
        str_addf(&words, "%s%s", at ? "\n" : "", result->words.at + at);
    if (result->object.len)
        mcp_result_add(&object, result);
    str_puts(out, "{\"content\":[");
    add_text_block(out, str_span(result->failed ? &words : &object));
    str_putc(out, ']');
    if (object.len) {
        str_puts(out, ",\"structuredContent\":");
        str_add_span(out, str_span(&object));
    }
    str_puts(out, result->failed ? ",\"isError\":true}" : ",\"isError\":false}");
    str_free(&object);
    str_free(&words);
}

void call_answer_with(const struct call *call, const struct mcp_result *result)
{
    struct str text = {0};

    add_result(&text, result);
    call_answer(call, &text);
    str_free(&text);
}
