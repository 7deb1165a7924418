--
-- reports: what has gone wrong in other implementations, and the right answers
--
-- A row is one call.  "wanted" is a text for the functions that return one, and
-- [[pos, len, id], ...] in order for ac_find.
--
SET client_encoding = 'UTF8';

CREATE TABLE reports (
	n int PRIMARY KEY,
	topic text,
	fn text,
	patterns jsonb,
	ignore_case boolean,
	whole_words boolean,
	kind text,
	body text,
	replacements jsonb,
	wanted jsonb
);

-- overlaps: every occurrence, also inside and at the end of another one
INSERT INTO reports VALUES
	(1, 'overlaps', 'ac_find', '["/bin/bash", "bin/bash", "bin", "/bin", "/bash", "bash", "in", "in/ba"]', false, false, 'all', 'test/bin/bash/test', NULL,
	 '[[5, 4, 4], [6, 3, 3], [7, 2, 7], [7, 5, 8], [5, 9, 1], [6, 8, 2], [9, 5, 5], [10, 4, 6]]'),
	(2, 'overlaps', 'ac_find', '[".com.au", ".com"]', false, false, 'all', 'www.yahoo.com', NULL,
	 '[[10, 4, 2]]'),
	(3, 'overlaps', 'ac_find', '[".com", ".com.au"]', false, false, 'all', 'www.yahoo.com', NULL,
	 '[[10, 4, 1]]'),
	(4, 'overlaps', 'ac_find', '["shefg", "hefg", "efg", "fg"]', false, false, 'all', 'shefge', NULL,
	 '[[1, 5, 1], [2, 4, 2], [3, 3, 3], [4, 2, 4]]'),
	(5, 'overlaps', 'ac_find', '["cd", "d", "abce"]', false, false, 'all', 'abcd', NULL,
	 '[[3, 2, 1], [4, 1, 2]]'),
	(6, 'overlaps', 'ac_find', '["GT-C3303", "SAMSUNG-GT-C3303K/"]', false, false, 'all', 'SAMSUNG-GT-C3303i/1.0 NetFront/3.5', NULL,
	 '[[9, 8, 1]]'),
	(7, 'overlaps', 'ac_find', '["foo", "foo"]', false, false, 'all', 'foobarfoo', NULL,
	 '[[1, 3, 1], [1, 3, 2], [7, 3, 1], [7, 3, 2]]'),
	(8, 'overlaps', 'ac_find', '["he", "she", "his", "hers"]', false, false, 'all', 'ushers', NULL,
	 '[[2, 3, 2], [3, 2, 1], [3, 4, 4]]');

-- characters: positions count characters; canonically equal is not equal
INSERT INTO reports VALUES
	(9, 'characters', 'ac_find', '["ck", "üü"]', false, false, 'all', 'frühstück äck öck ßck ack', NULL,
	 '[[8, 2, 1], [12, 2, 1], [16, 2, 1], [20, 2, 1], [24, 2, 1]]'),
	(10, 'characters', 'ac_find', '["地中海贫血"]', false, false, 'all', '地中海贫血2', NULL,
	 '[[1, 5, 1]]'),
	(11, 'characters', 'ac_find', '["🖕"]', false, false, 'all', 'x🖕y', NULL,
	 '[[2, 1, 1]]'),
	(12, 'characters', 'ac_find', '["i̇"]', false, false, 'all', 'Deniz Çeli̇k', NULL,
	 '[[10, 2, 1]]'),
	(13, 'characters', 'ac_find', '["é"]', false, false, 'all', 'é', NULL,
	 '[]'),
	(14, 'characters', 'ac_find', '["eBook", "Adventures"]', false, false, 'all', 'The Project Gutenberg eBook of Alice’s Adventures in Wonderland, by Lewis Carroll', NULL,
	 '[[23, 5, 1], [40, 10, 2]]'),
	(15, 'characters', 'ac_find', '["мир", "вст", "авст"]', false, false, 'all', 'Здравствуй, мир', NULL,
	 '[[4, 4, 3], [5, 3, 2], [13, 3, 1]]');

