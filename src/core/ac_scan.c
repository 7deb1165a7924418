/*
 * ac_scan.c
 *		From a body, chunk by chunk, to matches.
 *
 * A scan is a pipeline that is pulled from its end:
 *
 *	chunk	the caller's bytes
 *	window	what the automaton reads: the chunk itself, or under ignore_case
 *			a folded copy of a piece of it
 *	run		the automaton (ac_step.h) finds hits, some at a time
 *	filter	whole_words, and in some encodings "begins inside a character"
 *	choice	AC_ALL takes every hit; the leftmost kinds choose
 *	match	offsets and character positions
 *
 * Two counts of bytes occur.  "Stream" offsets count what the automaton reads
 * and go on from body to body; "body" offsets count the caller's bytes.
 * Folding may change the length of a character (KELVIN SIGN has three bytes,
 * k has one), and then the difference of the two moves: the list of shifts
 * tells it at any offset that a match may still begin at.
 *
 * The leftmost kinds, without a second automaton and without reading anything
 * twice.  Every occurrence that may still win is a candidate, kept by its
 * start.  The one with the smallest start is the best; it is final as soon as
 * the state begins behind its start, since no later match can begin there or
 * before.  (To see that soon, the run is short while a candidate waits.)  The
 * next best is then the first candidate that begins at or behind its end,
 * already found.  Of several candidates with one start the longest
 * (that is the latest), or the one given first, wins.
 *
 *	keys a, ab, bcd; text abce		at	a: candidate 0-1, best
 *										b: candidate 0-2, best
 *										c: state "bc" begins at 1 > 0: 0-2 is
 *										   final, and nothing begins behind 2
 *
 * An occurrence that begins inside of the best so far can never win, because
 * a best is only ever replaced by one that ends later and begins no later.
 * The best start only moves forward, so that looking for the next one adds
 * up to one pass over the stream.
 */
#include "ac_image.h"
#include "ac_step.h"
#include "ac_unicode.h"

#define WINDOW_SIZE		32768	/* bytes folded at a time */
#define POLL_SIZE		65536	/* bytes run between two polls of the host */
#define PENDING_SIZE	64		/* bytes run to see whether a candidate stays */
#define MARK_SIZE		512		/* bytes from one mark to the next */
#define NO_OFFSET		SIZE_MAX

/* From this stream offset on, body offset = stream offset + delta. */
typedef struct Shift
{
	size_t		stream;
	ptrdiff_t	delta;
} Shift;

/* The best match known to begin at a stream offset. */
typedef struct Candidate
{
	size_t		start;
	size_t		end;
	uint32_t	key;
	uint32_t	first;			/* entry given first, for AC_LEFTMOST_FIRST */
} Candidate;

/* A growing array from the host. */
typedef struct Array
{
	void	   *data;
	size_t		capacity;		/* in elements */
} Array;

struct AcScanner
{
	const AcAutomaton *automaton;
	const AcHost *host;
	AcKind		kind;
	AcEncoding	encoding;
	bool		want_chars;
	bool		chars_are_bytes;	/* in every key */
	bool		every_hit;		/* is a match, and needs no more than offsets */
	uint32_t	options;
	int			(*char_len) (const uint8_t *text);

	/* the chunk */
	const uint8_t *chunk;
	size_t		chunk_size;
	size_t		chunk_body;		/* body offset of chunk[0] */
	ptrdiff_t	taken;			/* bytes of the chunk that went into windows */
	bool		last;

	/* the window */
	const uint8_t *window;
	size_t		window_size;
	size_t		window_stream;	/* stream offset of window[0] */
	size_t		body_stream;	/* stream offset of the body's first byte */
	size_t		unpolled;		/* bytes and matches since the host was asked */
	size_t		at;				/* next byte of the window to run over */
	uint8_t    *folded;			/* room for a folded window, or NULL */

	/* the automaton */
	AcCursor	cursor;
	AcHits		hits;
	uint32_t	hit_next;		/* next one to look at */
	size_t		hit_stream;		/* stream offset that their ends count from */

