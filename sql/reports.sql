--
-- reports: what goes wrong in implementations, and the right answers
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
	more jsonb,					-- further arguments
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
	 '[[2, 3, 2], [3, 2, 1], [3, 4, 4]]'),
	(9, 'overlaps', 'ac_find', '["rained", "constrained", "constrainedly"]', false, false, 'all', 'constrained', NULL,
	 '[[1, 11, 2], [6, 6, 1]]'),
	(10, 'overlaps', 'ac_find', '["ana", "banana", "nan", "an", "a"]', false, false, 'all', 'bananas', NULL,
	 '[[2, 1, 5], [2, 2, 4], [2, 3, 1], [4, 1, 5], [3, 3, 3], [4, 2, 4], [1, 6, 2], [4, 3, 1], [6, 1, 5]]'),
	(11, 'overlaps', 'ac_find', '["lion", "lioness"]', false, false, 'all', 'lion', NULL,
	 '[[1, 4, 1]]'),
	(12, 'overlaps', 'ac_find', '["the hotel pricing model", "pricey", "price", "ice"]', false, false, 'all', 'the hotel price', NULL,
	 '[[11, 5, 3], [13, 3, 4]]'),
	(13, 'overlaps', 'ac_find', '[" East India Company ", " East Side ", " Dock ", "Dock"]', false, false, 'all', ' East India Dock and East Side ', NULL,
	 '[[13, 4, 4], [12, 6, 3], [21, 11, 2]]'),
	(14, 'overlaps', 'ac_find', '["a", "aa", "aaa"]', false, false, 'all', 'aaaa', NULL,
	 '[[1, 1, 1], [1, 2, 2], [2, 1, 1], [1, 3, 3], [2, 2, 2], [3, 1, 1], [2, 3, 3], [3, 2, 2], [4, 1, 1]]'),
	(15, 'overlaps', 'ac_find', '["xyz"]', false, false, 'all', 'xyz', NULL,
	 '[[1, 3, 1]]'),
	(16, 'overlaps', 'ac_find', '["xyz", "wxyz"]', false, false, 'all', 'xy', NULL,
	 '[]'),
	(17, 'overlaps', 'ac_find', '["xyz"]', false, false, 'all', '', NULL,
	 '[]'),
	(18, 'overlaps', 'ac_find', '[]', false, false, 'all', 'xyz', NULL,
	 '[]'),
	(19, 'overlaps', 'ac_find', '["d", "cd", "bcd", "abcd", "abc"]', false, false, 'all', 'xabcdabc', NULL,
	 '[[2, 3, 5], [2, 4, 4], [3, 3, 3], [4, 2, 2], [5, 1, 1], [6, 3, 5]]'),
	(20, 'overlaps', 'ac_find', '["%", "_", ".*", "[a-z]", "\\d", "(", "$", "^a"]', false, false, 'all', '^a .* [a-z] 100% \d (_$', NULL,
	 '[[1, 2, 8], [4, 2, 3], [7, 5, 4], [16, 1, 1], [18, 2, 5], [21, 1, 6], [22, 1, 2], [23, 1, 7]]'),
	(21, 'overlaps', 'ac_find', '[" ", "  ", "\t", "\n", "\r\n"]', false, false, 'all', E'a  b\r\n\t', NULL,
	 '[[2, 1, 1], [2, 2, 2], [3, 1, 1], [5, 2, 5], [6, 1, 4], [7, 1, 3]]'),
	(22, 'overlaps', 'ac_find', '["abab", "baba", "bab"]', false, false, 'all', 'ababab', NULL,
	 '[[1, 4, 1], [2, 3, 3], [2, 4, 2], [3, 4, 1], [4, 3, 3]]'),
	(23, 'overlaps', 'ac_find', '["x", "x", "xx"]', false, false, 'all', 'xx', NULL,
	 '[[1, 1, 1], [1, 1, 2], [1, 2, 3], [2, 1, 1], [2, 1, 2]]');

