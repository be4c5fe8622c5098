/* Texts that grow. Nothing here ever fails: without memory the process ends. */
#ifndef DEMO_TEXT_H
#define DEMO_TEXT_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

/* Zero-initialised is empty and valid. */
struct text {
    char *at;
    size_t len, cap;
};

void *demo_alloc(size_t size); /* zeroed */
void *demo_resize(void *block, size_t size);
char *demo_copy(const char *text); /* NULL stays NULL */

void text_add(struct text *text, const char *bytes, size_t len);
void text_puts(struct text *text, const char *bytes);
void text_putc(struct text *text, char c);
void text_addf(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Never NULL; borrowed until the next change. */
const char *text_c(const struct text *text);
void text_clear(struct text *text);
void text_free(struct text *text);
/* A new string, for the caller to free. */
char *text_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* JSON in the dialects of the programs that the agents stand for. */

/* JSON.stringify(tree), with `indent` blanks a level; 0: on one line. */
void json_node(struct text *out, const cJSON *tree, int indent);
/* json.dumps(tree, indent=2): only ASCII. */
void json_python(struct text *out, const cJSON *tree);
/* What a file holds, for cJSON_Delete(); NULL when it is not there, or only half. */
cJSON *json_load(const char *path);
/* The value of a member that is a string, else "". */
const char *json_text(const cJSON *object, const char *key);

#endif
