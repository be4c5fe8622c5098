/* A tree: who answers whom in a conversation. */
#include "mail/thread/tree.h"

#include "base/mem.h"

#include <stdlib.h>

enum { NOBODY = UINT32_MAX };

/* Answers of a message as a chain, the oldest first. */
struct node {
    uint32_t parent, first, last, next;
};

static uint32_t find_parent(const struct map *ids, const struct talks *talks,
                            const struct talk *talk, uint32_t at)
{
    const struct message *message = talk_message(talks, talk, at);
    struct span answered = message_spoken_id(message->reply_to, message->place->short_replies);
    const uint32_t *found = answered.len ? map_get(ids, answered) : NULL;

    return found && *found < at ? *found : 0;
}

static void join(struct node *nodes, uint32_t parent, uint32_t child)
{
    nodes[child].parent = parent;
    if (nodes[parent].last == NOBODY)
        nodes[parent].first = child;
    else
        nodes[nodes[parent].last].next = child;
    nodes[parent].last = child;
}

static unsigned depth_of(const struct node *nodes, uint32_t at)
{
    unsigned depth = 0;

    for (; nodes[at].parent != NOBODY && depth < TREE_DEPTH_MAX; at = nodes[at].parent)
        depth++;
    return depth;
}

static struct span branch_of(struct tree *tree, const struct node *nodes, uint32_t at)
{
    unsigned depth = depth_of(nodes, at);
    char *branch = arena_bytes(&tree->arena, 2 * (size_t)depth + 3);
    size_t end = 2 * (size_t)depth + 2;

    if (!depth)
        return (struct span){"", 0};
    memset(branch, ' ', end);
    memcpy(branch + end - 4, "+-> ", 4);
    uint32_t up = nodes[at].parent;
    for (unsigned i = depth - 1; i > 0 && nodes[up].parent != NOBODY; i--, up = nodes[up].parent)
        if (nodes[up].next != NOBODY)
            branch[2 * (i - 1)] = '|';
    return (struct span){branch, end};
}

void tree_build(struct tree *tree, const struct talks *talks, const struct talk *talk)
{
    struct node *nodes = mem_alloc((talk->count + 1) * sizeof *nodes);
    struct map ids = {0};
    bool fresh;

    tree_free(tree);
    tree->rows = mem_zero(talk->count + 1, sizeof *tree->rows);
    for (uint32_t i = 0; i < talk->count; i++) {
        nodes[i] = (struct node){NOBODY, NOBODY, NOBODY, NOBODY};
        const struct message *message = talk_message(talks, talk, i);
        struct span id = message_spoken_id(message->id, message->place->short_replies);
        uint32_t *known = map_put(&ids, id, &fresh);
        if (fresh)
            *known = i;
    }
    for (uint32_t i = 1; i < talk->count; i++)
        join(nodes, find_parent(&ids, talks, talk, i), i);
    for (uint32_t at = 0; talk->count && at != NOBODY;) {
        tree->rows[tree->count++] =
            (struct tree_row){.at = at, .branch = branch_of(tree, nodes, at)};
        if (nodes[at].first != NOBODY) {
            at = nodes[at].first;
            continue;
        }
        while (at != NOBODY && nodes[at].next == NOBODY)
            at = nodes[at].parent;
        if (at != NOBODY)
            at = nodes[at].next;
    }
    map_free(&ids);
    free(nodes);
}

void tree_free(struct tree *tree)
{
    free(tree->rows);
    arena_free(&tree->arena);
    *tree = (struct tree){0};
}
