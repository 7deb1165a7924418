/*
 * peer_nodes.c
 *		Two layouts as one writes them first, the feet of the ladder.
 *
 *	pointers	One allocation a node: 256 pointers to children, a failure
 *				link and the length of the pattern that ends there.
 *	packed		The same nodes in one block, the array of children trimmed to
 *				first .. last:
 *
 *				| fail (8) | length (4) | first (1) | last (1) | children ...
 *
 * Both find matches by walking the chain of failure links at every position.
 */
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define POINTERS_MOST 200000	/* nodes: half a gigabyte */

typedef struct Node
{
	struct Node *child[256];
	struct Node *fail;
	uint32_t	length;			/* of the pattern that ends here, or 0 */
	uint32_t	number;			/* while building: order of breadth */
} Node;

typedef struct Packed
{
	uint64_t	fail;			/* addresses, as a pointer would be */
	uint32_t	length;
	uint8_t		first;
	uint8_t		last;
	uint64_t	child[];
} __attribute__((packed)) Packed;

typedef struct Nodes
{
	Node	  **nodes;			/* by breadth */
	size_t		count;
	uint8_t    *block;			/* of packed nodes */
	size_t		size;
} Nodes;

static Node *
new_node(Nodes *nodes)
{
	if (nodes->count >= POINTERS_MOST)
		return NULL;
	if ((nodes->count & (nodes->count - 1)) == 0)
		nodes->nodes = must(realloc(nodes->nodes, (nodes->count ? 2 * nodes->count : 1) *
									sizeof(Node *)));
	nodes->nodes[nodes->count] = must(calloc(1, sizeof(Node)));
	nodes->size += sizeof(Node);
	return nodes->nodes[nodes->count++];
}

static void
destroy(void *automaton)
{
	Nodes	   *nodes = automaton;
	size_t		i;

	for (i = 0; nodes->nodes != NULL && i < nodes->count; i++)
		free(nodes->nodes[i]);
	free(nodes->nodes);
	free(nodes->block);
	free(nodes);
}

static bool
insert(Nodes *nodes, const uint8_t *pattern, size_t length)
{
	Node	   *node = nodes->nodes[0];
	size_t		i;

	for (i = 0; i < length; i++)
	{
		if (node->child[pattern[i]] == NULL &&
			(node->child[pattern[i]] = new_node(nodes)) == NULL)
			return false;
		node = node->child[pattern[i]];
	}
	node->length = (uint32_t) length;
	return true;
}

/* Sets the failure links and puts the nodes into order of breadth. */
static void
link_nodes(Nodes *nodes)
{
	Node	  **queue = must(malloc(nodes->count * sizeof(Node *)));
	size_t		head,
				tail = 0;
	int			label;

	queue[tail++] = nodes->nodes[0];
	for (head = 0; head < tail; head++)
	{
		Node	   *node = queue[head];

		node->number = (uint32_t) head;
		for (label = 0; label < 256; label++)
		{
			Node	   *child = node->child[label];
			Node	   *fail = node->fail;

			if (child == NULL)
				continue;
			while (fail != NULL && fail->child[label] == NULL)
				fail = fail->fail;
			child->fail = fail != NULL ? fail->child[label] : queue[0];
			queue[tail++] = child;
		}
	}
	free(nodes->nodes);
	nodes->nodes = queue;
}

static void *
build_pointers(const Set *set)
{
	Nodes	   *nodes = must(calloc(1, sizeof(Nodes)));
	uint32_t	i;

	new_node(nodes);
	for (i = 0; i < set->count; i++)
		if (!insert(nodes, set->pool + set->offsets[i],
					set->offsets[i + 1] - set->offsets[i]))
		{
			destroy(nodes);
			return NULL;
		}
	link_nodes(nodes);
	return nodes;
}

