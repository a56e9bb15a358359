#include "signal/redact_shape.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#define UPPER  "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define LOWER  "abcdefghijklmnopqrstuvwxyz"
#define DIGITS "0123456789"

/* Documented by GitHub, GitLab, Slack, Stripe, Google, npm …; the lengths are the shortest seen. */
struct shape {
	const char *prefix;
	const char *bytes;  /* what follows it */
	size_t least, most; /* how many; most 0: any */
	bool scattered;     /* what follows must look drawn at random: words do not count */
};

static const struct shape shapes[] = {
	{ "AKIA", UPPER DIGITS, 16, 16, false },
	{ "ASIA", UPPER DIGITS, 16, 16, false },
	{ "ghp_", UPPER LOWER DIGITS, 36, 0, false },
	{ "gho_", UPPER LOWER DIGITS, 36, 0, false },
	{ "ghu_", UPPER LOWER DIGITS, 36, 0, false },
	{ "ghs_", UPPER LOWER DIGITS, 36, 0, false },
	{ "ghr_", UPPER LOWER DIGITS, 36, 0, false },
	{ "github_pat_", UPPER LOWER DIGITS "_", 22, 0, false },
	{ "glpat-", UPPER LOWER DIGITS "_-", 20, 0, false },
	{ "gldt-", UPPER LOWER DIGITS "_-", 20, 0, false },
	{ "xoxa-", UPPER LOWER DIGITS "-", 10, 0, false },
	{ "xoxb-", UPPER LOWER DIGITS "-", 10, 0, false },
	{ "xoxe-", UPPER LOWER DIGITS "-", 10, 0, false },
	{ "xoxo-", UPPER LOWER DIGITS "-", 10, 0, false },
	{ "xoxp-", UPPER LOWER DIGITS "-", 10, 0, false },
	{ "xoxr-", UPPER LOWER DIGITS "-", 10, 0, false },
	{ "xoxs-", UPPER LOWER DIGITS "-", 10, 0, false },
	{ "AIza", UPPER LOWER DIGITS "_-", 35, 35, false },
	{ "ya29.", UPPER LOWER DIGITS "_-", 20, 0, true },
	{ "GOCSPX-", UPPER LOWER DIGITS "_-", 24, 0, true },
	{ "npm_", UPPER LOWER DIGITS, 36, 0, false },
	{ "pypi-", UPPER LOWER DIGITS "_-", 50, 0, true },
	{ "hf_", UPPER LOWER DIGITS, 30, 0, true },
	{ "sk_live_", UPPER LOWER DIGITS, 16, 0, false },
	{ "rk_live_", UPPER LOWER DIGITS, 16, 0, false },
	{ "sk-", UPPER LOWER DIGITS "_-", 20, 0, true },
};

enum class { LOWER_CASE, UPPER_CASE, DIGIT, SEPARATOR };

static enum class class_of(char byte) {
	if (islower((unsigned char)byte)) return LOWER_CASE;
	if (isupper((unsigned char)byte)) return UPPER_CASE;
	return isdigit((unsigned char)byte) ? DIGIT : SEPARATOR;
}

/* Words, numbers and sample names stay in one class for a while; random base 64 changes between
 * lower case, upper case and digits at six of ten bytes. One in four, with both cases, is asked
 * for. What separates words ('/', '-', '_') changes nothing, and many '/' make a path. */
static bool is_scattered(const char *text, size_t len)
{
	size_t changes = 0, upper = 0, lower = 0, slashes = 0;

	for (size_t i = 0; i < len; i++) {
		enum class class = class_of(text[i]), before = class_of(text[i ? i - 1 : 0]);

		changes += class != before && class != SEPARATOR && before != SEPARATOR;
		upper += class == UPPER_CASE;
		lower += class == LOWER_CASE;
		slashes += text[i] == '/';
	}
	return 4 * changes >= len && upper >= 3 && lower >= 3 && slashes <= 3;
}

/* Bytes from text on that are among `bytes`. */
static size_t run_of(const char *text, size_t len, const char *bytes)
{
	size_t run = 0;

	while (run < len && text[run] && strchr(bytes, text[run]))
		run++;
	return run;
}

static bool follows(const char *text, size_t at, const char *bytes)
{
	return at && text[at - 1] && strchr(bytes, text[at - 1]);
}

static size_t match_shape(const struct shape *shape, const char *text, size_t len, size_t at)
{
	size_t prefix, run;

	if (text[at] != shape->prefix[0])
		return 0;
	prefix = strlen(shape->prefix);
	if (len - at < prefix || memcmp(text + at, shape->prefix, prefix) != 0 ||
	    follows(text, at, shape->bytes))
		return 0;
	run = run_of(text + at + prefix, len - at - prefix, shape->bytes);
	if (run < shape->least || (shape->most && run > shape->most))
		return 0;
	if (shape->scattered && !is_scattered(text + at + prefix, run))
		return 0;
	return prefix + run;
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
	return isalnum((unsigned char)byte) || byte == '/' || byte == '+';
}

/* An AWS secret key is 40 bytes of base 64 and nothing more: a SHA-1 in hex has no upper case, a
 * path and a sequence of bases are not scattered. */
static size_t match_aws_secret(const char *text, size_t len, size_t at)
{
	size_t run = 0;

	if (at && (is_base64(text[at - 1]) || strchr("_.-", text[at - 1])))
		return 0;
	while (run <= 40 && at + run < len && is_base64(text[at + run]))
		run++;
	if (run != 40 || (len - at > 40 && strchr("_.-=", text[at + 40])))
		return 0;
	return is_scattered(text + at, 40) ? 40 : 0;
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

/* Most bytes begin none: this is asked at every word of every command line. */
static bool may_begin_shape(char byte)
{
	switch (byte) {
	case '-': /* PEM */
	case 'e': /* JWT */
	case 'A':
	case 'G':
	case 'g':
	case 'h':
	case 'n':
	case 'p':
	case 'r':
	case 's':
	case 'x':
	case 'y':
		return true;
	default:
		return false;
	}
}

size_t redact_shape(const char *text, size_t len, size_t at)
{
	size_t found = 0;

	if (may_begin_shape(text[at])) {
		found = match_pem(text, len, at);
		for (size_t i = 0; !found && i < sizeof(shapes) / sizeof(*shapes); i++)
			found = match_shape(&shapes[i], text, len, at);
		if (!found)
			found = match_jwt(text, len, at);
	}
	return found ? found : match_aws_secret(text, len, at);
}