	/* shifts; [0] covers the oldest offset of interest */
	Array		shifts;			/* of Shift */
	size_t		shift_count;

	/* the leftmost kinds; stream offsets */
	Array		candidates;		/* of Candidate, by start modulo capacity */
	size_t		from;			/* end of the last match */
	size_t		best;			/* start of the best candidate or NO_OFFSET */
	size_t		candidate_end;	/* end of the last candidate */

	/* characters that begin in front of a body offset */
	size_t		char_offset;
	size_t		char_count;

	/* AC_ENC_MULTIBYTE: whether a character begins at a body offset */
	uint64_t   *begins;			/* bits, by offset modulo 64 * begins_words */
	size_t		begins_words;
	size_t		char_next;		/* where the next character begins */

	/* AC_ALL, where spans are long: characters in front of every mark */
	size_t	   *marks;			/* by number modulo mark_count, or NULL */
	size_t		mark_count;
	size_t		marked;			/* number of the last one */

	/* AC_ALL: characters of the last match at this end */
	size_t		span_start;
	size_t		span_end;
	size_t		span_chars;
};

/* ---------- making and starting ---------- */

static bool
grow_array(const AcHost *host, Array *array, size_t capacity, size_t element)
{
	void	   *data;

	if (capacity > SIZE_MAX / 2 / element)
		return false;
	data = host->allocate(host->context, capacity * element);
	if (data == NULL)
		return false;
	array->data = data;
	array->capacity = capacity;
	return true;
}

static void
free_array(const AcHost *host, Array *array, size_t element)
{
	if (array->data != NULL)
		host->release(host->context, array->data, array->capacity * element);
	array->data = NULL;
}

static size_t
words_for(size_t bits)
{
	size_t		words = 1;

	while (words * 64 < bits)
		words *= 2;
	return words;
}

/* The most bytes of a body that a key can match. */
static size_t
max_span(const AcScanner *s)
{
	size_t		depth = s->automaton->image->max_depth;

	/* a character of one byte may have been folded from one of three */
	return s->folded != NULL ? 3 * depth : depth;
}

static bool
take_room(AcScanner *s)
{
	const AcHost *host = s->host;

	if (s->options & AC_FOLD_MASK)
	{
		s->folded = host->allocate(host->context, WINDOW_SIZE + AC_CHAR_MAX);
		if (s->folded == NULL ||
			!grow_array(host, &s->shifts, 16, sizeof(Shift)))
			return false;
	}
	if (s->kind != AC_ALL)
	{
		if (!grow_array(host, &s->candidates, 16, sizeof(Candidate)))
			return false;
		memset(s->candidates.data, 0xff, 16 * sizeof(Candidate));
	}
	if (s->encoding == AC_ENC_MULTIBYTE)
	{
		s->begins_words = words_for(2 * max_span(s) + 64);
		s->begins = host->allocate(host->context,
								   s->begins_words * sizeof(uint64_t));
		if (s->begins == NULL)
			return false;
	}
	if (s->kind == AC_ALL && s->want_chars && !s->chars_are_bytes &&
		max_span(s) > 2 * MARK_SIZE)
	{
		/* as far back as a match may begin, and the chunk's end beside */
		s->mark_count = 2 * max_span(s) / MARK_SIZE + 4;
		s->marks = host->allocate(host->context,
								  s->mark_count * sizeof(size_t));
		if (s->marks == NULL)
			return false;
	}
	return true;
}