-- characters: positions count characters; canonically equal is not equal
INSERT INTO reports VALUES
	(24, 'characters', 'ac_find', '["ck", "üü"]', false, false, 'all', 'frühstück äck öck ßck ack', NULL,
	 '[[8, 2, 1], [12, 2, 1], [16, 2, 1], [20, 2, 1], [24, 2, 1]]'),
	(25, 'characters', 'ac_find', '["地中海贫血"]', false, false, 'all', '地中海贫血2', NULL,
	 '[[1, 5, 1]]'),
	(26, 'characters', 'ac_find', '["🖕"]', false, false, 'all', 'x🖕y', NULL,
	 '[[2, 1, 1]]'),
	(27, 'characters', 'ac_find', '["i\u0307"]', false, false, 'all', U&'Deniz Çeli\0307k', NULL,
	 '[[10, 2, 1]]'),
	(28, 'characters', 'ac_find', '["é"]', false, false, 'all', U&'e\0301', NULL,
	 '[]'),
	(29, 'characters', 'ac_find', '["eBook", "Adventures"]', false, false, 'all', 'The Project Gutenberg eBook of Alice’s Adventures in Wonderland, by Lewis Carroll', NULL,
	 '[[23, 5, 1], [40, 10, 2]]'),
	(30, 'characters', 'ac_find', '["мир", "вст", "авст"]', false, false, 'all', 'Здравствуй, мир', NULL,
	 '[[4, 4, 3], [5, 3, 2], [13, 3, 1]]'),
	(31, 'characters', 'ac_find', '["👨", "👩", "👦", "👨\u200d👩\u200d👦"]', false, false, 'all', U&'a👨\200D👩\200D👦b', NULL,
	 '[[2, 1, 1], [4, 1, 2], [2, 5, 4], [6, 1, 3]]'),
	(32, 'characters', 'ac_find', '["𝒜𝒷", "𝒷", "b"]', false, false, 'all', '𝒜𝒷𝒷b', NULL,
	 '[[1, 2, 1], [2, 1, 2], [3, 1, 2], [4, 1, 3]]'),
	(33, 'characters', 'ac_find', '["\u0301", "e"]', false, false, 'all', U&'e\0301é', NULL,
	 '[[1, 1, 2], [2, 1, 1]]'),
	(34, 'characters', 'ac_find', '["のリ", "リスト", "ト"]', false, false, 'all', 'のリスト、リスト', NULL,
	 '[[1, 2, 1], [2, 3, 2], [4, 1, 3], [6, 3, 2], [8, 1, 3]]'),
	(35, 'characters', 'ac_find', '["ö"]', false, false, 'all', U&'o\0308öÖ', NULL,
	 '[[3, 1, 1]]'),
	(36, 'characters', 'ac_find', '["ﬁ", "fi"]', false, false, 'all', 'ﬁfi', NULL,
	 '[[1, 1, 1], [2, 2, 2]]'),
	(37, 'characters', 'ac_find', '["국", "한국", "한"]', false, false, 'all', '한국 한국어', NULL,
	 '[[1, 1, 3], [1, 2, 2], [2, 1, 1], [4, 1, 3], [4, 2, 2], [5, 1, 1]]'),
	(38, 'characters', 'ac_find', '["🇩🇪", "🇪"]', false, false, 'all', '🇩🇪🇪🇩', NULL,
	 '[[1, 2, 1], [2, 1, 2], [3, 1, 2]]');

-- long: positions beyond 8 kB
INSERT INTO reports VALUES
	(39, 'long', 'ac_find', '["1234j"]', false, false, 'all', repeat('0', 8192) || '1234j000000000', NULL,
	 '[[8193, 5, 1]]');

