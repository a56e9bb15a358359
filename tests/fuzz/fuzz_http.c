/* SPDX-License-Identifier: Apache-2.0 */
/* A hostile HTTP response, and a hostile URL. The first byte is the size of the pieces in which the
 * response arrives: whole or in pieces, the result must be the same. */
#include "fuzz.h"

#include <string.h>

#include "base/http/http_parser.h"
#include "base/http/http_url.h"

#define LIMIT 4096

static int feed(struct http_parser *parser, const uint8_t *bytes, size_t len, size_t step)
{
	struct error words = { "" };
	int rc = 0;
	http_parser_init(parser, LIMIT, false);
	for (size_t at = 0; at < len && rc == 0;) {
		size_t used = 0, piece = step < len - at ? step : len - at;
		rc = http_parser_feed(parser, (const char *)bytes + at, piece, &used, &words);
		MUST(rc < 0 || used <= piece);
		MUST(rc != 0 || used == piece);
		at += used;
	}
	if (rc == 0)
		rc = http_parser_end(parser, &words);
	MUST(rc > 0 || words.text[0] != '\0');
	MUST(parser->body.len <= LIMIT);
	return rc;
}

static void parse_url(const uint8_t *bytes, size_t len)
{
	struct http_url url;
	struct error words = { "" };
	char *text = strndup((const char *)bytes, len);
	MUST(text);
	int rc = http_url_parse(text, &url, &words);
	MUST(rc == 0 || words.text[0] != '\0');
	MUST(rc != 0 || (url.host[0] != '\0' && url.port > 0 && http_text_is_plain(url.path)));
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct http_parser whole, pieces;
	if (len == 0)
		return 0;
	int rc = feed(&whole, bytes + 1, len - 1, len);
	int again = feed(&pieces, bytes + 1, len - 1, 1 + bytes[0] % 32);
	MUST(rc == again);
	if (rc == 1) {
		MUST(whole.status == pieces.status && whole.keep_alive == pieces.keep_alive);
		MUST(whole.body.len == pieces.body.len);
		MUST(memcmp(whole.body.data, pieces.body.data, whole.body.len) == 0);
	}
	http_parser_clear(&whole);
	http_parser_clear(&pieces);
	parse_url(bytes + 1, len - 1);
	return 0;
}
