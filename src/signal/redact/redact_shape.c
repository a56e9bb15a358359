/* SPDX-License-Identifier: Apache-2.0 */
#include "signal/redact/redact_shape.h"

#include "base/text.h"
#include "signal/redact/redact_random.h"

#include <ctype.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define UPPER  "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define LOWER  "abcdefghijklmnopqrstuvwxyz"
#define DIGITS "0123456789"
#define WINDOW 256 /* bytes of a token by which it is judged */

/* Documented by those who give them out; the lengths are the shortest seen. */
struct shape {
	const char *prefix;
	const char *bytes;  /* what follows it */
	size_t least, most; /* how many; most 0: any */
	bool scattered;     /* what follows must look drawn at random: words do not count */
};

/* Sorted by their first byte. */
static const struct shape shapes[] = {
	{ "AKIA", UPPER DIGITS, 16, 16, false },
	{ "ASIA", UPPER DIGITS, 16, 16, false },
	{ "AIza", UPPER LOWER DIGITS "_-", 35, 35, false },
	{ "ATATT3", UPPER LOWER DIGITS "_=-", 60, 0, false },
	{ "AGE-SECRET-KEY-1", UPPER DIGITS, 50, 0, false },
	{ "GOCSPX-", UPPER LOWER DIGITS "_-", 24, 0, true },
	{ "SG.", UPPER LOWER DIGITS "_-.", 60, 0, true },
	{ "dckr_pat_", UPPER LOWER DIGITS "_-", 20, 0, false },
	{ "dop_v1_", LOWER DIGITS, 64, 64, false },
	{ "doo_v1_", LOWER DIGITS, 64, 64, false },
	{ "dapi", LOWER DIGITS, 32, 32, false },
	{ "eyJ0aWQi", UPPER LOWER DIGITS "+/=_-", 16, 0, false }, /* {"tid": of Tower */
	{ "ghp_", UPPER LOWER DIGITS, 36, 0, false },
	{ "gho_", UPPER LOWER DIGITS, 36, 0, false },
	{ "ghu_", UPPER LOWER DIGITS, 36, 0, false },
	{ "ghs_", UPPER LOWER DIGITS, 36, 0, false },
	{ "ghr_", UPPER LOWER DIGITS, 36, 0, false },
	{ "github_pat_", UPPER LOWER DIGITS "_", 22, 0, false },
	{ "glpat-", UPPER LOWER DIGITS "_-", 20, 0, false },
	{ "gldt-", UPPER LOWER DIGITS "_-", 20, 0, false },
	{ "glsa_", UPPER LOWER DIGITS "_", 32, 0, false },
	{ "glc_", UPPER LOWER DIGITS "+/=", 32, 0, true },
	{ "glrt-", UPPER LOWER DIGITS "_-", 20, 0, false },
	{ "glptt-", LOWER DIGITS, 40, 0, false },
	{ "hf_", UPPER LOWER DIGITS, 30, 0, true },
	{ "hvs.", UPPER LOWER DIGITS "_-", 24, 0, false },
	{ "hvb.", UPPER LOWER DIGITS "_-", 24, 0, false },
	{ "lin_api_", UPPER LOWER DIGITS, 32, 0, false },
	{ "npm_", UPPER LOWER DIGITS, 36, 0, false },
	{ "pypi-", UPPER LOWER DIGITS "_-", 50, 0, true },
	{ "pul-", LOWER DIGITS, 40, 40, false },
	{ "rk_live_", UPPER LOWER DIGITS, 16, 0, false },
	{ "rubygems_", LOWER DIGITS, 48, 48, false },
	{ "r8_", UPPER LOWER DIGITS, 37, 0, true },
	{ "sk_live_", UPPER LOWER DIGITS, 16, 0, false },
	{ "sk-", UPPER LOWER DIGITS "_-", 20, 0, true },
	{ "shpat_", UPPER LOWER DIGITS, 32, 0, false },
	{ "sntrys_", UPPER LOWER DIGITS "+/=_-", 16, 0, false },
	{ "sbp_", LOWER DIGITS, 40, 40, false },
	{ "tskey-", UPPER LOWER DIGITS "-", 20, 0, false },
	{ "xoxa-", UPPER LOWER DIGITS "-", 10, 0, false },
	{ "xoxb-", UPPER LOWER DIGITS "-", 10, 0, false },
	{ "xoxe-", UPPER LOWER DIGITS "-", 10, 0, false },
	{ "xoxo-", UPPER LOWER DIGITS "-", 10, 0, false },
	{ "xoxp-", UPPER LOWER DIGITS "-", 10, 0, false },
	{ "xoxr-", UPPER LOWER DIGITS "-", 10, 0, false },
	{ "xoxs-", UPPER LOWER DIGITS "-", 10, 0, false },
	{ "ya29.", UPPER LOWER DIGITS "_-", 20, 0, true },
};

/* Bytes from text on that are among `bytes`. */
static size_t run_of(const char *text, size_t len, const char *bytes)
{
	size_t run = 0;

	while (run < len && text[run] && strchr(bytes, text[run]))
		run++;
	return run;
}