-- leftmost-longest: a longer candidate that fails leaves what it covered
INSERT INTO reports VALUES
	(40, 'leftmost-longest', 'ac_find', '["b", "c", "abd"]', false, false, 'leftmost-longest', 'abc', NULL,
	 '[[2, 1, 1], [3, 1, 2]]'),
	(41, 'leftmost-longest', 'ac_find', '["知识产权", "国家知识产权局"]', false, false, 'leftmost-longest', '国家知识产权', NULL,
	 '[[3, 4, 1]]'),
	(42, 'leftmost-longest', 'ac_find', '["bc", "abcdefg"]', false, false, 'leftmost-longest', 'abcdef', NULL,
	 '[[2, 2, 1]]'),
	(43, 'leftmost-longest', 'ac_find', '["abcdx", "bcdy", "cdz", "d"]', false, false, 'leftmost-longest', 'abcd', NULL,
	 '[[4, 1, 4]]'),
	(44, 'leftmost-longest', 'ac_find', '["abcde", "bcdx", "cd"]', false, false, 'leftmost-longest', 'abcd', NULL,
	 '[[3, 2, 3]]'),
	(45, 'leftmost-longest', 'ac_find', '["abcde", "bcdx", "cd"]', false, false, 'leftmost-longest', 'abcdzabcde', NULL,
	 '[[3, 2, 3], [6, 5, 1]]'),
	(46, 'leftmost-longest', 'ac_find', '["Antibiotik", "Antibiotika"]', false, false, 'leftmost-longest', 'wirksamer Antibiotika selten', NULL,
	 '[[11, 11, 2]]'),
	(47, 'leftmost-longest', 'ac_find', '["Antibiotika", "Antibiotik"]', false, false, 'leftmost-longest', 'wirksamer Antibiotika selten', NULL,
	 '[[11, 11, 1]]'),
	(48, 'leftmost-longest', 'ac_find', '["abcd", "b", "bce"]', false, false, 'leftmost-longest', 'abce', NULL,
	 '[[2, 3, 3]]'),
	(49, 'leftmost-longest', 'ac_find', '["foo", "foo"]', false, false, 'leftmost-longest', 'foobarfoo', NULL,
	 '[[1, 3, 1], [7, 3, 1]]'),
	(50, 'leftmost-longest', 'ac_find', '["xy", "xyzxyw"]', false, false, 'leftmost-longest', '..xyzxyw..', NULL,
	 '[[3, 6, 2]]'),
	(51, 'leftmost-longest', 'ac_find', '["xy", "xyzxyw"]', false, false, 'leftmost-longest', '..xyzxyv..', NULL,
	 '[[3, 2, 1], [6, 2, 1]]'),
	(52, 'leftmost-longest', 'ac_find', '["on", "canon", "e can open"]', false, false, 'leftmost-longest', 'the canon', NULL,
	 '[[5, 5, 2]]'),
	(53, 'leftmost-longest', 'ac_find', '["cd", "bcde", "abcdef"]', false, false, 'leftmost-longest', 'abcde', NULL,
	 '[[2, 4, 2]]'),
	(54, 'leftmost-longest', 'ac_find', '["d", "cde", "bcdef", "abcdefg"]', false, false, 'leftmost-longest', 'abcd', NULL,
	 '[[4, 1, 1]]'),
	(55, 'leftmost-longest', 'ac_find', '["👨", "👩", "👦", "👨\u200d👩\u200d👦"]', false, false, 'leftmost-longest', U&'👨\200D👩\200D👦👨', NULL,
	 '[[1, 5, 4], [6, 1, 1]]'),
	(56, 'leftmost-longest', 'ac_find', '["Petersburg Town", "Saint Petersburg", "Saint Petersburg Town"]', false, false, 'leftmost-longest', 'in Saint Petersburg Town', NULL,
	 '[[4, 21, 3]]'),
	(57, 'leftmost-longest', 'ac_find', '["Petersburg Town", "Saint Petersburg"]', false, false, 'leftmost-longest', 'in Saint Petersburg Town', NULL,
	 '[[4, 16, 2]]'),
	(58, 'leftmost-longest', 'ac_find', '["one", "one two", "two three", "three"]', false, false, 'leftmost-longest', 'one two three', NULL,
	 '[[1, 7, 2], [9, 5, 4]]'),
	(59, 'leftmost-longest', 'ac_find', '["he", "her", "hers", "she"]', false, false, 'leftmost-longest', 'he her ushers', NULL,
	 '[[1, 2, 1], [4, 3, 2], [9, 3, 4]]'),
	(60, 'leftmost-longest', 'ac_find', '["a", "aa", "aaa"]', false, false, 'leftmost-longest', 'aaaaaaaa', NULL,
	 '[[1, 3, 3], [4, 3, 3], [7, 2, 2]]'),
	(61, 'leftmost-longest', 'ac_find', '["ab", "bcd", "cde"]', false, false, 'leftmost-longest', 'abcde', NULL,
	 '[[1, 2, 1], [3, 3, 3]]'),
	(62, 'leftmost-longest', 'ac_find', '["aab", "aaab"]', false, false, 'leftmost-longest', 'aaaab', NULL,
	 '[[2, 4, 2]]'),
	(63, 'leftmost-longest', 'ac_find', '["abc", "b", "b"]', false, false, 'leftmost-longest', 'abb', NULL,
	 '[[2, 1, 2], [3, 1, 2]]'),
	(64, 'leftmost-longest', 'ac_find', '["x"]', false, false, 'leftmost-longest', '', NULL,
	 '[]');