AcStatus
acore_scanner_create(const AcAutomaton *automaton, AcKind kind,
					 AcEncoding encoding, bool want_chars,
					 int (*char_len) (const uint8_t *text),
					 AcScanner **scanner)
{
	const AcHost *host = automaton->host;
	const AcImage *im = automaton->image;
	uint32_t	sigma = im->counts[AC_N_ALPHABET];
	AcScanner  *s = host->allocate(host->context, sizeof(AcScanner));

	*scanner = s;
	if (s == NULL)
		return AC_E_MEMORY;
	memset(s, 0, sizeof(*s));
	s->automaton = automaton;
	s->host = host;
	s->kind = kind;
	s->encoding = encoding;
	s->want_chars = want_chars;
	s->options = im->options;
	s->char_len = char_len;
	s->chars_are_bytes = encoding == AC_ENC_BYTES ||
		sigma == 0 || im->alphabet[sigma - 1] < 0x80;
	s->every_hit = kind == AC_ALL && !want_chars &&
		encoding != AC_ENC_MULTIBYTE &&
		(im->options & (AC_FOLD_MASK | AC_WORDS_MASK)) == 0;
	if (!take_room(s))
	{
		acore_scanner_free(s);
		*scanner = NULL;
		return AC_E_MEMORY;
	}
	acore_scan_start(s);
	return AC_OK;
}

void
acore_scanner_free(AcScanner *s)
{
	const AcHost *host = s->host;

	if (s->folded != NULL)
		host->release(host->context, s->folded, WINDOW_SIZE + AC_CHAR_MAX);
	if (s->begins != NULL)
		host->release(host->context, s->begins,
					  s->begins_words * sizeof(uint64_t));
	if (s->marks != NULL)
		host->release(host->context, s->marks,
					  s->mark_count * sizeof(size_t));
	free_array(host, &s->shifts, sizeof(Shift));
	free_array(host, &s->candidates, sizeof(Candidate));
	host->release(host->context, s, sizeof(AcScanner));
}

void
acore_scan_start(AcScanner *s)
{
	/* going on in the stream makes the candidates of the last body stale */
	s->window_stream += s->window_size;
	s->body_stream = s->window_stream;
	s->window_size = 0;
	s->at = 0;
	s->chunk_size = 0;
	s->chunk_body = 0;
	s->taken = 0;
	s->last = false;
	s->cursor.state = 0;
	s->cursor.output = AC_NO_OUTPUT;
	s->cursor.held = 0;
	s->hits.count = 0;
	s->hits.room = 1;
	s->hit_next = 0;
	s->from = s->window_stream;
	s->best = NO_OFFSET;
	s->candidate_end = s->from;
	s->char_offset = 0;
	s->char_count = 0;
	s->char_next = 0;
	s->span_end = NO_OFFSET;
	s->marked = 0;
	if (s->marks != NULL)
		s->marks[0] = 0;
	s->shift_count = 1;
	if (s->folded != NULL)
		*(Shift *) s->shifts.data =
			(Shift) {s->window_stream, -(ptrdiff_t) s->window_stream};
}

size_t
acore_scan_history(const AcScanner *s)
{
	if (s->folded == NULL && (s->options & AC_WORDS_MASK) == 0 &&
		!(s->want_chars && s->encoding == AC_ENC_UTF8))
		return 0;
	/* a leftmost match is known at most a span behind its end */
	return 2 * max_span(s) + 2 * AC_CHAR_MAX;
}

/* ---------- characters ---------- */

static const uint8_t *
body_at(const AcScanner *s, size_t offset)
{
	return s->chunk + (ptrdiff_t) (offset - s->chunk_body);
}

static bool
begins_char(const AcScanner *s, size_t offset)
{
	if (offset >= s->char_offset)
		return offset == s->char_next;
	return (s->begins[offset / 64 % s->begins_words] >> (offset % 64)) & 1;
}

/* Notes where characters begin in front of a body offset. */
static void
walk_chars(AcScanner *s, size_t offset)
{
	for (; s->char_offset < offset; s->char_offset++)
	{
		uint64_t   *word = &s->begins[s->char_offset / 64 % s->begins_words];
		uint64_t	bit = UINT64_C(1) << (s->char_offset % 64);

		*word &= ~bit;
		if (s->char_offset != s->char_next)
			continue;
		*word |= bit;
		s->char_count++;
		s->char_next += (size_t) s->char_len(body_at(s, s->char_offset));
	}
}