-- long: positions beyond 8 kB
INSERT INTO reports VALUES
	(16, 'long', 'ac_find', '["1234j"]', false, false, 'all', repeat('0', 8192) || '1234j000000000', NULL,
	 '[[8193, 5, 1]]');

-- leftmost-longest: a longer candidate that fails leaves what it covered
INSERT INTO reports VALUES
	(17, 'leftmost-longest', 'ac_find', '["b", "c", "abd"]', false, false, 'leftmost-longest', 'abc', NULL,
	 '[[2, 1, 1], [3, 1, 2]]'),
	(18, 'leftmost-longest', 'ac_find', '["知识产权", "国家知识产权局"]', false, false, 'leftmost-longest', '国家知识产权', NULL,
	 '[[3, 4, 1]]'),
	(19, 'leftmost-longest', 'ac_find', '["bc", "abcdefg"]', false, false, 'leftmost-longest', 'abcdef', NULL,
	 '[[2, 2, 1]]'),
	(20, 'leftmost-longest', 'ac_find', '["abcdx", "bcdy", "cdz", "d"]', false, false, 'leftmost-longest', 'abcd', NULL,
	 '[[4, 1, 4]]'),
	(21, 'leftmost-longest', 'ac_find', '["abcde", "bcdx", "cd"]', false, false, 'leftmost-longest', 'abcd', NULL,
	 '[[3, 2, 3]]'),
	(22, 'leftmost-longest', 'ac_find', '["abcde", "bcdx", "cd"]', false, false, 'leftmost-longest', 'abcdzabcde', NULL,
	 '[[3, 2, 3], [6, 5, 1]]'),
	(23, 'leftmost-longest', 'ac_find', '["Antibiotik", "Antibiotika"]', false, false, 'leftmost-longest', 'wirksamer Antibiotika selten', NULL,
	 '[[11, 11, 2]]'),
	(24, 'leftmost-longest', 'ac_find', '["Antibiotika", "Antibiotik"]', false, false, 'leftmost-longest', 'wirksamer Antibiotika selten', NULL,
	 '[[11, 11, 1]]'),
	(25, 'leftmost-longest', 'ac_find', '["abcd", "b", "bce"]', false, false, 'leftmost-longest', 'abce', NULL,
	 '[[2, 3, 3]]'),
	(26, 'leftmost-longest', 'ac_find', '["foo", "foo"]', false, false, 'leftmost-longest', 'foobarfoo', NULL,
	 '[[1, 3, 1], [7, 3, 1]]');

-- leftmost-first: what stands first wins, also over what is longer
INSERT INTO reports VALUES
	(27, 'leftmost-first', 'ac_find', '["Antibiotik", "Antibiotika"]', false, false, 'leftmost-first', 'wirksamer Antibiotika selten', NULL,
	 '[[11, 10, 1]]'),
	(28, 'leftmost-first', 'ac_find', '["abcd", "b", "bce"]', false, false, 'leftmost-first', 'abce', NULL,
	 '[[2, 1, 2]]');

-- words: a word ends at letters of any script, at none of those without spaces
INSERT INTO reports VALUES
	(29, 'words', 'ac_find', '["ABC", "ABC DEF", "ABC GHI"]', false, true, 'leftmost-longest', 'ABC DEF and ABC GHI', NULL,
	 '[[1, 7, 2], [13, 7, 3]]'),
	(30, 'words', 'ac_find', '["phonebook", "the phone"]', false, true, 'leftmost-longest', 'I''ll look into the phonebook', NULL,
	 '[[20, 9, 1]]'),
	(31, 'words', 'ac_find', '["python prog"]', false, true, 'all', 'i like python programming', NULL,
	 '[]'),
	(32, 'words', 'ac_find', '["ck", "üü"]', false, true, 'all', 'frühstück äck öck ßck ack', NULL,
	 '[]'),
	(33, 'words', 'ac_find', '["C++"]', false, true, 'all', 'C++11 C++', NULL,
	 '[[1, 3, 1], [7, 3, 1]]'),
	(34, 'words', 'ac_find', '["地中海贫血"]', false, true, 'all', '地中海贫血2', NULL,
	 '[[1, 5, 1]]'),
	(35, 'words', 'ac_find', '["头疼", "头晕"]', false, true, 'all', '头疼头晕', NULL,
	 '[[1, 2, 1], [3, 2, 2]]');

