/* The words that options and operands take, from the tables that parse them where there are any.
 * Each function returns NULL after the last word. */
#ifndef CMD_WORDS_H
#define CMD_WORDS_H

const char *words_behavior(unsigned number);
const char *words_command(unsigned number);
const char *words_config(unsigned number);
const char *words_count(unsigned number);
const char *words_decision(unsigned number);
const char *words_idle_reason(unsigned number);
const char *words_index(unsigned number);
const char *words_layout(unsigned number);
const char *words_level(unsigned number);
const char *words_log(unsigned number);
const char *words_mode(unsigned number);
const char *words_outbox(unsigned number);
const char *words_output(unsigned number);
const char *words_protocol(unsigned number);
const char *words_protocol_kind(unsigned number);
const char *words_scope(unsigned number);
const char *words_shell(unsigned number);
const char *words_task_status(unsigned number);
const char *words_type(unsigned number);

#endif