-- leftmost-first: what stands first wins, also over what is longer
INSERT INTO reports VALUES
	(65, 'leftmost-first', 'ac_find', '["Antibiotik", "Antibiotika"]', false, false, 'leftmost-first', 'wirksamer Antibiotika selten', NULL,
	 '[[11, 10, 1]]'),
	(66, 'leftmost-first', 'ac_find', '["abcd", "b", "bce"]', false, false, 'leftmost-first', 'abce', NULL,
	 '[[2, 1, 2]]'),
	(67, 'leftmost-first', 'ac_find', '["a", "ab", "abc"]', false, false, 'leftmost-first', 'abcab', NULL,
	 '[[1, 1, 1], [4, 1, 1]]'),
	(68, 'leftmost-first', 'ac_find', '["abc", "ab", "a"]', false, false, 'leftmost-first', 'abcaba', NULL,
	 '[[1, 3, 1], [4, 2, 2], [6, 1, 3]]'),
	(69, 'leftmost-first', 'ac_find', '["bc", "abcd", "ab"]', false, false, 'leftmost-first', 'abcd abc', NULL,
	 '[[1, 4, 2], [6, 2, 3]]'),
	(70, 'leftmost-first', 'ac_find', '["d", "cde", "bcdef", "abcdefg"]', false, false, 'leftmost-first', 'abcd', NULL,
	 '[[4, 1, 1]]'),
	(71, 'leftmost-first', 'ac_find', '["foo", "foobar", "bar"]', false, false, 'leftmost-first', 'foobar', NULL,
	 '[[1, 3, 1], [4, 3, 3]]'),
	(72, 'leftmost-first', 'ac_find', '["foobar", "foo", "bar"]', false, false, 'leftmost-first', 'foobarbaz', NULL,
	 '[[1, 6, 1]]'),
	(73, 'leftmost-first', 'ac_find', '["xy", "xyz", "zxy"]', false, false, 'leftmost-first', 'xyzxyzxy', NULL,
	 '[[1, 2, 1], [3, 3, 3], [6, 3, 3]]'),
	(74, 'leftmost-first', 'ac_find', '["Ab", "ab", "AB"]', true, false, 'leftmost-first', 'aB AB ab', NULL,
	 '[[1, 2, 1], [4, 2, 1], [7, 2, 1]]');