-- case: folding keeps positions, whatever it does to bytes
INSERT INTO reports VALUES
	(36, 'case', 'ac_find', '[".env"]', true, true, 'all', 'test.Enviro', NULL,
	 '[]'),
	(37, 'case', 'ac_find', '[".env"]', true, true, 'all', 'GET /app/.env?x', NULL,
	 '[[10, 4, 1]]'),
	(38, 'case', 'ac_find', '[".env"]', true, false, 'all', 'test.Enviro', NULL,
	 '[[5, 4, 1]]'),
	(39, 'case', 'ac_find', '["abc", "def", "abcdef"]', true, false, 'all', 'ABCDEF', NULL,
	 '[[1, 3, 1], [1, 6, 3], [4, 3, 2]]'),
	(40, 'case', 'ac_find', '["Bay Area"]', true, false, 'all', 'İ I love big Apple and Bay Area.', NULL,
	 '[[24, 8, 1]]'),
	(41, 'case', 'ac_find', '["this"]', true, true, 'all', 'LİKE THIS', NULL,
	 '[[6, 4, 1]]'),
	(42, 'case', 'ac_find', '["ß"]', true, false, 'all', 'this is example ß test ẞ string', NULL,
	 '[[17, 1, 1], [24, 1, 1]]'),
	(43, 'case', 'ac_find', '["300 k"]', true, false, 'all', '300 K; 300 K', NULL,
	 '[[1, 5, 1], [8, 5, 1]]'),
	(44, 'case', 'ac_find', '["S", "s"]', true, false, 'all', 'ſtraSSe', NULL,
	 '[[1, 1, 1], [1, 1, 2], [5, 1, 1], [5, 1, 2], [6, 1, 1], [6, 1, 2]]');

-- replace: literal replacements, never looked at again
INSERT INTO reports VALUES
	(45, 'replace', 'ac_replace_each', '["b", "abc", "abcd"]', false, false, 'leftmost-longest', 'abcd', '["x", "y", "z"]',
	 '"z"'),
	(46, 'replace', 'ac_replace_each', '["b", "abc", "abcd"]', false, false, 'leftmost-first', 'abcd', '["x", "y", "z"]',
	 '"yd"'),
	(47, 'replace', 'ac_replace_each', '[">", "<", "&", "\"", "''"]', false, false, 'leftmost-longest', '<strong> AT&T </strong>', '["&gt;", "&lt;", "&amp;", "&quot;", "&apos;"]',
	 '"&lt;strong&gt; AT&amp;T &lt;/strong&gt;"'),
	(48, 'replace', 'ac_replace_each', '["cat", "dog"]', false, false, 'leftmost-longest', 'cat dog', '["dog", "cat"]',
	 '"dog cat"'),
	(49, 'replace', 'ac_replace_each', '["elvis"]', false, false, 'leftmost-longest', 'abcelvisaElvisabcelviseelvisaelvisaabeeeelvise l v i saa bb e l v i saa elviselvielviselvielvielviselvi1elvielviselvis', '["Elvis"]',
	 '"abcElvisaElvisabcElviseElvisaElvisaabeeeElvise l v i saa bb e l v i saa ElviselviElviselvielviElviselvi1elviElvisElvis"');

