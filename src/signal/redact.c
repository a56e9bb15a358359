#include "signal/redact.h"

#include "base/text.h"
#include "signal/redact_name.h"
#include "signal/redact_option.h"
#include "signal/redact_shape.h"
#include "signal/redact_shell.h"

#include <ctype.h>
#include <string.h>

#define NAME_LIMIT     128 /* bytes of a name; longer ones name nothing */
#define USERINFO_LIMIT 1024
#define SPACE_LIMIT    4 /* spaces around '=' and behind ':' */
/* A place where a name gives a value: text[value, end) is to be masked. */
struct place {
	size_t value, end;
};

static bool is_name_byte(char byte)
{
	return isalnum((unsigned char)byte) || byte == '_' || byte == '-' || byte == '.';
}

static bool is_quote(char byte)
{
	return byte == '"' || byte == '\'' || byte == '`';
}

/* "--user", "-u": not a value, even behind an option that takes one. */
static bool is_option(const char *arg, size_t len)
{
	return len >= 2 && arg[0] == '-' && (arg[1] == '-' || len == 2);
}

static size_t skip_spaces(const char *text, size_t len, size_t at)
{
	size_t end = at + SPACE_LIMIT < len ? at + SPACE_LIMIT : len;

	while (at < end && (text[at] == ' ' || text[at] == '\t'))
		at++;
	return at;
}

/* Behind a quote at `at`, which may be escaped (JSON within a quoted script), or at itself. */
static size_t skip_quote(const char *text, size_t len, size_t at)
{
	if (at + 1 < len && text[at] == '\\' && is_quote(text[at + 1]))
		return at + 2;
	return at < len && is_quote(text[at]) ? at + 1 : at;
}

/* Up to the quote that closes the one before `at`, or the text's end. */
static size_t quoted_end(const char *text, size_t len, size_t at)
{
	char quote = text[at - 1];
	size_t end = at;

	while (end < len && text[end] != quote)
		end++;
	return end > at && end < len && text[end - 1] == '\\' ? end - 1 : end;
}

static size_t word_end(const char *text, size_t len, size_t at)
{
	if (len - at > 2 && text[at] == '$' && text[at + 1] == '{') { /* one word, to its '}' */
		at += strcspn(text + at, "} ");
		at += text[at] == '}';
	}
	while (at < len && !isspace((unsigned char)text[at]) && !strchr("&;,\"'`)}]|<>", text[at]))
		at++;
	return at;
}

/* The end of a shell's word: a password may hold commas and brackets. */
static size_t shell_word_end(const char *text, size_t len, size_t at)
{
	while (at < len && !isspace((unsigned char)text[at]) && !strchr("&;|<>()`", text[at]))
		at++;
	return at;
}

static size_t line_end(const char *text, size_t len, size_t at)
{
	while (at < len && text[at] != '\n' && !is_quote(text[at]))
		at++;
	return at;
}

/* "Bearer ", "Basic " …: the scheme of RFC 9110's Authorization stays, its credentials go. */
static size_t skip_scheme(const char *text, size_t len, size_t at)
{
	static const char *const schemes[] = { "Bearer ", "Basic ",  "Token ",
					       "Digest ", "ApiKey ", "AWS4-HMAC-SHA256 " };

	for (size_t i = 0; i < sizeof(schemes) / sizeof(*schemes); i++) {
		size_t scheme = strlen(schemes[i]);

		if (len - at > scheme && !strncasecmp(text + at, schemes[i], scheme))
			return skip_spaces(text, len, at + scheme);
	}
	return at;
}

/* Behind "=", " = ", ": ", ":'" and the like at `at`, or 0: no value is given. *is_header tells a
 * colon. */
static size_t skip_separator(const char *text, size_t len, size_t at, bool *is_header)
{
	size_t sign = skip_spaces(text, len, at), behind = sign + 1;

	*is_header = sign < len && text[sign] == ':';
	if (behind >= len)
		return 0;
	/* "a == b" and "a =~ b" compare; "image:tag" and "chr1:100" are one thing. */
	if (text[sign] == '=' && text[behind] != '=' && text[behind] != '~')
		return sign == at ? behind : skip_spaces(text, len, behind);
	if (*is_header && (text[behind] == ' ' || skip_quote(text, len, behind) != behind))
		return skip_spaces(text, len, behind);
	return 0;
}

