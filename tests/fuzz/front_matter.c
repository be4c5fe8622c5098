/* Front matter: a head is split and read alike twice, and never read beyond its end. */
#include "store/layouts/roo_parse.h"

#include "base/text/utf8.h"
#include "fuzz.h"

static void check_fields(const struct front_fields *fields)
{
    require(!fields->failed || fields->problem, "failed without a reason");
    require(fields->count <= 1000, "%zu keys", fields->count);
    for (size_t i = 0; i < fields->count; i++) {
        const struct front_field *field = &fields->items[i];
        require(field->key.at && utf8_valid(field->key), "key %zu", i);
        for (size_t k = 0; k < i; k++)
            require(!span_eq(field->key, fields->items[k].key), "two of a key");
        if (field->simple && !memchr(field->key.at, 0, field->key.len)) {
            struct span text = front_text(fields, field->key.at);
            require(field->null ? !text.at : span_eq(text, field->value), "key %zu", i);
        }
    }
}

static void check_read(struct span block)
{
    struct front_fields once = {0}, twice = {0};
    struct arena arena = {0};

    front_read(&once, block, &arena);
    front_read(&twice, block, &arena);
    check_fields(&once);
    require(once.count == twice.count && once.failed == twice.failed, "it is read in two ways");
    front_fields_free(&once);
    front_fields_free(&twice);
    arena_free(&arena);
}

void fuzz_front_matter(struct span input)
{
    struct front_matter front = {0};
    enum front_split split = front_split(input, &front);

    if (split == FRONT_CLOSED) {
        require(fuzz_inside(front.language, input) && fuzz_inside(front.block, input) &&
                    fuzz_inside(front.body, input),
                "a part is somewhere else");
        require(front.body.at + front.body.len == input.at + input.len, "the body has an end");
        require(front.block.at + front.block.len <= front.body.at, "the parts overlap");
        require(!front_is_program(front.language) || !front_is_yaml(front.language), "both");
        check_read(front.block);
    }
    check_read(input);
}
