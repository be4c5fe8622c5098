/* Texts that grow. */
#include "demo/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *held(void *block)
{
    if (!block)
        _exit(1);
    return block;
}

void *demo_alloc(size_t size)
{
    return held(calloc(1, size ? size : 1));
}

void *demo_resize(void *block, size_t size)
{
    return held(realloc(block, size ? size : 1));
}

char *demo_copy(const char *text)
{
    return text ? held(strdup(text)) : NULL;
}

void text_add(struct text *text, const char *bytes, size_t len)
{
    if (text->len + len + 1 > text->cap) {
        text->cap = (text->len + len + 1) * 2;
        text->at = demo_resize(text->at, text->cap);
    }
    if (len)
        memcpy(text->at + text->len, bytes, len);
    text->len += len;
    text->at[text->len] = '\0';
}

void text_puts(struct text *text, const char *bytes)
{
    text_add(text, bytes, strlen(bytes));
}

void text_putc(struct text *text, char c)
{
    text_add(text, &c, 1);
}

__attribute__((format(printf, 1, 0))) static char *format_list(const char *format, va_list args)
{
    char *made = NULL;

    if (vasprintf(&made, format, args) < 0)
        made = NULL;
    return held(made);
}

void text_addf(struct text *text, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    char *made = format_list(format, args);
    va_end(args);
    text_puts(text, made);
    free(made);
}

char *text_format(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    char *made = format_list(format, args);
    va_end(args);
    return made;
}

const char *text_c(const struct text *text)
{
    return text->at ? text->at : "";
}

void text_clear(struct text *text)
{
    text->len = 0;
    if (text->at)
        text->at[0] = '\0';
}

void text_free(struct text *text)
{
    free(text->at);
    *text = (struct text){0};
}