/* The range of labels of a node's children; first > last without any. */
static void
label_range(const Node *node, int *first, int *last)
{
	for (*first = 0; *first < 256 && node->child[*first] == NULL;)
		++*first;
	for (*last = 255; *last >= 0 && node->child[*last] == NULL;)
		--*last;
}

static size_t
packed_size(const Node *node)
{
	int			first,
				last;

	label_range(node, &first, &last);
	return sizeof(Packed) + (first > last ? 0 : 8 * (size_t) (last - first + 1));
}

static void
pack_node(Packed *packed, const Node *node, uint8_t *block, const size_t *at)
{
	int			first,
				last,
				label;

	label_range(node, &first, &last);
	packed->fail = node->fail ? (uintptr_t) (block + at[node->fail->number]) : 0;
	packed->length = node->length;
	packed->first = first > last ? 1 : (uint8_t) first;
	packed->last = first > last ? 0 : (uint8_t) last;
	for (label = first; label <= last; label++)
		packed->child[label - first] = node->child[label] == NULL ? 0 :
			(uintptr_t) (block + at[node->child[label]->number]);
}

static void *
build_packed(const Set *set)
{
	Nodes	   *nodes = build_pointers(set);
	size_t	   *at;
	size_t		i;

	if (nodes == NULL)
		return NULL;
	at = must(malloc(nodes->count * sizeof(size_t)));
	nodes->size = 0;
	for (i = 0; i < nodes->count; i++)
	{
		at[i] = nodes->size;
		nodes->size += packed_size(nodes->nodes[i]);
	}
	nodes->block = must(malloc(nodes->size));
	for (i = 0; i < nodes->count; i++)
		pack_node((Packed *) (nodes->block + at[i]), nodes->nodes[i],
				  nodes->block, at);
	for (i = 0; i < nodes->count; i++)
		free(nodes->nodes[i]);
	free(nodes->nodes);
	free(at);
	nodes->nodes = NULL;
	return nodes;
}

static size_t
size_of(void *automaton)
{
	return ((Nodes *) automaton)->size;
}

static Found
all_pointers(void *automaton, const uint8_t *text, size_t size)
{
	const Node *root = ((Nodes *) automaton)->nodes[0];
	const Node *node = root;
	const Node *suffix;
	Found		found = {0, 0};
	size_t		i;

	for (i = 0; i < size; i++)
	{
		while (node->child[text[i]] == NULL && node != root)
			node = node->fail;
		if (node->child[text[i]] != NULL)
			node = node->child[text[i]];
		for (suffix = node; suffix != root; suffix = suffix->fail)
			if (suffix->length != 0)
			{
				found.count++;
				found.sum += i + 1 + suffix->length;
			}
	}
	return found;
}

static inline const Packed *
packed_child(const Packed *node, uint8_t label)
{
	if (label < node->first || label > node->last)
		return NULL;
	return (const Packed *) (uintptr_t) node->child[label - node->first];
}

static Found
all_packed(void *automaton, const uint8_t *text, size_t size)
{
	const Packed *root = (const Packed *) ((Nodes *) automaton)->block;
	const Packed *node = root;
	const Packed *child;
	const Packed *suffix;
	Found		found = {0, 0};
	size_t		i;

	for (i = 0; i < size; i++)
	{
		while ((child = packed_child(node, text[i])) == NULL && node != root)
			node = (const Packed *) (uintptr_t) node->fail;
		if (child != NULL)
			node = child;
		for (suffix = node; suffix != root;
			 suffix = (const Packed *) (uintptr_t) suffix->fail)
			if (suffix->length != 0)
			{
				found.count++;
				found.sum += i + 1 + suffix->length;
			}
	}
	return found;
}

static const Peer peers[] = {
	{"256 pointers a node", build_pointers, destroy, size_of, all_pointers,
	NULL, NULL, 20000},
	{"trimmed, packed", build_packed, destroy, size_of, all_packed, NULL, NULL,
	20000},
};

const Peer *
peer_nodes(int index)
{
	return index < 2 ? &peers[index] : NULL;
}