/* How many characters begin in [start, end) of the body. */
static size_t
chars_between(const AcScanner *s, size_t start, size_t end)
{
	size_t		chars = 0;

	if (s->encoding == AC_ENC_BYTES)
		return end - start;
	if (s->encoding == AC_ENC_UTF8)
		return acore_utf8_chars(body_at(s, start), end - start);
	for (; start < end; start++)
		chars += begins_char(s, start);
	return chars;
}

/* How many characters begin in front of a body offset. */
static size_t
chars_before(AcScanner *s, size_t offset)
{
	if (s->encoding == AC_ENC_BYTES)
		return offset;
	if (s->encoding == AC_ENC_MULTIBYTE)
	{
		walk_chars(s, offset);
		return s->char_count - chars_between(s, offset, s->char_offset);
	}
	if (offset >= s->char_offset)
		s->char_count += chars_between(s, s->char_offset, offset);
	else
		s->char_count -= chars_between(s, offset, s->char_offset);
	s->char_offset = offset;
	return s->char_count;
}

/* Notes how many characters there are in front of each mark up to an offset. */
static void
walk_marks(AcScanner *s, size_t offset)
{
	while ((s->marked + 1) * MARK_SIZE <= offset)
	{
		size_t		chars = s->marks[s->marked % s->mark_count] +
			chars_between(s, s->marked * MARK_SIZE,
						  (s->marked + 1) * MARK_SIZE);

		s->marked++;
		s->marks[s->marked % s->mark_count] = chars;
	}
}

/* The same as chars_between(), for two marks and some bytes at either end. */
static size_t
chars_of_long(AcScanner *s, size_t start, size_t end)
{
	size_t		first = start / MARK_SIZE + 1;
	size_t		last = end / MARK_SIZE;

	walk_marks(s, end);
	return chars_between(s, start, first * MARK_SIZE) +
		s->marks[last % s->mark_count] - s->marks[first % s->mark_count] +
		chars_between(s, last * MARK_SIZE, end);
}

/* ---------- chunks and windows ---------- */

void
acore_scan_feed(AcScanner *s, const uint8_t *chunk, size_t size, bool last)
{
	s->taken -= (ptrdiff_t) s->chunk_size;
	s->chunk_body += s->chunk_size;
	s->chunk = chunk;
	s->chunk_size = size;
	s->last = last;
	if (s->folded == NULL)
	{
		/* what the last window left stands in front of the chunk now */
		size_t		left = s->window_size - s->at;

		s->window_stream += s->at;
		s->window = chunk - left;
		s->window_size = left + size;
		s->at = 0;
		s->taken = (ptrdiff_t) size;
	}
}

/* Before the chunk goes: characters in it that have not been counted yet. */
static AcStatus
finish_chunk(AcScanner *s)
{
	size_t		end = s->chunk_body + s->chunk_size;

	if (s->encoding == AC_ENC_MULTIBYTE)
		walk_chars(s, end);
	else if (s->encoding == AC_ENC_UTF8 && s->want_chars)
		chars_before(s, end);
	if (s->marks != NULL)
		walk_marks(s, end);
	return AC_MORE;
}

/* Forgets shifts that no match can need any more. */
static void
prune_shifts(AcScanner *s)
{
	Shift	   *shifts = s->shifts.data;
	size_t		depth = s->automaton->image->max_depth;
	size_t		drop = 0;

	while (drop + 1 < s->shift_count &&
		   shifts[drop + 1].stream + 2 * depth < s->window_stream)
		drop++;
	s->shift_count -= drop;
	memmove(shifts, shifts + drop, s->shift_count * sizeof(Shift));
}

/* Body offsets move by "change" from a stream offset on. */
static AcStatus
add_shift(AcScanner *s, size_t stream, ptrdiff_t change)
{
	Shift	   *shifts;
	ptrdiff_t	delta;

	if (s->shift_count == s->shifts.capacity)
		prune_shifts(s);
	if (s->shift_count > s->shifts.capacity / 2)
	{
		Array		old = s->shifts;

		if (!grow_array(s->host, &s->shifts, old.capacity * 2, sizeof(Shift)))
			return AC_E_MEMORY;
		memcpy(s->shifts.data, old.data, s->shift_count * sizeof(Shift));
		free_array(s->host, &old, sizeof(Shift));
	}
	shifts = s->shifts.data;
	delta = shifts[s->shift_count - 1].delta + change;
	shifts[s->shift_count++] = (Shift) {stream, delta};
	return AC_OK;
}