-- words: a word ends at letters of any script, at none of those without spaces
INSERT INTO reports VALUES
	(75, 'words', 'ac_find', '["ABC", "ABC DEF", "ABC GHI"]', false, true, 'leftmost-longest', 'ABC DEF and ABC GHI', NULL,
	 '[[1, 7, 2], [13, 7, 3]]'),
	(76, 'words', 'ac_find', '["phonebook", "the phone"]', false, true, 'leftmost-longest', 'I''ll look into the phonebook', NULL,
	 '[[20, 9, 1]]'),
	(77, 'words', 'ac_find', '["python prog"]', false, true, 'all', 'i like python programming', NULL,
	 '[]'),
	(78, 'words', 'ac_find', '["ck", "üü"]', false, true, 'all', 'frühstück äck öck ßck ack', NULL,
	 '[]'),
	(79, 'words', 'ac_find', '["C++"]', false, true, 'all', 'C++11 C++', NULL,
	 '[[1, 3, 1], [7, 3, 1]]'),
	(80, 'words', 'ac_find', '["地中海贫血"]', false, true, 'all', '地中海贫血2', NULL,
	 '[[1, 5, 1]]'),
	(81, 'words', 'ac_find', '["头疼", "头晕"]', false, true, 'all', '头疼头晕', NULL,
	 '[[1, 2, 1], [3, 2, 2]]'),
	(82, 'words', 'ac_find', '["cat"]', false, true, 'all', 'cat cats bobcat cat_ _cat cat1 1cat cat-cat cat.', NULL,
	 '[[1, 3, 1], [37, 3, 1], [41, 3, 1], [45, 3, 1]]'),
	(83, 'words', 'ac_find', '["don", "t"]', false, true, 'all', 'don''t', NULL,
	 '[[1, 3, 1], [5, 1, 2]]'),
	(84, 'words', 'ac_find', '["sugar", "sugar-free", "free"]', false, true, 'all', 'sugar-free sugar-freed', NULL,
	 '[[1, 5, 1], [1, 10, 2], [7, 4, 3], [12, 5, 1]]'),
	(85, 'words', 'ac_find', '["#tag", "@me", "C#", ".NET"]', false, true, 'all', '#tag x#tag @me.NET C#C C# .NETs', NULL,
	 '[[1, 4, 1], [7, 4, 1], [12, 3, 2], [15, 4, 4], [20, 2, 3], [24, 2, 3]]'),
	(86, 'words', 'ac_find', '["--", "a--b"]', false, true, 'all', 'a--b --', NULL,
	 '[[2, 2, 1], [1, 4, 2], [6, 2, 1]]'),
	(87, 'words', 'ac_find', '[" a", "a ", " "]', false, true, 'all', 'a a ab a', NULL,
	 '[[1, 2, 2], [2, 1, 3], [2, 2, 1], [3, 2, 2], [4, 1, 3], [7, 1, 3], [7, 2, 1]]'),
	(88, 'words', 'ac_find', '["cafe"]', false, true, 'all', U&'café cafe cafe\0301', NULL,
	 '[[6, 4, 1]]'),
	(89, 'words', 'ac_find', '["кот"]', false, true, 'all', 'кот коты кот, скот', NULL,
	 '[[1, 3, 1], [10, 3, 1]]'),
	(90, 'words', 'ac_find', '["AI", "技术"]', false, true, 'all', '用AI技术 AI2', NULL,
	 '[[2, 2, 1], [4, 2, 2]]'),
	(91, 'words', 'ac_find', '["リスト"]', false, true, 'all', 'のリスト ストリスト', NULL,
	 '[[2, 3, 1], [8, 3, 1]]'),
	(92, 'words', 'ac_find', '["ไทย"]', false, true, 'all', U&'ภาษาไทยง\0E48าย', NULL,
	 '[[5, 3, 1]]'),
	(93, 'words', 'ac_find', '["한국"]', false, true, 'all', '한국 한국어', NULL,
	 '[[1, 2, 1]]'),
	(94, 'words', 'ac_find', '["ok"]', false, true, 'all', U&'👍ok👍 ok\200D no', NULL,
	 '[[2, 2, 1], [6, 2, 1]]'),
	(95, 'words', 'ac_find', '["m"]', false, true, 'all', 'm² m m³ 5m', NULL,
	 '[[4, 1, 1]]'),
	(96, 'words', 'ac_find', '["2"]', false, true, 'all', '2 ٢2 2٢ ²2', NULL,
	 '[[1, 1, 1]]'),
	(97, 'words', 'ac_find', '["nai\u0308ve", "ve"]', false, true, 'all', U&'nai\0308ve nai\0308ves', NULL,
	 '[[1, 6, 1]]'),
	(98, 'words', 'ac_find', '["ab", "ab cd"]', false, true, 'leftmost-longest', 'ab cde', NULL,
	 '[[1, 2, 1]]'),
	(99, 'words', 'ac_find', '["ab cd", "ab"]', false, true, 'leftmost-first', 'ab cde ab cd', NULL,
	 '[[1, 2, 2], [8, 5, 1]]'),
	(100, 'words', 'ac_find', '["ab", "abc", "bc"]', false, true, 'leftmost-longest', 'abc abd ab', NULL,
	 '[[1, 3, 2], [9, 2, 1]]'),
	(101, 'words', 'ac_find', '["a"]', false, true, 'all', 'a', NULL,
	 '[[1, 1, 1]]'),
	(102, 'words', 'ac_find', '["ह\u093fन\u094dद\u0940", "ह\u093fन\u094dद"]', false, true, 'all', U&'ह\093Fन\094Dद\0940', NULL,
	 '[[1, 6, 1]]'),
	(103, 'words', 'ac_find', '["x‿y", "x", "y"]', false, true, 'all', 'x‿y', NULL,
	 '[[1, 3, 1]]'),
	(104, 'words', 'ac_find', '["e"]', false, true, 'all', U&'e\0301e e \0301e', NULL,
	 '[[5, 1, 1]]');

