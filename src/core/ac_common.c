/*
 * ac_common.c
 *		How common four bytes are in ordinary text.
 *
 * A filter that looks for windows of four bytes should look for such as text
 * seldom has: "asswd" in place of "user".  What text will come is not known
 * when it is made; so the counts are taken from a sample of what such text
 * often looks like: logs of different servers, addresses, dates, code, prose.
 * A wrong guess costs time, never a match.
 *
 * Four bytes are as common as their three pairs make them in a chain, each pair
 * given the byte before (a Markov chain of the first order), or as the sample
 * has them whole, whatever is more.
 */
#include "ac_common.h"

#include <string.h>

#include "ac_bits.h"

#define HASH_FACTOR		UINT32_C(0x9e3779b1)
#define WHOLE			24		/* what being in the sample adds */

static const char sample[] =
"Jan 12 03:14:07 web1 sshd[2211]: Accepted publickey for deploy from "
"10.0.3.17 port 51234 ssh2\n"
"Feb 28 19:46:30 mail postfix/smtpd[981]: connect from unknown[192.168.1.20]\n"
"Mar  9 22:05:58 db2 kernel: [48151.623] eth0: link is not ready\n"
"Apr 17 11:30:00 cron CRON[77]: (root) CMD (command -v debian-sa1)\n"
"May 23 08:59:41 host systemd[1]: Started Session 42 of user root.\n"
"Jun 30 16:20:13 host sshd[6310]: pam_unix(sshd:auth): authentication failure; "
"logname= uid=0 euid=0 tty=ssh ruser= rhost=172.16.0.4 user=root\n"
"Jul  4 21:47:33 ns named[44]: client 127.0.0.1#53: query (cache) denied\n"
"Failed password for invalid user admin from 203.0.113.9 port 40022 ssh2\n"
"Invalid user test from 198.51.100.7, Received disconnect, error: Bye\n"
"2023-08-15 10:21:54,387 INFO [main] com.example.service.Application - "
"Starting server on port 8080, version 2.4.1\n"
"2024/09/18 23:38:26 [error] 31#31: *7 open() \"/usr/share/nginx/html/"
"favicon.ico\" failed (2: No such file or directory), client: 10.1.2.3, "
"server: localhost, request: \"GET /favicon.ico HTTP/1.1\", host: "
"\"www.example.com\"\n"
"[Thu Oct 05 14:32:52.914 2022] [core:error] [pid 1234] [client 192.0.2.60] "
"File does not exist: /var/www/html/robots.txt, referer: http://www.example.org/\n"
"192.0.2.33 - - [19/Nov/2021:12:55:36 +0000] \"GET /index.html HTTP/1.1\" 200 "
"5316 \"https://www.example.com/search?q=test&page=2\" \"Mozilla/5.0 (Windows NT "
"10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/98.0.4758.102 "
"Safari/537.36\"\n"
"198.51.100.4 - - [24/Dec/2020:06:01:29 +0100] \"POST /api/v1/login HTTP/1.1\" "
"404 162 \"-\" \"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Gecko/20100101 "
"Firefox/91.0\"\n"
"203.0.113.77 - - \"GET /images/logo.png HTTP/2.0\" 304 0 \"-\" \"Mozilla/5.0 (X11; "
"Linux x86_64; rv:78.0) Version/14.1 Mobile Safari/605.1.15 (compatible; "
"bot/2.1; +http://www.example.com/bot.html)\" \"GET /css/style.css\" \"GET "
"/js/main.js?v=3\" /static/app.min.js /product/item.php?id=25 /user/blog/2021 "
"/wp-content/themes/default/index.php /admin/ /assets/fonts/ .html .htm .jpg "
".gif .xml .json .com .net .org .txt .log .conf\n"
"{\"level\":\"warn\",\"time\":\"2025-01-08T17:02:45.118Z\",\"msg\":\"request "
"completed\",\"method\":\"GET\",\"path\":\"/v2/users/me\",\"status\":200,"
"\"duration_ms\":15,\"id\":\"9f86d081-84c7-4d65-9a3b-c5e28f0a71de\",\"name\":"
"\"value\",\"type\":\"text\",\"data\":null,\"enabled\":true,\"count\":1}\n"
"ERROR:  duplicate key value violates unique constraint \"orders_pkey\"\n"
"DETAIL:  Key (id)=(1067) already exists.\n"
"STATEMENT:  INSERT INTO orders (id, customer, total) VALUES ($1, $2, $3)\n"
"LOG:  connection received: host=[local]; SELECT name, count(*) FROM items "
"WHERE id = 1 ORDER BY name LIMIT 10\n"
"Traceback (most recent call last):\n  File \"/usr/lib/python3/dist-packages/"
"requests/api.py\", line 116, in request\n    return session.request(method="
"method, url=url)\nConnectionError: HTTPConnectionPool: Max retries exceeded\n"
"Exception in thread \"main\" java.lang.NullPointerException: at org.apache."
"catalina.core.StandardContext.process(Unknown Source) Caused by: timeout\n"
"from=<root@mail.example.net>, size=2143, nrcpt=1 (queue active) to=<user@"
"example.com>, relay=none, delay=0.1, status=sent (250 ok), message-id, "
"subject, warning: hostname does not resolve to address: Name or service not "
"known, reject: RCPT from, Relay access denied, LOGIN authentication failed\n"
"IN=eth0 OUT= MAC=00:16:3e:5e:6c:00 SRC=10.0.0.5 DST=10.0.0.9 LEN=60 TTL=64 "
"PROTO=TCP SPT=443 DPT=49152 WINDOW=29200 RES=0x00 SYN URGP=0\n"
"Unable to connect to the server: connection refused, attempt 3 of 5, trying "
"to reconnect to database in 30 seconds; server was shutting down, process "
"exited with code 1, service stopped, access denied, permission not allowed, "
"session opened for user by (uid=0), closed, disconnected, no matching host "
"key found, bad request, blocked, rejected, terminated, negotiate, maximum\n"
"The quick answer is that most of what people write is made of words which "
"all of us know, and there are not many of them. She had been there before "
"when it was still a small house between the river and the old town, where "
"nothing ever happened that anyone would have thought worth telling; but he "
"could not come with her, for his work had just begun, and so they went their "
"own ways. You should always think about what might go wrong, because if you "
"do not, something will. I have never seen a man more sure of himself, said "
"the woman, or one who knew so little about the things that matter. Every "
"good thing takes time, and time is the only thing that money can't buy: "
"people, government, number, water, against, through, during, another, "
"children, country, however, company, important, information, possible, "
"program, question, system, different, general, problem, without, example.\n"
"int main(void) { return 0; } if (x == NULL) for (i = 0; i < n; i++) static "
"const char *name; #include <stdio.h> function test() { var x = document."
"getElementById('content'); } <div class=\"container\"><a href=\"/about\" "
"title=\"Home\">Home</a></div><p>&nbsp;</p>\n";