static size_t
body_offset(const AcScanner *s, size_t stream)
{
	const Shift *shifts = s->shifts.data;
	size_t		low = 0;
	size_t		high = s->shift_count;

	if (s->folded == NULL)
		return stream - s->body_stream;
	while (high - low > 1)
	{
		size_t		mid = low + (high - low) / 2;

		if (shifts[mid].stream <= stream)
			low = mid;
		else
			high = mid;
	}
	return stream + (size_t) shifts[low].delta;
}

/* Fills the window with folded bytes of the chunk. */
static AcStatus
fold_window(AcScanner *s)
{
	uint8_t    *out = s->folded;
	size_t		done = 0;
	AcStatus	status = AC_OK;

	while (done < WINDOW_SIZE && s->taken < (ptrdiff_t) s->chunk_size &&
		   status == AC_OK)
	{
		const uint8_t *text = s->chunk + s->taken;
		size_t		left = (size_t) ((ptrdiff_t) s->chunk_size - s->taken);
		size_t		room = WINDOW_SIZE - done;
		size_t		consumed = acore_fold_run(s->options, text,
											  left < room ? left : room,
											  out + done);

		done += consumed;
		if (consumed == 0)
		{
			size_t		length = acore_fold_one(s->options, text, left,
												s->last, out + done,
												&consumed);

			if (length == 0)
				break;			/* the rest of it comes with the next chunk */
			done += length;
			if (length != consumed)
				status = add_shift(s, s->window_stream + done,
								   (ptrdiff_t) consumed - (ptrdiff_t) length);
		}
		s->taken += (ptrdiff_t) consumed;
	}
	s->window_size = done;
	return status;
}

/* The next window; AC_MORE when the chunk has been read. */
static AcStatus
next_window(AcScanner *s)
{
	AcStatus	status;

	if (s->folded == NULL)
		return AC_MORE;			/* the chunk was the window */
	s->window_stream += s->window_size;
	s->window_size = 0;
	s->at = 0;
	s->window = s->folded;
	status = fold_window(s);
	if (status == AC_OK && s->window_size == 0)
		return AC_MORE;
	return status;
}

/* ---------- run ---------- */

static size_t
stream_offset(const AcScanner *s)
{
	return s->window_stream + s->at;
}

/*
 * Runs on to the next hits.  The first one of a body comes alone, since often
 * one is enough; then they come in bulk.
 */
static AcStatus
run(AcScanner *s)
{
	size_t		to = s->window_size;
	size_t		at = s->at;
	size_t		piece = s->best != NO_OFFSET ? PENDING_SIZE : POLL_SIZE;

	if (at == to && s->cursor.output == AC_NO_OUTPUT)
		return next_window(s);
	if (to - at > piece)
		to = at + piece;
	s->cursor.last = s->last && to == s->window_size &&
		s->taken == (ptrdiff_t) s->chunk_size;
	if (s->cursor.last && stream_offset(s) == s->body_stream)
	{
		s->at = at = acore_run_ahead(s->automaton, &s->cursor, s->window, to);
		if (at == to)
			return next_window(s);
	}
	s->hits.count = 0;
	s->hit_next = 0;
	s->hit_stream = s->window_stream;
	s->at = acore_run(s->automaton, &s->cursor, s->window, at, to, &s->hits);
	if (s->hits.count > 0)
		s->hits.room = AC_HITS;
	s->unpolled += s->at - at + s->hits.count;
	if (s->unpolled >= POLL_SIZE)
	{
		s->unpolled = 0;
		if (s->host->interrupted(s->host->context))
			return AC_E_INTERRUPTED;
	}
	/* a window in which nothing was found needs no other look */
	if (s->hits.count == 0 && s->at == s->window_size && s->best == NO_OFFSET)
		return next_window(s);
	return AC_OK;
}