-- case: folding keeps positions, whatever it does to bytes
INSERT INTO reports VALUES
	(105, 'case', 'ac_find', '[".env"]', true, true, 'all', 'test.Enviro', NULL,
	 '[]'),
	(106, 'case', 'ac_find', '[".env"]', true, true, 'all', 'GET /app/.env?x', NULL,
	 '[[10, 4, 1]]'),
	(107, 'case', 'ac_find', '[".env"]', true, false, 'all', 'test.Enviro', NULL,
	 '[[5, 4, 1]]'),
	(108, 'case', 'ac_find', '["abc", "def", "abcdef"]', true, false, 'all', 'ABCDEF', NULL,
	 '[[1, 3, 1], [1, 6, 3], [4, 3, 2]]'),
	(109, 'case', 'ac_find', '["Bay Area"]', true, false, 'all', 'İ I love big Apple and Bay Area.', NULL,
	 '[[24, 8, 1]]'),
	(110, 'case', 'ac_find', '["this"]', true, true, 'all', 'LİKE THIS', NULL,
	 '[[6, 4, 1]]'),
	(111, 'case', 'ac_find', '["ß"]', true, false, 'all', 'this is example ß test ẞ string', NULL,
	 '[[17, 1, 1], [24, 1, 1]]'),
	(112, 'case', 'ac_find', '["300 k"]', true, false, 'all', U&'300 K; 300 \212A', NULL,
	 '[[1, 5, 1], [8, 5, 1]]'),
	(113, 'case', 'ac_find', '["S", "s"]', true, false, 'all', 'ſtraSSe', NULL,
	 '[[1, 1, 1], [1, 1, 2], [5, 1, 1], [5, 1, 2], [6, 1, 1], [6, 1, 2]]'),
	(114, 'case', 'ac_find', '["İ", "i", "I", "ı"]', true, false, 'all', 'İiIı', NULL,
	 '[[1, 1, 1], [2, 1, 2], [2, 1, 3], [3, 1, 2], [3, 1, 3], [4, 1, 4]]'),
	(115, 'case', 'ac_find', '["ΟΔΟΣ"]', true, false, 'all', 'οδός οδος ΟΔΟσ', NULL,
	 '[[6, 4, 1], [11, 4, 1]]'),
	(116, 'case', 'ac_find', '["STRASSE", "STRAẞE"]', true, false, 'all', 'straße strasse STRAẞE', NULL,
	 '[[1, 6, 2], [8, 7, 1], [16, 6, 2]]'),
	(117, 'case', 'ac_find', '["ﬁ", "fi", "ff"]', true, false, 'all', 'FI ﬁ ﬀ', NULL,
	 '[[1, 2, 2], [4, 1, 1]]'),
	(118, 'case', 'ac_find', '["ⱥx"]', true, false, 'all', 'ȺX ⱥx ȺȺXx', NULL,
	 '[[1, 2, 1], [4, 2, 1], [8, 2, 1]]'),
	(119, 'case', 'ac_find', '["end"]', true, false, 'all', U&'\212A\212A\212A END \212B End', NULL,
	 '[[5, 3, 1], [11, 3, 1]]'),
	(120, 'case', 'ac_find', '["ǆ"]', true, false, 'all', 'Ǆ ǅ ǆ dž', NULL,
	 '[[1, 1, 1], [3, 1, 1], [5, 1, 1]]'),
	(121, 'case', 'ac_find', '["𐐨𐐩"]', true, false, 'all', '𐐀𐐁 𐐨𐐁', NULL,
	 '[[1, 2, 1], [4, 2, 1]]'),
	(122, 'case', 'ac_find', '["Ꭰꮡ"]', true, false, 'all', 'ꭰꮡ ᎠᏑ', NULL,
	 '[[1, 2, 1], [4, 2, 1]]'),
	(123, 'case', 'ac_find', '["ω", "μ"]', true, false, 'all', U&'\2126 Ω \00B5 Μ', NULL,
	 '[[1, 1, 1], [3, 1, 1], [5, 1, 2], [7, 1, 2]]'),
	(124, 'case', 'ac_find', '["Ⅷ", "ⓐ", "ａ"]', true, false, 'all', 'ⅷ Ⓐ Ａ', NULL,
	 '[[1, 1, 1], [3, 1, 2], [5, 1, 3]]'),
	(125, 'case', 'ac_find', '["ﬅ"]', true, false, 'all', 'ﬅ ﬆ', NULL,
	 '[[1, 1, 1]]'),
	(126, 'case', 'ac_find', '["é"]', true, false, 'all', U&'e\0301 E\0301 É é', NULL,
	 '[[7, 1, 1], [9, 1, 1]]'),
	(127, 'case', 'ac_find', '["Foo", "foo", "FOO"]', true, false, 'all', 'fOO', NULL,
	 '[[1, 3, 1], [1, 3, 2], [1, 3, 3]]'),
	(128, 'case', 'ac_find', '["[abc]", "@", "`"]', true, false, 'all', '[ABC] {abc} ` @', NULL,
	 '[[1, 5, 1], [13, 1, 3], [15, 1, 2]]'),
	(129, 'case', 'ac_find', '["Привет", "МИР"]', true, false, 'all', 'привет, Мир! ПРИВЕТ', NULL,
	 '[[1, 6, 1], [9, 3, 2], [14, 6, 1]]'),
	(130, 'case', 'ac_find', '["ſs", "ß"]', true, false, 'all', 'SS ẞ sſ', NULL,
	 '[[1, 2, 1], [4, 1, 2], [6, 2, 1]]'),
	(131, 'case', 'ac_find', '["KB"]', true, true, 'all', U&'10 \212AB 10 Kb 10kbs', NULL,
	 '[[4, 2, 1], [10, 2, 1]]'),
	(132, 'case', 'ac_find', '["ab", "ABC"]', true, false, 'leftmost-longest', 'aBcAB', NULL,
	 '[[1, 3, 2], [4, 2, 1]]'),
	(133, 'case', 'ac_find', '["Ἀ", "ᾳ"]', true, false, 'all', 'ἀ ἈΙ ᾼ', NULL,
	 '[[1, 1, 1], [3, 1, 1], [6, 1, 2]]');