-- mask: every character covered by any match
INSERT INTO reports VALUES
	(50, 'mask', 'ac_mask', '["ann", "joann"]', true, true, NULL, 'JoAnn met Ann Ünal', NULL,
	 '"***** met *** Ünal"'),
	(51, 'mask', 'ac_mask', '["and", "bands"]', false, false, NULL, 'political bands which', NULL,
	 '"political ***** which"');

-- highlight: overlapping matches merge
INSERT INTO reports VALUES
	(52, 'highlight', 'ac_highlight', '["and", "bands"]', false, false, NULL, 'political bands which', NULL,
	 '"political <b>bands</b> which"');

CREATE FUNCTION answer(r reports) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
	rules acautomaton := ac_build(ARRAY(SELECT jsonb_array_elements_text(r.patterns)),
								  ignore_case => r.ignore_case,
								  whole_words => r.whole_words);
BEGIN
	CASE r.fn
		WHEN 'ac_find' THEN
			RETURN coalesce((SELECT jsonb_agg(jsonb_build_array(f.pos, f.len, f.id)
											  ORDER BY f.ordinality)
							 FROM ac_find(rules, r.body, r.kind) WITH ORDINALITY AS f),
							'[]');
		WHEN 'ac_replace_each' THEN
			RETURN to_jsonb(ac_replace_each(rules, r.body,
											ARRAY(SELECT jsonb_array_elements_text(r.replacements)),
											r.kind));
		WHEN 'ac_mask' THEN
			RETURN to_jsonb(ac_mask(rules, r.body));
		WHEN 'ac_highlight' THEN
			RETURN to_jsonb(ac_highlight(rules, r.body));
	END CASE;
END $$;

-- The same through every other function which can tell: the spans, how many,
-- the first one, the ids, and whether there is any.
CREATE FUNCTION agrees(r reports) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
	rules acautomaton := ac_build(ARRAY(SELECT jsonb_array_elements_text(r.patterns)),
								  ignore_case => r.ignore_case,
								  whole_words => r.whole_words);
	spans jsonb := coalesce((SELECT jsonb_agg(jsonb_build_array(m.pos, m.len)
											  ORDER BY m.ordinality)
							 FROM ac_matches(rules, r.body, r.kind) WITH ORDINALITY AS m),
							'[]');
BEGIN
	RETURN spans = coalesce((SELECT jsonb_agg(span ORDER BY first)
							 FROM (SELECT jsonb_build_array(w->0, w->1) AS span,
										  min(o) AS first
								   FROM jsonb_array_elements(r.wanted) WITH ORDINALITY AS e(w, o)
								   GROUP BY 1) AS distinct_spans),
							'[]')
		AND ac_count(rules, r.body, r.kind) = jsonb_array_length(spans)
		AND ac_contains(rules, r.body) = (r.wanted <> '[]')
		AND (r.body @~ rules) = (r.wanted <> '[]')
		AND (r.kind <> 'all'
			 OR (ac_ids(rules, r.body) =
				 ARRAY(SELECT DISTINCT (w->>2)::bigint
					   FROM jsonb_array_elements(r.wanted) AS w ORDER BY 1)
				 AND ac_instr(rules, r.body) =
				 coalesce((SELECT min((w->>0)::int)
						   FROM jsonb_array_elements(r.wanted) AS w), 0)));
END $$;

-- what disagrees: nothing
SELECT n, topic, patterns, body, wanted, answer(reports) AS got
FROM reports
WHERE answer(reports) <> wanted
ORDER BY n;
SELECT n, topic, patterns, body, wanted
FROM reports
WHERE fn = 'ac_find' AND NOT agrees(reports)
ORDER BY n;

SELECT topic, count(*) AS cases, count(*) FILTER (WHERE answer(reports) = wanted) AS agree
FROM reports
GROUP BY topic
ORDER BY min(n);

DROP FUNCTION answer(reports), agrees(reports);
DROP TABLE reports;