/* Is it the middle of a word? What joins words ("deploy-glpat-…") begins another. */
static bool follows(const char *text, size_t at, const char *bytes)
{
	return at && isalnum((unsigned char)text[at - 1]) && strchr(bytes, text[at - 1]);
}

static size_t match_shape(const struct shape *shape, const char *text, size_t len, size_t at)
{
	size_t prefix, run, window;

	if (text[at] != shape->prefix[0])
		return 0;
	prefix = strlen(shape->prefix);
	if (len - at < prefix || memcmp(text + at, shape->prefix, prefix) != 0 ||
	    follows(text, at, shape->bytes))
		return 0;
	window = len - at - prefix < WINDOW ? len - at - prefix : WINDOW;
	run = run_of(text + at + prefix, window, shape->bytes);
	if (run < shape->least || (shape->most && run > shape->most))
		return 0;
	if (shape->scattered && !redact_random_base64(text + at + prefix, run))
		return 0;
	prefix += run;
	return prefix +
	       (run == WINDOW ? run_of(text + at + prefix, len - at - prefix, shape->bytes) : 0);
}

/* Three parts between dots, the first a JSON object in base 64 (RFC 7519). */
static size_t match_jwt(const char *text, size_t len, size_t at)
{
	static const char bytes[] = UPPER LOWER DIGITS "_-";
	size_t end = at;

	if (len - at < 3 || memcmp(text + at, "eyJ", 3) != 0 || follows(text, at, bytes))
		return 0;
	for (int part = 0; part < 3; part++) {
		size_t run = run_of(text + end, len - end, bytes);

		if (run < 4)
			return 0;
		end += run;
		if (part < 2 && (end == len || text[end++] != '.'))
			return 0;
	}
	return end - at;
}

static bool is_base64(char byte)
{
	return text_is_alnum(byte) || byte == '/' || byte == '+';
}

static bool goes_on(char byte)
{
	return byte == '_' || byte == '.' || byte == '-';
}

/* Keys of a known length in base 64 and nothing more: of AWS (40 bytes; a SHA-1 in hex has no upper
 * case, a path and a sequence of bases are not random), of Azure's storage (86 and "=="). */
static size_t match_base64(const char *text, size_t len, size_t at)
{
	size_t run = 0;

	if (len - at < 40 || (at && (is_base64(text[at - 1]) || goes_on(text[at - 1]))))
		return 0;
	while (run <= 86 && at + run < len && is_base64(text[at + run]))
		run++;
	if (run == 86 && len - at >= 88 && !memcmp(text + at + 86, "==", 2))
		return redact_random_base64(text + at, 86) ? 88 : 0;
	if (run != 40 || (len - at > 40 && (goes_on(text[at + 40]) || text[at + 40] == '=')))
		return 0;
	return redact_random_base64(text + at, 40) ? 40 : 0;
}

/* From "-----BEGIN … PRIVATE KEY-----" to behind "-----END …-----", or to the end of the text. */
static size_t match_pem(const char *text, size_t len, size_t at)
{
	static const char begin[] = "-----BEGIN ", private[] = "PRIVATE KEY", end[] = "-----END ";
	size_t label = at + sizeof(begin) - 1;
	size_t window = len - at < 64 ? len - at : 64;
	const char *tail;

	if (len - at < sizeof(begin) || memcmp(text + at, begin, sizeof(begin) - 1) != 0 ||
	    !memmem(text + at, window, private, sizeof(private) - 1))
		return 0;
	tail = memmem(text + label, len - label, end, sizeof(end) - 1);
	if (!tail)
		return len - at;
	tail += sizeof(end) - 1;
	tail = memmem(tail, (size_t)(text + len - tail), "-----", 5);
	return tail ? (size_t)(tail + 5 - (text + at)) : len - at;
}

/* The first two bytes of all of them: most words begin otherwise, and this is asked at every word
 * of every command line. */
static uint64_t pairs[UCHAR_MAX + 1][(UCHAR_MAX + 1) / 64];
static pthread_once_t pairs_learned = PTHREAD_ONCE_INIT;

static void learn(const char *prefix)
{
	unsigned char first = (unsigned char)prefix[0], second = (unsigned char)prefix[1];

	pairs[first][second / 64] |= UINT64_C(1) << second % 64;
}

static void learn_pairs(void)
{
	for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++)
		learn(shapes[i].prefix);
	learn("--"); /* PEM */
	learn("ey"); /* JWT */
}

static bool may_begin_shape(const char *text, size_t len)
{
	unsigned char first = (unsigned char)text[0], second;

	if (len < 2)
		return false;
	second = (unsigned char)text[1];
	pthread_once(&pairs_learned, learn_pairs);
	return pairs[first][second / 64] >> second % 64 & 1;
}

size_t redact_shape(const char *text, size_t len, size_t at)
{
	size_t found = 0;

	if (may_begin_shape(text + at, len - at)) {
		found = match_pem(text, len, at);
		for (size_t i = 0; !found && i < sizeof(shapes) / sizeof(*shapes) &&
				   shapes[i].prefix[0] <= text[at];
		     i++)
			found = match_shape(&shapes[i], text, len, at);
		if (!found)
			found = match_jwt(text, len, at);
	}
	return found ? found : match_base64(text, len, at);
}