static inline uint32_t
quad_hash(const uint8_t *bytes)
{
	return (ac_load32(bytes) * HASH_FACTOR) >> (32 - AC_COMMON_QUADS);
}

static inline uint32_t
pair_hash(const uint8_t *bytes)
{
	return ((bytes[0] * UINT32_C(256) + bytes[1]) * HASH_FACTOR) >>
		(32 - AC_COMMON_PAIRS);
}

static inline void
count_one(uint8_t *counter)
{
	if (*counter < UINT8_MAX)
		(*counter)++;
}

void
acore_common_learn(AcCommon *common)
{
	const uint8_t *text = (const uint8_t *) sample;
	size_t		size = sizeof(sample) - 1;
	size_t		i;

	memset(common, 0, sizeof(*common));
	for (i = 0; i + 4 <= size; i++)
	{
		common->bytes[text[i]]++;
		count_one(&common->pairs[pair_hash(text + i)]);
		count_one(&common->quads[quad_hash(text + i)]);
	}
}

/* The logarithm of a count plus 1, in eighths of a bit. */
static int
eighths(uint32_t count)
{
	int			whole = (int) ac_bit_width(count + 1) - 1;

	return 8 * whole + (int) ((((count + 1) << 3) >> whole) & 7);
}

int
acore_common_quad(const AcCommon *common, const uint8_t *bytes)
{
	uint8_t		whole = common->quads[quad_hash(bytes)];
	int			chained = 0;
	int			i;

	for (i = 0; i < 3; i++)
		chained += eighths(common->pairs[pair_hash(bytes + i)]);
	for (i = 1; i < 3; i++)
		chained -= eighths(common->bytes[bytes[i]]);
	/* in the sample's terms of whole windows, as many as it has bytes */
	chained += 8;
	if (whole > 0 && chained < eighths(whole) + WHOLE)
		chained = eighths(whole) + WHOLE;
	return chained;
}
