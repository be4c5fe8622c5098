/* JSON in the dialects of the programs that the agents stand for. */
#ifndef DEMO_JSON_H
#define DEMO_JSON_H

#include "demo/text.h"

#include <cjson/cJSON.h>
#include <stdbool.h>

/* JSON.stringify(tree), with `indent` blanks a level; 0: on one line. */
void json_node(struct text *out, const cJSON *tree, int indent);
/* json.dumps(tree, indent=2): only ASCII. */
void json_python(struct text *out, const cJSON *tree);
/* What a file holds, for cJSON_Delete(); NULL when it is not there, or only half. */
cJSON *json_load(const char *path);
/* The value of a member that is a string, else "". */
const char *json_text(const cJSON *object, const char *key);

#endif
