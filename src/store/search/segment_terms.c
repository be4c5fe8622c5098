/* Writing a segment: a list of postings for each word that is met. */
#include "store/search/segment_write_private.h"

#include "base/mem.h"
#include "base/text/words.h"
#include "mail/query/query.h"

#include <stdlib.h>

/* Needs room for NUMBER_BYTES. */
static void put_number(struct term *term, uint32_t value)
{
    unsigned char *to = term->postings + term->len;

    for (; value >= 0x80; value >>= 7)
        *to++ = (unsigned char)(value | 0x80);
    *to++ = (unsigned char)value;
    term->len = (uint32_t)(to - term->postings);
}

static void make_room(struct segment_writer *writer, struct term *term)
{
    if (term->cap - term->len >= 3 * NUMBER_BYTES)
        return;
    uint32_t cap = term->cap ? term->cap * 2 : 4 * NUMBER_BYTES;
    term->postings = mem_resize(term->postings, cap, 1);
    writer->bytes += cap - term->cap;
    term->cap = cap;
}

static bool is_term(const struct term *term, struct span word)
{
    if (term->text_len != word.len)
        return false;
    size_t near = word.len < TERM_START ? word.len : TERM_START;
    return memcmp(term->start, word.at, near) == 0 &&
           (near == word.len || memcmp(term->text, word.at, word.len) == 0);
}

static void double_slots(struct segment_writer *writer)
{
    size_t count = writer->slot_count * 2;
    struct slot *slots = mem_zero(count, sizeof *slots);

    for (size_t i = 0; i < writer->slot_count; i++) {
        size_t at = writer->slots[i].hash & (count - 1);
        while (writer->slots[i].hash && slots[at].hash)
            at = (at + 1) & (count - 1);
        if (writer->slots[i].hash)
            slots[at] = writer->slots[i];
    }
    free(writer->slots);
    writer->slots = slots;
    writer->slot_count = count;
}

static uint32_t add_term(struct segment_writer *writer, struct span word)
{
    struct term term = {
        .doc = NO_DOC, .text_len = (uint32_t)word.len, .text = arena_copy(&writer->arena, word).at};

    memcpy(term.start, word.at, word.len < TERM_START ? word.len : TERM_START);
    writer->terms =
        mem_grow(writer->terms, &writer->term_cap, writer->term_count + 1, sizeof *writer->terms);
    writer->terms[writer->term_count] = term;
    writer->bytes += sizeof term + 2 * sizeof(struct slot) + word.len;
    return (uint32_t)writer->term_count++;
}

/* The slot of a word, or the free one where it belongs. */
static struct slot *find_slot(const struct segment_writer *writer, uint32_t hash, struct span word)
{
    size_t mask = writer->slot_count - 1, at = hash & mask;

    while (writer->slots[at].hash && !(writer->slots[at].hash == hash &&
                                       is_term(&writer->terms[writer->slots[at].term], word)))
        at = (at + 1) & mask;
    return &writer->slots[at];
}

static uint32_t term_number(struct segment_writer *writer, uint32_t hash, struct span word)
{
    struct slot *slot = find_slot(writer, hash, word);

    if (slot->hash)
        return slot->term;
    uint32_t number = add_term(writer, word);
    *slot = (struct slot){hash, number};
    if (writer->term_count * 2 > writer->slot_count)
        double_slots(writer);
    return number;
}

static void meet_words(struct segment_writer *writer, const struct message *message)
{
    uint32_t place = 0;
    struct words words;
    struct word word;

    writer->met_count = 0;
    str_clear(&writer->met_texts);
    for (unsigned part = 0; part < QUERY_PART_COUNT; part++, place++) {
        words_begin(&words, query_part(message, part));
        while (words_next(&words, &word)) {
            struct met met = {.hash = map_hash(word.text, writer->seed),
                              .at = (uint32_t)writer->met_texts.len,
                              .len = (uint32_t)word.text.len,
                              .place = place,
                              .part = (uint8_t)part};
            __builtin_prefetch(&writer->slots[met.hash & (writer->slot_count - 1)]);
            str_add_span(&writer->met_texts, word.text);
            writer->met =
                mem_grow(writer->met, &writer->met_cap, writer->met_count + 1, sizeof *writer->met);
            writer->met[writer->met_count++] = met;
            place++;
        }
    }
}

static void number_words(struct segment_writer *writer)
{
    for (size_t i = 0; i < writer->met_count; i++) {
        const struct slot *slot = &writer->slots[writer->met[i].hash & (writer->slot_count - 1)];
        if (slot->hash)
            __builtin_prefetch(&writer->terms[slot->term]);
    }
    for (size_t i = 0; i < writer->met_count; i++) {
        struct met *met = &writer->met[i];
        struct span text = {writer->met_texts.at + met->at, met->len};
        met->term = term_number(writer, met->hash, text);
        const struct term *term = &writer->terms[met->term];
        if (term->postings)
            __builtin_prefetch(term->postings + term->len, 1);
    }
}

static void add_place(struct segment_writer *writer, const struct met *met)
{
    uint32_t doc = (uint32_t)writer->doc_count;
    struct term *term = &writer->terms[met->term];

    make_room(writer, term); /* for the two here, and the end of the doc */
    if (!term->parts) {      /* the first time in this doc */
        put_number(term, doc - term->doc);
        term->doc = doc;
        term->place = UINT32_MAX;
        writer->touched = mem_grow(writer->touched, &writer->touched_cap, writer->touched_count + 1,
                                   sizeof *writer->touched);
        writer->touched[writer->touched_count++] = met->term;
    }
    put_number(term, met->place - term->place + POSTING_PLACE - 1);
    term->place = met->place;
    term->parts |= (uint8_t)(1u << met->part);
}

uint32_t segment_add_words(struct segment_writer *writer, const struct message *message)
{
    meet_words(writer, message);
    number_words(writer);
    for (size_t i = 0; i < writer->met_count; i++)
        add_place(writer, &writer->met[i]);
    for (size_t i = 0; i < writer->touched_count; i++) {
        struct term *term = &writer->terms[writer->touched[i]];
        put_number(term, term->parts);
        term->parts = 0;
    }
    writer->touched_count = 0;
    return (uint32_t)writer->met_count;
}
