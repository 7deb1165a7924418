-- Log lines number :from to :to.  Three in a hundred are requests made from an
-- attack pattern; the others are the samples, over and over.
SET search_path = ac_demo, public;

WITH sample AS MATERIALIZED (
	SELECT array_agg(source ORDER BY source, body) AS sources,
		   array_agg(body ORDER BY source, body) AS bodies,
		   count(*)::int AS n
	FROM samples
), attack AS MATERIALIZED (
	SELECT array_agg(pattern ORDER BY list, pattern) AS patterns, count(*)::int AS n
	FROM lists
)
INSERT INTO logs
SELECT i,
	   CASE WHEN i % 100 < 97 THEN sources[1 + i % s.n] ELSE 'access' END,
	   CASE i % 100
		   WHEN 97 THEN format('198.51.100.%s - - [%s] "GET /index.php?page=%s HTTP/1.1" 404 %s "-" "-"',
							   i % 250, '07/Jul/2023:10:00:00 +0000'::text,
							   patterns[1 + i * 7 % a.n], i % 9000)
		   WHEN 98 THEN format('203.0.113.%s - - [%s] "POST /search HTTP/1.1" 200 %s "-" "q=%s"',
							   i % 250, '07/Jul/2023:10:00:01 +0000'::text,
							   i % 9000, patterns[1 + i * 11 % a.n])
		   WHEN 99 THEN format('192.0.2.%s - - [%s] "GET / HTTP/1.1" 200 612 "-" "%s"',
							   i % 250, '07/Jul/2023:10:00:02 +0000'::text,
							   patterns[1 + i * 13 % a.n])
		   ELSE bodies[1 + i % s.n]
	   END
FROM generate_series(:from::bigint, :to::bigint - 1) AS i, sample AS s, attack AS a;