/* ---------- filter ---------- */

/* Whether the character behind a hit cannot be seen yet; body offset. */
static bool
needs_more(const AcScanner *s, size_t end)
{
	return (s->options & AC_WORDS_MASK) != 0 && !s->last &&
		end + AC_CHAR_MAX > s->chunk_body + s->chunk_size;
}

static bool
is_whole_words(const AcScanner *s, size_t start, size_t end)
{
	/* reads from body offset 0, as far as history reaches */
	size_t		low = start < AC_CHAR_MAX ? start : AC_CHAR_MAX;
	const uint8_t *text = body_at(s, start - low);
	size_t		size = s->chunk_body + s->chunk_size - (start - low);

	end -= start - low;
	if (acore_word_at(s->options, text, low, size) &&
		acore_word_before(s->options, text, 0, low))
		return false;
	return !(acore_word_before(s->options, text, low, end) &&
			 acore_word_at(s->options, text, end, size));
}

/* Whether an occurrence is a match; body offsets. */
static bool
is_match(AcScanner *s, size_t start, size_t end)
{
	if (s->encoding == AC_ENC_MULTIBYTE)
	{
		walk_chars(s, end);
		if (!begins_char(s, start) || !begins_char(s, end))
			return false;
	}
	return (s->options & AC_WORDS_MASK) == 0 || is_whole_words(s, start, end);
}

/* ---------- matches ---------- */

static size_t
match_chars(AcScanner *s, size_t start, size_t end, size_t length)
{
	if (s->chars_are_bytes)
		return length;
	if (s->marks != NULL && end - start > 2 * MARK_SIZE)
		return chars_of_long(s, start, end);
	/* the next shorter match at the same end: count what it lacks */
	if (end == s->span_end && start >= s->span_start)
		s->span_chars -= chars_between(s, s->span_start, start);
	else
		s->span_chars = chars_between(s, start, end);
	s->span_start = start;
	s->span_end = end;
	return s->span_chars;
}

static void
fill_match(AcScanner *s, AcMatch *match, size_t start, size_t end,
		   size_t length, uint32_t key)
{
	match->start = start;
	match->end = end;
	match->key = key;
	if (s->want_chars)
	{
		match->char_len = match_chars(s, start, end, length);
		match->char_start = chars_before(s, end) - match->char_len;
	}
}

static AcStatus
next_of_all(AcScanner *s, AcMatch *match)
{
	for (;;)
	{
		AcStatus	status;

		while (s->hit_next < s->hits.count)
		{
			const AcHit *hit = &s->hits.hit[s->hit_next];
			size_t		stream = s->hit_stream + hit->end;
			size_t		end = body_offset(s, stream);
			size_t		start = body_offset(s, stream - hit->length);

			if (needs_more(s, end))
				return finish_chunk(s);
			s->hit_next++;
			if (!is_match(s, start, end))
				continue;
			fill_match(s, match, start, end, hit->length, hit->key);
			return AC_MATCH;
		}
		status = run(s);
		if (status == AC_MORE)
			return s->last ? AC_DONE : finish_chunk(s);
		if (status != AC_OK)
			return status;
	}
}

/* ---------- the leftmost kinds ---------- */

static Candidate *
candidate_at(const AcScanner *s, size_t start)
{
	return (Candidate *) s->candidates.data +
		(start & (s->candidates.capacity - 1));
}

/* Makes room for candidates that begin in [least, end). */
static AcStatus
reserve_candidates(AcScanner *s, size_t least, size_t end)
{
	Array		old = s->candidates;
	size_t		capacity = old.capacity;
	size_t		i;

	if (end - least <= capacity)
		return AC_OK;
	while (end - least > capacity)
		capacity *= 2;
	if (!grow_array(s->host, &s->candidates, capacity, sizeof(Candidate)))
		return AC_E_MEMORY;
	memset(s->candidates.data, 0xff, capacity * sizeof(Candidate));
	for (i = 0; i < old.capacity; i++)
	{
		Candidate  *candidate = (Candidate *) old.data + i;

		if (candidate->start >= least && candidate->start < end)
			*candidate_at(s, candidate->start) = *candidate;
	}
	free_array(s->host, &old, sizeof(Candidate));
	return AC_OK;
}

