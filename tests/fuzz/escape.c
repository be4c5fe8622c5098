/* Keys: a known sequence is read exactly to its end, and every key has a name that reads as that
 * key. The input is a sequence without its Esc, and a word of the config. */
#include "ui/term/escape.h"

#include "fuzz.h"

static void check_sequence(struct span sequence)
{
    uint32_t key = escape_key(sequence);
    struct key_sequence parsed;
    struct str name = {0};
    struct err err = {0};

    if (!escape_is_text(sequence) && sequence.len && sequence.len < 200)
        require(!escape_goes_on(sequence) || sequence.at[0] == 'O' || sequence.at[0] == '[',
                "a key with Alt goes on");
    if (key == K_UNKNOWN)
        return;
    require(!escape_goes_on(sequence), "more is waited for behind a key");
    for (size_t len = 1; len < sequence.len; len++)
        require(escape_goes_on((struct span){sequence.at, len}), "a key ends after %zu bytes", len);
    key_add_name(&name, key);
    require(key_sequence_parse(str_span(&name), &parsed, &err), "%s", err.text);
    require(parsed.count == 1 && parsed.keys[0] == key, "%s is %u keys, %x, not %x", str_c(&name),
            parsed.count, parsed.keys[0], key);
    str_free(&name);
}

static void check_word(struct span word)
{
    struct key_sequence keys, again;
    struct str name = {0};
    struct err err = {0};

    if (key_sequence_parse(word, &keys, &err)) {
        require(keys.count && keys.count <= KEY_SEQUENCE_MAX, "%u keys", keys.count);
        key_sequence_add_name(&name, &keys);
        require(key_sequence_parse(str_span(&name), &again, &err), "%s: %s", str_c(&name),
                err.text);
        require(key_sequence_eq(&keys, &again), "%s", str_c(&name));
    } else {
        require(err.text[0], "refused without a reason");
    }
    str_free(&name);
}

void fuzz_escape(struct span input)
{
    check_sequence(fuzz_part(&input));
    check_word(input);
}