-- replace: literal replacements, never looked at again
INSERT INTO reports VALUES
	(134, 'replace', 'ac_replace_each', '["b", "abc", "abcd"]', false, false, 'leftmost-longest', 'abcd', '["x", "y", "z"]',
	 '"z"'),
	(135, 'replace', 'ac_replace_each', '["b", "abc", "abcd"]', false, false, 'leftmost-first', 'abcd', '["x", "y", "z"]',
	 '"yd"'),
	(136, 'replace', 'ac_replace_each', '[">", "<", "&", "\"", "''"]', false, false, 'leftmost-longest', '<strong> AT&T </strong>', '["&gt;", "&lt;", "&amp;", "&quot;", "&apos;"]',
	 '"&lt;strong&gt; AT&amp;T &lt;/strong&gt;"'),
	(137, 'replace', 'ac_replace_each', '["cat", "dog"]', false, false, 'leftmost-longest', 'cat dog', '["dog", "cat"]',
	 '"dog cat"'),
	(138, 'replace', 'ac_replace_each', '["elvis"]', false, false, 'leftmost-longest', 'abcelvisaElvisabcelviseelvisaelvisaabeeeelvise l v i saa bb e l v i saa elviselvielviselvielvielviselvi1elvielviselvis', '["Elvis"]',
	 '"abcElvisaElvisabcElviseElvisaElvisaabeeeElvise l v i saa bb e l v i saa ElviselviElviselvielviElviselvi1elviElvisElvis"'),
	(139, 'replace', 'ac_replace_each', '["abc", "bd"]', false, false, 'leftmost-longest', 'abd', '["123", "24"]',
	 '"a24"'),
	(140, 'replace', 'ac_replace_each', '["note1", "note2"]', false, false, 'leftmost-longest', 'note', '["n_1", "n_2"]',
	 '"note"'),
	(141, 'replace', 'ac_replace_each', '["a", "b", "c"]', false, false, 'leftmost-longest', 'abcabc', '["b", "c", "a"]',
	 '"bcabca"'),
	(142, 'replace', 'ac_replace_each', '["ab", "a", "b"]', false, false, 'leftmost-longest', 'aabb', '["", "<a>", "<b>"]',
	 '"<a><b>"'),
	(143, 'replace', 'ac_replace_each', '["foo", "foo"]', false, false, 'leftmost-longest', 'foo', '["first", "second"]',
	 '"first"'),
	(144, 'replace', 'ac_replace_each', '["Foo", "foo"]', true, false, 'leftmost-first', 'FOO foo', '["first", "second"]',
	 '"first first"'),
	(145, 'replace', 'ac_replace', '["x"]', false, false, 'leftmost-longest', 'axbxx', '[""]',
	 '"ab"'),
	(146, 'replace', 'ac_replace', '["ab", "bc"]', false, false, 'leftmost-longest', 'abc bc', '["[abc]"]',
	 '"[abc]c [abc]"'),
	(147, 'replace', 'ac_replace', '["aa"]', false, false, 'leftmost-longest', 'aaaaa', '["a"]',
	 '"aaa"'),
	(148, 'replace', 'ac_replace', '["k"]', true, false, 'leftmost-longest', U&'aK\212Akb', '["𝄞"]',
	 '"a𝄞𝄞𝄞b"'),
	(149, 'replace', 'ac_replace', '["."]', false, false, 'leftmost-longest', 'a.b', '["\\0 $1 & %s"]',
	 '"a\\0 $1 & %sb"'),
	(150, 'replace', 'ac_replace', '["cat"]', true, true, 'leftmost-longest', 'Cat concat CAT', '["dog"]',
	 '"dog concat dog"'),
	(151, 'replace', 'ac_replace', '["b", "abcd"]', false, false, 'leftmost-longest', 'abc abcd', '["-"]',
	 '"a-c -"');

