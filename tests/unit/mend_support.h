/* For tests that forge files with checksums: corrects the sums of changed bytes, since readers
 * would reject the file otherwise. */
#ifndef TESTS_UNIT_MEND_SUPPORT_H
#define TESTS_UNIT_MEND_SUPPORT_H

#include "base/map.h"
#include "mail/live/head.h"
#include "store/scan/head_cache.h"
#include "store/search/segment_format.h"

#include <stddef.h>
#include <string.h>

static inline void mend_cache(struct str *bytes)
{
    struct cache_header header;

    memcpy(&header, bytes->at, sizeof header);
    memcpy(header.magic, CACHE_MAGIC, sizeof CACHE_MAGIC);
    header.version = CACHE_VERSION;
    header.head_size = sizeof(struct head);
    header.size = bytes->len;
    memcpy(bytes->at, &header, sizeof header);
    header.sum = cache_sum(str_span(bytes));
    memcpy(bytes->at, &header, sizeof header);
}

static inline uint64_t sum_of_section(struct span bytes)
{
    uint64_t sum = SEGMENT_SEED;

    for (size_t at = 0; at < bytes.len; at += SEGMENT_BLOCK) {
        size_t left = bytes.len - at;
        sum = sum * 31 +
              map_hash((struct span){bytes.at + at, left < SEGMENT_BLOCK ? left : SEGMENT_BLOCK},
                       sum);
    }
    return sum;
}

static inline void mend_terms(struct str *bytes, const struct segment_header *header)
{
    const struct segment_span *terms = &header->sections[SECTION_TERMS],
                              *postings = &header->sections[SECTION_POSTINGS];

    for (uint64_t at = 0; at + sizeof(struct segment_term) <= terms->len;
         at += sizeof(struct segment_term)) {
        struct segment_term term;
        memcpy(&term, bytes->at + terms->at + at, sizeof term);
        if (term.at > postings->len || term.len > postings->len - term.at)
            continue;
        term.sum =
            map_hash((struct span){bytes->at + postings->at + term.at, term.len}, SEGMENT_SEED);
        memcpy(bytes->at + terms->at + at, &term, sizeof term);
    }
}

/* Corrects every sum that can be corrected. */
static inline void mend_segment(struct str *bytes, uint64_t source)
{
    struct segment_header header;
    bool fits = true;

    memcpy(&header, bytes->at, sizeof header);
    for (size_t i = 0; i < SECTION_COUNT; i++)
        fits = fits && header.sections[i].at <= bytes->len &&
               header.sections[i].len <= bytes->len - header.sections[i].at;
    if (fits)
        mend_terms(bytes, &header);
    for (size_t i = 0; fits && i < SECTION_COUNT; i++)
        header.sections[i].sum = sum_of_section(
            (struct span){bytes->at + header.sections[i].at, header.sections[i].len});
    memcpy(header.magic, SEGMENT_MAGIC, sizeof header.magic);
    header.version = SEGMENT_VERSION;
    header.endian = SEGMENT_ENDIAN;
    header.source = source;
    header.sum = map_hash(
        (struct span){(const char *)&header, offsetof(struct segment_header, sum)}, SEGMENT_SEED);
    memcpy(bytes->at, &header, sizeof header);
}

#endif