/* A value that is given behind a sign: NAME=VALUE, "name": "value", Name: value. */
static bool find_assigned(const char *text, size_t len, size_t at, size_t name_end, bool whole,
			  struct place *ret)
{
	bool is_header;
	size_t behind = skip_quote(text, len, name_end), value;

	value = skip_separator(text, len, behind, &is_header);
	if (!value)
		return false;
	ret->value = skip_quote(text, len, value);
	if (ret->value != value) {
		ret->value = skip_scheme(text, len, ret->value);
		ret->end = quoted_end(text, len, skip_quote(text, len, value));
	} else if (is_header) {
		ret->value = skip_scheme(text, len, value);
		ret->end = line_end(text, len, ret->value);
	} else {
		/* An argument that is one assignment is masked to its end: a password may hold
		 * anything. */
		if (at == 0 && whole)
			ret->end = len;
		else if (at == 0 || isspace((unsigned char)text[at - 1]))
			ret->end = shell_word_end(text, len, value);
		else
			ret->end = word_end(text, len, value);
	}
	return ret->end > ret->value;
}

/* A value that is the next word: "--password VALUE" within a script. */
static bool find_next(const char *text, size_t len, size_t at, size_t name_end, struct place *ret)
{
	size_t word = skip_spaces(text, len, name_end);

	if (text[at] != '-' || word == name_end || word == len)
		return false;
	ret->value = skip_quote(text, len, word);
	if (ret->value != word)
		ret->end = quoted_end(text, len, ret->value);
	else
		ret->end = word_end(text, len, word);
	return ret->end > ret->value && !is_option(text + ret->value, ret->end - ret->value);
}

/* "sig" is a secret in a signed URL (Azure), and a file format elsewhere. */
static bool is_signature(const char *text, size_t at, size_t name_len)
{
	return at && (text[at - 1] == '&' || text[at - 1] == '?') && name_len == 3 &&
	       !strncmp(text + at, "sig", 3);
}

static bool find_named(const char *text, size_t len, size_t at, bool whole, struct place *ret)
{
	size_t end = at;
	unsigned kind;

	if (at && is_name_byte(text[at - 1]))
		return false;
	while (end < len && end - at <= NAME_LIMIT && is_name_byte(text[end]))
		end++;
	if (end == at || end - at > NAME_LIMIT || end == len || !strchr("= \t:\"'`\\", text[end]))
		return false;
	/* The name is judged first: looking for the value's end may take a while. */
	kind = is_signature(text, at, end - at) ? 1 : redact_name_kind(text + at, end - at);
	if (!kind ||
	    (!find_assigned(text, len, at, end, whole, ret) && !find_next(text, len, at, end, ret)))
		return false;
	return redact_name_hides(kind, text + ret->value, ret->end - ret->value);
}

/* The scheme before "://" ends in "ssh" or "sftp": a user alone is no secret there. */
static bool is_ssh(const char *text, size_t at)
{
	return (at >= 3 && !strncmp(text + at - 3, "ssh", 3)) ||
	       (at >= 4 && !strncmp(text + at - 4, "sftp", 4));
}

/* Where the userinfo of a URL ends that begins at `at`: at its '@', or `at`: it has none. A
 * password with an unescaped '/' is seen by its colon, behind which no port stands. */
