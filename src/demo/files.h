/* Files, written the way agents write them. */
#ifndef DEMO_FILES_H
#define DEMO_FILES_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/types.h>

/* Growing texts. Nothing here ever fails: without memory the process ends. */

/* Calls `function` with the address of the variable when it goes out of scope. The variable must be
 * initialised where it is declared, and must not be given away. */
#define CLEANUP(function) __attribute__((cleanup(function)))

/* Zero-initialised is empty and valid. */
struct text {
    char *at;
    size_t len, cap;
};

void *demo_alloc(size_t size); /* zeroed */
void *demo_resize(void *block, size_t size);
char *demo_copy(const char *text); /* NULL stays NULL */

/* For CLEANUP(): free what the pointer at that address points to. */
static inline void demo_free(void *pointer)
{
    free(*(void **)pointer);
}
static inline void json_free(cJSON **tree)
{
    cJSON_Delete(*tree);
}

void text_add(struct text *text, const char *bytes, size_t len);
void text_puts(struct text *text, const char *bytes);
void text_putc(struct text *text, char c);
void text_addf(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Never returns NULL; borrowed until the next change. */
const char *text_c(const struct text *text);
void text_free(struct text *text);
/* Returns a new string; the caller frees it. */
char *text_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* JSON in the dialects of the programs that the agents imitate. */

/* Writes JSON.stringify(tree), with `indent` blanks per level; 0: on one line. */
void json_node(struct text *out, const cJSON *tree, int indent);
/* Writes json.dumps(tree, indent=2): ASCII only. */
void json_python(struct text *out, const cJSON *tree);
/* Returns the tree of a JSON text that has ' instead of ". The strings must need no escapes. The
 * caller frees it with cJSON_Delete(). */
cJSON *json_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Returns the content of a file; NULL if it does not exist or is incomplete. The caller frees it
 * with cJSON_Delete(). */
cJSON *json_load(const char *path);
/* Returns the value of a member that is a string, otherwise "". */
const char *json_text(const cJSON *object, const char *key);

/* Makes a directory and its parents. */
bool files_make_dir(const char *path, mode_t mode);
/* Truncates and writes, as most programs do: a concurrent reader sees an incomplete file. */
bool files_write(const char *path, const char *bytes, size_t len, mode_t mode);
/* Like files_write(), but fails with errno EEXIST if the file exists. */
bool files_create(const char *path, const char *bytes, size_t len, mode_t mode);
/* Writes PATH.tmp and renames it. */
bool files_replace(const char *path, const char *bytes, size_t len);
bool files_read(const char *path, struct text *out);
/* Sets the time of the last change. */
void files_age(const char *path, int64_t time_us);
/* Removes a directory with everything in it; does not follow links. */
bool files_remove_tree(const char *path);

#endif