/* Keeps an occurrence if it beats what is known to begin at its start. */
static AcStatus
add_candidate(AcScanner *s, size_t start, size_t end, uint32_t key)
{
	Candidate	candidate = {start, end, key, 0};
	Candidate  *known;
	AcStatus	status = reserve_candidates(s, start < s->best ? start : s->best,
											end);

	if (status != AC_OK)
		return status;
	known = candidate_at(s, start);
	if (s->kind == AC_LEFTMOST_FIRST)
	{
		candidate.first = acore_key_first(s->automaton, candidate.key);
		if (known->start == start && known->first < candidate.first)
			return AC_OK;
	}
	*known = candidate;
	s->candidate_end = end;
	if (start < s->best)
		s->best = start;
	return AC_OK;
}

/* Makes a hit a candidate, if it can still win. */
static AcStatus
take_hit(AcScanner *s, const AcHit *hit)
{
	size_t		end = s->hit_stream + hit->end;
	size_t		start = end - hit->length;

	if (start < s->from)
		return AC_OK;
	if (s->best != NO_OFFSET && start > s->best &&
		start < candidate_at(s, s->best)->end)
		return AC_OK;
	if (!is_match(s, body_offset(s, start), body_offset(s, end)))
		return AC_OK;
	return add_candidate(s, start, end, hit->key);
}

/* Hands out the best candidate and finds the next one. */
static void
take_best(AcScanner *s, AcMatch *match)
{
	Candidate	best = *candidate_at(s, s->best);
	size_t		start;

	s->from = best.end;
	s->best = NO_OFFSET;
	for (start = best.end; start < s->candidate_end; start++)
		if (candidate_at(s, start)->start == start)
		{
			s->best = start;
			break;
		}
	fill_match(s, match, body_offset(s, best.start), body_offset(s, best.end),
			   best.end - best.start, best.key);
}

/* Whether no later occurrence can begin at the best start or before, seen
 * from a state at a stream offset. */
static bool
best_is_final(const AcScanner *s, size_t stream, uint32_t state)
{
	return s->best != NO_OFFSET &&
		stream - acore_state_depth(s->automaton, state) > s->best;
}

static AcStatus
next_leftmost(AcScanner *s, AcMatch *match)
{
	for (;;)
	{
		AcStatus	status;

		while (s->hit_next < s->hits.count)
		{
			const AcHit *hit = &s->hits.hit[s->hit_next];
			size_t		end = s->hit_stream + hit->end;

			if (best_is_final(s, end, hit->state))
			{
				take_best(s, match);
				return AC_MATCH;
			}
			if (needs_more(s, body_offset(s, end)))
				return finish_chunk(s);
			status = take_hit(s, hit);
			if (status != AC_OK)
				return status;
			s->hit_next++;
		}
		if (best_is_final(s, stream_offset(s), s->cursor.state))
		{
			take_best(s, match);
			return AC_MATCH;
		}
		status = run(s);
		if (status == AC_MORE)
		{
			if (!s->last)
				return finish_chunk(s);
			if (s->best == NO_OFFSET)
				return AC_DONE;
			take_best(s, match);
			return AC_MATCH;
		}
		if (status != AC_OK)
			return status;
	}
}

AcStatus
acore_scan_next(AcScanner *s, AcMatch *match)
{
	if (s->every_hit && s->hit_next < s->hits.count)
	{
		const AcHit *hit = &s->hits.hit[s->hit_next++];

		match->end = s->hit_stream - s->body_stream + hit->end;
		match->start = match->end - hit->length;
		match->key = hit->key;
		return AC_MATCH;
	}
	if (s->kind == AC_ALL)
		return next_of_all(s, match);
	return next_leftmost(s, match);
}
