/* Random ids: generating and recognising them. */
#include "base/uuid.h"

#include <ctype.h>
#include <uuid/uuid.h>

void uuid_add(struct str *out)
{
    char text[UUID_LEN + 1];
    uuid_t uuid;

    uuid_generate_random(uuid);
    uuid_unparse_lower(uuid, text);
    str_add(out, text, UUID_LEN);
}

void uuid_add_hex(struct str *out, size_t bytes)
{
    uuid_t uuid;

    uuid_generate_random(uuid);
    for (size_t i = 0; i < bytes; i++) /* uuid[6] has version bits, not random ones */
        str_addf(out, "%02x", uuid[i]);
}

bool uuid_is(struct span text)
{
    static const char form[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";

    if (text.len != UUID_LEN)
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (form[i] == '-' ? text.at[i] != '-' : !isxdigit((unsigned char)text.at[i]))
            return false;
    return true;
}
