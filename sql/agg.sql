--
-- ac_agg
--

CREATE TEMP TABLE words (n int, word text, id bigint);
INSERT INTO words VALUES (1, 'foo', 30), (2, NULL, NULL), (3, 'bar', 20), (4, 'foo', 10), (5, NULL, 5);

-- kept rows are numbered, unless an id is given
SELECT ac_agg(word ORDER BY n) FROM words;
SELECT ac_agg(word ORDER BY n DESC) FROM words;
SELECT ac_agg(word, id ORDER BY n) FROM words;
SELECT ac_agg(word, n ORDER BY n) FROM words;
SELECT ac_agg(DISTINCT word) FROM words;
SELECT ac_agg(word ORDER BY n) FILTER (WHERE n > 2) FROM words;
SELECT ac_agg(word, n ORDER BY n) FILTER (WHERE n IN (1)) AS id_is_default FROM words;

-- no pattern gives null
SELECT ac_agg(word) IS NULL AS no_row FROM words WHERE false;
SELECT ac_agg(word) IS NULL AS null_rows, ac_agg(word, 1) IS NULL AS null_rows_with_id FROM words WHERE word IS NULL;

-- grouped, hashed and sorted, and as a window function
SELECT n % 2 AS k, ac_agg(word ORDER BY n) FROM words GROUP BY k ORDER BY k;
SET enable_sort = off;
SELECT count(*), count(DISTINCT a::text), sum(length(a::text))
FROM (SELECT i % 100 AS k, ac_agg('w' || i % 100) AS a FROM generate_series(1, 10000) AS i GROUP BY k) AS t;
RESET enable_sort;
SELECT n, ac_agg(word) OVER (ORDER BY n) FROM words ORDER BY n;
SELECT n, ac_agg(word) OVER (ORDER BY n ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM words ORDER BY n;

-- options go by way of array_agg
SELECT ac_build(array_agg(word ORDER BY word), ignore_case => true) FROM words WHERE word IS NOT NULL;

-- errors name the input row, skipped rows counted
\set VERBOSITY terse
SELECT ac_agg(word, id ORDER BY n) FROM (VALUES (1, NULL, NULL), (2, 'foo', 1), (3, 'bar', NULL)) AS v(n, word, id);
SELECT ac_agg(word ORDER BY n) FROM (VALUES (1, NULL), (2, 'foo'), (3, '')) AS v(n, word);
\set VERBOSITY sqlstate
SELECT ac_agg(word, id ORDER BY n) FROM (VALUES (1, 'foo', 1), (2, 'bar', NULL)) AS v(n, word, id);
SELECT ac_agg(word ORDER BY n) FROM (VALUES (1, 'foo'), (2, '')) AS v(n, word);
\set VERBOSITY default

-- many rows; a long one in between
SELECT patterns, pattern_bytes, min_len, max_len
FROM ac_info((SELECT ac_agg(CASE WHEN i = 500 THEN repeat('x', 100000) ELSE 'w' || i END ORDER BY i)
			  FROM generate_series(1, 1000) AS i));
SELECT ac_agg('w' || i ORDER BY i) = ac_build(array_agg('w' || i ORDER BY i)) AS same FROM generate_series(1, 20000) AS i;
SELECT ac_agg('w' || i, i % 10 ORDER BY i) = ac_build(array_agg('w' || i ORDER BY i), array_agg(i % 10 ORDER BY i)) AS same
FROM generate_series(1, 20000) AS i;