static size_t userinfo_end(const char *text, size_t len, size_t at)
{
	size_t end = at, found = at;
	bool colon = false, port = true, in_path = false;

	if (len > at + USERINFO_LIMIT)
		len = at + USERINFO_LIMIT;
	for (; end < len && !isspace((unsigned char)text[end]) && !is_quote(text[end]); end++) {
		if (strchr("/?#", text[end])) {
			if (found != at || !colon || port)
				break;
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

static bool find_userinfo(const char *text, size_t len, size_t at, struct place *ret)
{
	size_t value = at + 3, end;

	if (len - at < 4 || memcmp(text + at, "://", 3) != 0 || text[value] == '[')
		return false;
	end = userinfo_end(text, len, value);
	if (end == value || (is_ssh(text, at) && !memchr(text + value, ':', end - value)))
		return false;
	*ret = (struct place){ .value = value, .end = end };
	return true;
}

/* "Bearer " and what cannot be a word. */
static bool find_bearer(const char *text, size_t len, size_t at, struct place *ret)
{
	size_t value = at + 7, end;

	if ((text[at] != 'B' && text[at] != 'b') || len - at < 15 ||
	    strncasecmp(text + at, "Bearer ", 7) != 0 || (at && is_name_byte(text[at - 1])))
		return false;
	end = word_end(text, len, value);
	*ret = (struct place){ .value = value, .end = end };
	return end - value >= 16;
}

static bool find_shape(const char *text, size_t len, size_t at, struct place *ret)
{
	size_t bytes = redact_shape(text, len, at);

	*ret = (struct place){ .value = at, .end = at + bytes };
	return bytes > 0;
}

/* The next place behind `at` where something may begin: not within a word. */
static size_t next_start(const char *text, size_t len, size_t at)
{
	bool in_word = isalnum((unsigned char)text[at]);

	for (at++; in_word && at < len && isalnum((unsigned char)text[at]);)
		at++;
	return at;
}

/* Appends text, masked. whole: it is a whole argument. shell: its commands, or NULL. */
static bool mask(const char *text, size_t len, bool whole, struct redact_shell *shell,
		 struct buffer *out)
{
	size_t before = out->len;
	struct place place;

	for (size_t at = 0; at < len;) {
		while (shell && shell->end <= at && redact_shell_next(shell))
			;
		if (shell && shell->value <= at && at < shell->end) {
			if (shell->value == at)
				buffer_append_text(out, REDACT_MASK);
			at = shell->end;
		} else if (find_shape(text, len, at, &place) ||
			   find_userinfo(text, len, at, &place) ||
			   find_named(text, len, at, whole, &place) ||
			   find_bearer(text, len, at, &place)) {
			buffer_append(out, text + at, place.value - at);
			buffer_append_text(out, REDACT_MASK);
			at = place.end;
		} else {
			size_t next = next_start(text, len, at);

			if (shell && shell->value > at && shell->value < next)
				next = shell->value;
			buffer_append(out, text + at, next - at);
			at = next;
		}
	}
	return out->failed || out->len - before != len ||
	       memcmp(out->data + before, text, len) != 0;
}

bool redact_text(const char *text, struct buffer *out)
{
	return mask(text, strlen(text), false, NULL, out);
}

/* Is args[at] as a whole the value of the option before it? */
static bool is_value(const char *const *args, size_t at)
{
	const char *option = at ? args[at - 1] : "";
	size_t len = strlen(args[at]), option_len = strlen(option);
	const struct redact_option *known;

	if (option[0] != '-' || !len || is_option(args[at], len))
		return false;
	known = redact_option(args, at - 1);
	if (known && known->where & REDACT_NEXT && !strcmp(option, known->option))
		return true;
	for (size_t i = 0; i < option_len; i++) {
		if (!is_name_byte(option[i]))
			return false;
	}
	return redact_name_hides(redact_name_kind(option, option_len), args[at], len);
}

/* Bytes of args[at] that are an option with its value attached ("-pSECRET"), or 0. */
static size_t attached_option(const char *const *args, size_t at)
{
	const struct redact_option *known = args[at][0] == '-' ? redact_option(args, at) : NULL;
	size_t len = known && known->where & REDACT_ATTACHED ? strlen(known->option) : 0;

	return len && args[at][len] ? len : 0;
}

static bool mask_arg(const char *const *args, size_t at, struct buffer *out)
{
	struct redact_shell shell = { .text = args[at] };
	bool is_script = redact_shell_runs(args, at);

	return mask(args[at], strlen(args[at]), !is_script, is_script ? &shell : NULL, out);
}

size_t redact_argv(const char *const *args, size_t count, struct buffer *out)
{
	size_t changed = 0;

	for (size_t i = 0; i < count; i++) {
		size_t attached = attached_option(args, i);

		if (is_value(args, i) || attached) {
			buffer_append(out, args[i], attached);
			buffer_append_text(out, REDACT_MASK);
			changed += strcmp(args[i] + attached, REDACT_MASK) != 0;
		} else {
			changed += mask_arg(args, i, out);
		}
		buffer_append_char(out, '\0');
	}
	return changed;
}