-- mask: every character covered by any match
INSERT INTO reports VALUES
	(152, 'mask', 'ac_mask', '["ann", "joann"]', true, true, NULL, 'JoAnn met Ann Ünal', NULL,
	 '"***** met *** Ünal"'),
	(153, 'mask', 'ac_mask', '["and", "bands"]', false, false, NULL, 'political bands which', NULL,
	 '"political ***** which"'),
	(154, 'mask', 'ac_mask', '["ab", "bc", "cd"]', false, false, NULL, 'xabcdx', '["*"]',
	 '"x****x"'),
	(155, 'mask', 'ac_mask', '["e\u0301"]', false, false, NULL, U&'e\0301é', '["#"]',
	 '"##é"'),
	(156, 'mask', 'ac_mask', '["🖕", "b"]', false, false, NULL, 'a🖕🖕b', '["é"]',
	 '"aééé"'),
	(157, 'mask', 'ac_mask', '["all"]', false, false, NULL, 'all', '["•"]',
	 '"•••"'),
	(158, 'mask', 'ac_mask', '["none"]', false, false, NULL, '', '["*"]',
	 '""'),
	(159, 'mask', 'ac_mask', '["ann"]', true, true, NULL, 'Ann, ANNA, ann_ (ann)', '["*"]',
	 '"***, ANNA, ann_ (***)"'),
	(160, 'mask', 'ac_mask', '["Ⱥ", "\u212a"]', true, false, NULL, 'ⱥkK!', '["x"]',
	 '"xxx!"');

-- highlight: overlapping matches merge
INSERT INTO reports VALUES
	(161, 'highlight', 'ac_highlight', '["and", "bands"]', false, false, NULL, 'political bands which', NULL,
	 '"political <b>bands</b> which"'),
	(162, 'highlight', 'ac_highlight', '["ab", "cd"]', false, false, NULL, 'abcd ab', '["<b>", "</b>", false]',
	 '"<b>ab</b><b>cd</b> <b>ab</b>"'),
	(163, 'highlight', 'ac_highlight', '["ab", "bc", "cd", "x"]', false, false, NULL, 'abcdx', '["<b>", "</b>", false]',
	 '"<b>abcd</b><b>x</b>"'),
	(164, 'highlight', 'ac_highlight', '["aba"]', false, false, NULL, 'ababa aba', '["[", "]", false]',
	 '"[ababa] [aba]"'),
	(165, 'highlight', 'ac_highlight', '["b", "abc"]', false, false, NULL, 'abc', '["<em>", "</em>", false]',
	 '"<em>abc</em>"'),
	(166, 'highlight', 'ac_highlight', '["amp", "&"]', false, false, NULL, 'a & b &amp;', '["<b>", "</b>", true]',
	 '"a <b>&amp;</b> b <b>&amp;</b><b>amp</b>;"'),
	(167, 'highlight', 'ac_highlight', '["<i>"]', false, false, NULL, '<i>''x''</i> "y"', '["<b>", "</b>", true]',
	 '"<b>&lt;i&gt;</b>&#39;x&#39;&lt;/i&gt; &quot;y&quot;"'),
	(168, 'highlight', 'ac_highlight', '["none"]', false, false, NULL, '1 < 2', '["<b>", "</b>", true]',
	 '"1 &lt; 2"'),
	(169, 'highlight', 'ac_highlight', '["big"]', true, false, NULL, U&'İ\212A BIG Apple', '["<b>", "</b>", false]',
	 '"İ\u212a <b>BIG</b> Apple"'),
	(170, 'highlight', 'ac_highlight', '["b"]', false, false, NULL, '<b>b</b>', '["<b>", "</b>", false]',
	 '"<<b>b</b>><b>b</b></<b>b</b>>"'),
	(171, 'highlight', 'ac_highlight', '["🖕", "中"]', false, false, NULL, 'a🖕中b', '["‹", "›", false]',
	 '"a‹🖕›‹中›b"');

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
											ARRAY(SELECT jsonb_array_elements_text(r.more)),
											r.kind));
		WHEN 'ac_replace' THEN
			RETURN to_jsonb(ac_replace(rules, r.body, r.more->>0, r.kind));
		WHEN 'ac_mask' THEN
			RETURN to_jsonb(ac_mask(rules, r.body, coalesce(r.more->>0, '*')));
		WHEN 'ac_highlight' THEN
			RETURN to_jsonb(ac_highlight(rules, r.body, coalesce(r.more->>0, '<b>'),
										 coalesce(r.more->>1, '</b>'),
										 coalesce((r.more->>2)::boolean, false)));
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
