/*
 * text.c
 *		Sets and texts: read from files, or made from a set.
 *
 * The made ones, each of about the size asked for:
 *
 *	line		one record of a text, again and again: what every cache and
 *				every branch predictor knows already
 *	dense		patterns of the set, joined by blanks
 *	random		bytes that occur in the set, drawn alike
 *	nearly		patterns without their last byte, joined by nothing: every
 *				prefix is found and, nearly always, leads to nothing
 *	pieces		four to nine bytes from within patterns: a filter that looks
 *				at short windows lets them all through
 *	same		"aaaa..."
 *	fibonacci	"abaababa...", where prefixes and suffixes overlap most
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

static uint64_t seed = 20230707;

/* splitmix64 */
static uint64_t
draw(uint64_t below)
{
	uint64_t	word = (seed += UINT64_C(0x9E3779B97F4A7C15));

	word = (word ^ (word >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
	word = (word ^ (word >> 27)) * UINT64_C(0x94D049BB133111EB);
	return (word ^ (word >> 31)) % below;
}

void *
must(void *pointer)
{
	if (pointer == NULL)
	{
		fprintf(stderr, "out of memory\n");
		exit(1);
	}
	return pointer;
}

/* A whole file; NULL when there is none. */
static uint8_t *
read_file(const char *directory, const char *kind, const char *name,
		  size_t *size)
{
	char		path[4096];
	uint8_t    *bytes;
	FILE	   *file;

	snprintf(path, sizeof(path), "%s/%s/%s", directory, kind, name);
	if ((file = fopen(path, "rb")) == NULL)
		return NULL;
	fseek(file, 0, SEEK_END);
	*size = (size_t) ftell(file);
	rewind(file);
	bytes = must(malloc(*size + 1));
	if (fread(bytes, 1, *size, file) != *size)
	{
		fprintf(stderr, "could not read %s\n", path);
		exit(1);
	}
	fclose(file);
	return bytes;
}

Set *
make_set(const char *name, uint32_t count, const uint8_t *pool,
		 const uint64_t *offsets)
{
	Set		   *set = must(malloc(sizeof(Set)));
	uint32_t	i;

	*set = (Set) {name, count, 0, pool, offsets};
	for (i = 0; i < count; i++)
		if (offsets[i + 1] - offsets[i] > set->longest)
			set->longest = (uint32_t) (offsets[i + 1] - offsets[i]);
	return set;
}

/* One pattern a line; the line ends are squeezed out. */
Set *
read_set(const char *directory, const char *name)
{
	size_t		size,
				i;
	uint64_t	used = 0;
	uint32_t	count = 0;
	uint64_t   *offsets;
	uint8_t    *pool = read_file(directory, "sets", name, &size);

	if (pool == NULL)
		return NULL;
	for (i = 0; i < size; i++)
		count += pool[i] == '\n';
	offsets = must(malloc((count + 1) * sizeof(uint64_t)));
	offsets[0] = 0;
	count = 0;
	for (i = 0; i < size; i++)
		if (pool[i] != '\n')
			pool[used++] = pool[i];
		else
			offsets[++count] = used;
	return make_set(name, count, pool, offsets);
}

/* Cuts a text into records: at line ends, or every 128 bytes without any. */
static Text *
make_text(const char *name, const uint8_t *bytes, size_t size)
{
	Text	   *text = must(malloc(sizeof(Text)));
	const uint8_t *end;
	size_t		at,
				next;

	*text = (Text) {name, bytes, size, must(malloc((size + 2) * sizeof(size_t))), 0};
	text->cuts[0] = 0;
	for (at = 0; at < size; at = next)
	{
		end = memchr(bytes + at, '\n', size - at);
		next = end != NULL ? (size_t) (end - bytes) + 1 :
			size - at > 128 ? at + 128 : size;
		text->cuts[++text->records] = next;
	}
	return text;
}

/* The first "most" bytes of a text file, to the end of a record. */
Text *
read_text(const char *directory, const char *name, size_t most)
{
	size_t		size;
	uint8_t    *bytes = read_file(directory, "texts", name, &size);

	if (bytes == NULL)
	{
		fprintf(stderr, "no text \"%s\" in %s\n", name, directory);
		exit(1);
	}
	if (size > most)
		for (size = most; size > 0 && bytes[size - 1] != '\n';)
			size--;
	return make_text(name, bytes, size);
}

/* ---------- made from a set ---------- */

static size_t
append(uint8_t *to, size_t used, size_t size, const uint8_t *from, size_t length)
{
	if (length > size - used)
		length = size - used;
	memcpy(to + used, from, length);
	return used + length;
}

/* The first record of 100 to 150 bytes. */
Text *
line_text(const Text *text, size_t size)
{
	uint8_t    *bytes = must(malloc(size));
	size_t		i = 0;
	size_t		length;
	size_t		used;

	while (i + 1 < text->records && (text->cuts[i + 1] - text->cuts[i] < 100 ||
									 text->cuts[i + 1] - text->cuts[i] > 150))
		i++;
	length = text->cuts[i + 1] - text->cuts[i];
	for (used = 0; used + length <= size; used += length)
		memcpy(bytes + used, text->bytes + text->cuts[i], length);
	return make_text("line", bytes, used);
}

Text *
dense_text(const Set *set, size_t size)
{
	uint8_t    *bytes = must(malloc(size));
	size_t		used = 0,
				line = 0;

	while (used < size)
	{
		uint32_t	i = (uint32_t) draw(set->count);

		used = append(bytes, used, size, set->pool + set->offsets[i],
					  set->offsets[i + 1] - set->offsets[i]);
		used = append(bytes, used, size,
					  (const uint8_t *) (used - line > 110 ? "\n" : " "), 1);
		if (bytes[used - 1] == '\n')
			line = used;
	}
	return make_text("dense", bytes, size);
}

Text *
random_text(const Set *set, size_t size)
{
	uint8_t    *bytes = must(malloc(size));
	uint8_t		alphabet[256];
	bool		seen[256] = {false};
	uint64_t	i;
	int			count = 0;

	for (i = 0; i < set->offsets[set->count]; i++)
		if (!seen[set->pool[i]])
		{
			seen[set->pool[i]] = true;
			alphabet[count++] = set->pool[i];
		}
	for (i = 0; i < size; i++)
		bytes[i] = alphabet[draw((uint64_t) count)];
	return make_text("random", bytes, size);
}

Text *
nearly_text(const Set *set, size_t size)
{
	uint8_t    *bytes = must(malloc(size));
	size_t		used = 0;

	while (used < size)
	{
		uint32_t	i = (uint32_t) draw(set->count);

		used = append(bytes, used, size, set->pool + set->offsets[i],
					  set->offsets[i + 1] - set->offsets[i] - (set->longest > 1));
	}
	return make_text("nearly", bytes, size);
}

Text *
pieces_text(const Set *set, size_t size)
{
	uint8_t    *bytes = must(malloc(size));
	size_t		used = 0;

	while (used < size)
	{
		uint32_t	i = (uint32_t) draw(set->count);
		uint64_t	length = set->offsets[i + 1] - set->offsets[i];
		uint64_t	take = 4 + draw(6);
		uint64_t	from = length > take ? draw(length - take) : 0;

		if (take > length - from)
			take = length - from;
		used = append(bytes, used, size, set->pool + set->offsets[i] + from, take);
	}
	return make_text("pieces", bytes, size);
}

Text *
same_text(size_t size)
{
	uint8_t    *bytes = must(malloc(size));

	memset(bytes, 'a', size);
	return make_text("same", bytes, size);
}

/* a -> ab, b -> a, over and over. */
static void
fibonacci(uint8_t *bytes, size_t size)
{
	size_t		previous = 1,
				length = 2;

	memcpy(bytes, "ab", 2);
	while (length < size)
	{
		size_t		next = previous < size - length ? previous : size - length;

		memcpy(bytes + length, bytes, next);
		previous = length;
		length += next;
	}
}

Text *
fibonacci_text(size_t size)
{
	uint8_t    *bytes = must(malloc(size + 2));

	fibonacci(bytes, size);
	return make_text("fibonacci", bytes, size);
}

/* a, aa, ... a^count */
Set *
powers_set(uint32_t count)
{
	uint8_t    *pool = must(malloc((size_t) count * (count + 1) / 2));
	uint64_t   *offsets = must(malloc((count + 1) * sizeof(uint64_t)));
	uint32_t	i;

	memset(pool, 'a', (size_t) count * (count + 1) / 2);
	for (i = 0; i <= count; i++)
		offsets[i] = (uint64_t) i * (i + 1) / 2;
	return make_set("a^1 .. a^n", count, pool, offsets);
}

/* a^length b: "aaaa..." stays one byte short of it at every position. */
Set *
power_set(uint32_t length)
{
	uint8_t    *pool = must(malloc(length + 1));
	uint64_t   *offsets = must(malloc(2 * sizeof(uint64_t)));

	memset(pool, 'a', length);
	pool[length] = 'b';
	offsets[0] = 0;
	offsets[1] = length + 1;
	return make_set("a^n b", 1, pool, offsets);
}

/* Prefixes of the Fibonacci word up to 987 bytes, each with a last byte that
 * the word does not have there: failure chains of the greatest length. */
Set *
fibonacci_set(void)
{
	static const uint16_t lengths[] = {8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987};
	const uint32_t count = sizeof(lengths) / sizeof(lengths[0]);
	uint8_t    *word = must(malloc(1024));
	uint8_t    *pool = must(malloc(8192));
	uint64_t   *offsets = must(malloc((count + 1) * sizeof(uint64_t)));
	uint32_t	i;

	fibonacci(word, 1000);
	offsets[0] = 0;
	for (i = 0; i < count; i++)
	{
		memcpy(pool + offsets[i], word, lengths[i]);
		offsets[i + 1] = offsets[i] + lengths[i];
		pool[offsets[i + 1] - 1] ^= 'a' ^ 'b';
	}
	free(word);
	return make_set("fibonacci", count, pool, offsets);
}
