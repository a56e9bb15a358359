/* SPDX-License-Identifier: Apache-2.0 */
#include "signal/redact/redact_url.h"

#include "signal/redact/redact_random.h"
#include "signal/redact/redact_value.h"

#include <ctype.h>
#include <string.h>

#define USERINFO_LIMIT 4096 /* a token may be long */
#define SLASHED_LIMIT  128  /* of it behind a '/' in a password */
#define WINDOW         256  /* bytes looked at before a place */
#define BLANKS         " \t\n\"'`"

/* conda's: "/t/TOKEN/" in a channel's URL, "xy-" and a UUID, or letters and digits. A title
 * ("/t/how-to-run-10-samples/") is none. */
static bool is_channels(const char *text, size_t at, size_t len)
{
	size_t window = at < WINDOW ? at : WINDOW, digits = 0;

	if (!memmem(text + at - window, window, "://", 3))
		return false;
	if (len > 3 && text[at + 2] == '-')
		return redact_random_key(text + at + 3, len - 3);
	for (size_t i = 0; i < len; i++) {
		if (!isalnum((unsigned char)text[at + i]))
			return false;
		digits += isdigit((unsigned char)text[at + i]) != 0;
	}
	return digits && digits < len;
}

/* "scott/tiger", before the '@'. */
static bool is_login(const char *text, size_t at, size_t len)
{
	return memchr(text + at, '/', len) && text[at + len] == '@';
}

/* The text before a token in a path, the token's least length, and the text that ends it. Slack,
 * Discord and Telegram call these URLs secrets; conda masks its own in the same way. */
static const struct token {
	const char *before;
	size_t least;
	const char *ends;
	bool (*is)(const char *text, size_t at, size_t len); /* NULL: whatever it is */
} tokens[] = {
	{ "hooks.slack.com/services/", 20, BLANKS, NULL },
	{ "discord.com/api/webhooks/", 20, BLANKS "?", NULL },
	{ "discordapp.com/api/webhooks/", 20, BLANKS "?", NULL },
	{ "api.telegram.org/bot", 20, BLANKS "/", NULL },
	{ "/t/", 20, BLANKS "/", is_channels },
	{ "jdbc:oracle:thin:", 3, BLANKS "@", is_login },
};

/* The scheme before "://" ends in "ssh" or "sftp": a user alone is no secret there. */
static bool is_ssh(const char *text, size_t at)
{
	return (at >= 3 && !strncmp(text + at - 3, "ssh", 3)) ||
	       (at >= 4 && !strncmp(text + at - 4, "sftp", 4));
}

/* Where the userinfo of a URL ends that begins at `at`: at its '@', or `at`: it has none. A
 * password with an unescaped '/' is seen by its colon, which no port follows. */
static size_t userinfo_end(const char *text, size_t len, size_t at)
{
	size_t end = at, found = at;
	bool colon = false, port = true, in_path = false;

	if (len > at + USERINFO_LIMIT)
		len = at + USERINFO_LIMIT;
	for (; end < len && !isspace((unsigned char)text[end]) && !redact_is_quote(text[end]);
	     end++) {
		if (strchr("/?#", text[end])) {
			if (found != at || !colon || port)
				break;
			if (!in_path && len > end + SLASHED_LIMIT)
				len = end + SLASHED_LIMIT;
			in_path = true;
		}
		if (text[end] == '@')
			found = end;
		else if (text[end] == ':' && !colon)
			colon = true;
		else if (colon && !in_path && !isdigit((unsigned char)text[end]))
			port = false;
	}
	return found;
}

static bool find_userinfo(const char *text, size_t len, size_t at, struct redact_place *ret)
{
	size_t value = at + 3, end;
	const char *colon;

	/* A path has lost one of the slashes. */
	if (len - at >= 3 && !memcmp(text + at, ":/", 2) && text[at + 2] != '/')
		value = at + 2;
	else if (len - at < 4 || memcmp(text + at, "://", 3) != 0)
		return false;
	end = text[value] == '[' ? value : userinfo_end(text, len, value);
	if (end == value)
		return false;
	*ret = (struct redact_place){ .value = value, .end = end };
	colon = memchr(text + value, ':', end - value);
	if (!colon)
		return !is_ssh(text, at) && !redact_value_is_user(text + value, end - value);
	return !redact_value_refers(colon + 1, (size_t)(text + end - colon - 1));
}

static bool find_token(const char *text, size_t len, size_t at, struct redact_place *ret)
{
	for (size_t i = 0; i < sizeof(tokens) / sizeof(*tokens); i++) {
		size_t before;

		if (text[at] != tokens[i].before[0])
			continue;
		before = strlen(tokens[i].before);
		if (len - at <= before || memcmp(text + at, tokens[i].before, before) != 0)
			continue;
		ret->value = at + before;
		ret->end = ret->value;
		while (ret->end < len && !strchr(tokens[i].ends, text[ret->end]))
			ret->end++;
		return ret->end - ret->value >= tokens[i].least &&
		       (!tokens[i].is || tokens[i].is(text, ret->value, ret->end - ret->value));
	}
	return false;
}

bool redact_url(const struct redact_text *text, size_t at, struct redact_place *ret)
{
	return find_userinfo(text->bytes, text->len, at, ret) ||
	       find_token(text->bytes, text->len, at, ret);
}
