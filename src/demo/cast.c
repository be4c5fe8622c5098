/* Who is in the swarm. */
#include "demo/swarm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* One each, as long as there are any; then by weight. */
static void share_out(size_t *shares, const struct layout *const *chosen, size_t agents)
{
    for (size_t given = 0; given < agents; given++) {
        size_t best = 0;
        for (size_t i = 0; chosen[i]; i++) {
            bool first = !shares[i] && shares[best];
            bool fairer = (shares[i] * chosen[best]->weight < shares[best] * chosen[i]->weight);
            if (first || (fairer && (shares[i] || !shares[best])))
                best = i;
        }
        shares[best]++;
    }
}

static void add_members(struct swarm *swarm, const struct layout *layout, size_t count)
{
    static const char *const colors[] = {"blue",   "green", "yellow", "purple",
                                         "orange", "pink",  "cyan"};

    for (unsigned place = 0; place < count; place++) {
        struct member *member = &swarm->members[swarm->count++];
        member->layout = layout;
        member->place = place;
        member->role = role_find(layout->name, place);
        member->color = colors[place % (sizeof colors / sizeof *colors)];
        snprintf(member->name, sizeof member->name, "%s-%zu", member->role, swarm->count);
    }
}

bool swarm_cast(struct swarm *swarm, const struct layout *const *chosen, size_t agents)
{
    size_t shares[8] = {0};

    if (agents < 1 || agents > AGENTS_MAX || !chosen[0])
        return false;
    swarm->members = demo_alloc(agents * sizeof *swarm->members);
    swarm->starts = demo_alloc(agents * sizeof *swarm->starts);
    swarm->gone = mmap(NULL, AGENTS_MAX, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (swarm->gone == MAP_FAILED)
        return false;
    share_out(shares, chosen, agents);
    for (size_t i = 0; chosen[i]; i++)
        add_members(swarm, chosen[i], shares[i]);
    return true;
}

void swarm_free(struct swarm *swarm)
{
    for (size_t i = 0; i < swarm->count; i++)
        letter_free(swarm->starts[i].asked);
    free(swarm->members);
    free(swarm->starts);
    swarm->members = NULL;
    swarm->starts = NULL;
    swarm->count = 0;
}

const struct member *swarm_member(const struct swarm *swarm, const struct layout *layout,
                                  unsigned place)
{
    for (size_t i = 0; i < swarm->count; i++)
        if (swarm->members[i].layout == layout && swarm->members[i].place == place)
            return &swarm->members[i];
    return NULL;
}

size_t swarm_size(const struct swarm *swarm, const struct layout *layout)
{
    size_t count = 0;

    for (size_t i = 0; i < swarm->count; i++)
        count += swarm->members[i].layout == layout;
    return count;
}
