/* For files with tables of forms: where an entry's value lies, and the entries that several have.
 */
#ifndef UI_COMPOSE_FORM_TABLES_H
#define UI_COMPOSE_FORM_TABLES_H

#include "ui/compose/form_private.h"

#include <stddef.h>

#define AT(member) offsetof(struct draft_fields, member)

#define TO                                                                                         \
    {                                                                                              \
        .label = "To", .kind = ENTRY_LINE, .at = AT(to), .required = true,                         \
        .hint = "agents, with commas between; Tab completes", .complete = form_complete_agents     \
    }
#define PLACE                                                                                      \
    {                                                                                              \
        .label = "Source", .kind = ENTRY_PLACE                                                     \
    }
#define SUBJECT                                                                                    \
    {                                                                                              \
        .label = "Subject", .kind = ENTRY_LINE, .at = AT(subject), .required_by = FIELD_SUBJECT    \
    }
#define PRIORITY                                                                                   \
    {                                                                                              \
        .label = "Priority", .kind = ENTRY_PRIORITY, .at = AT(priority)                            \
    }
#define END                                                                                        \
    {                                                                                              \
        .label = NULL                                                                              \
    }

#endif
