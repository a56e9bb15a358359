/* SPDX-License-Identifier: Apache-2.0 */
#include "signal/redact/redact_named.h"

#include "signal/redact/redact_name.h"
#include "signal/redact/redact_value.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define NAME_LIMIT  128 /* bytes of a name; longer ones name nothing */
#define PAIR_LIMIT  64  /* bytes before a name that show what it is */
#define KEY_LIMIT   128 /* and of one that is a key if it is random */
#define VALUE_LIMIT 512 /* bytes of a value by which it is judged */

#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))

/* Names that say so only behind some bytes: in a signed URL, in a connection string; elsewhere
 * "sig" is a file format and "pwd" a folder. */
static const struct {
	const char *before, *name;
	unsigned kind;
} names_behind[] = {
	{ "?&", "sig", REDACT_SECRET },   { "?&", "signature", REDACT_SECRET },
	{ "?&", "authz", REDACT_SECRET }, { "?&", "code", REDACT_IF_RANDOM },
	{ ";", "pwd", REDACT_SECRET },
};

/* The last word in quotes before `at`, not far away: of {"name": "DB_PASSWORD", "value": "x"} the
 * name. */
static unsigned kind_before(const char *text, size_t at)
{
	size_t far = at > PAIR_LIMIT ? at - PAIR_LIMIT : 0, end = at, begin;

	while (end > far && strchr(" \t\n,:\\\"'", text[end - 1]))
		end--;
	for (begin = end; begin > far && redact_is_name_byte(text[begin - 1]);)
		begin--;
	return redact_name_kind(text + begin, end - begin);
}

/* "?u=me&p=" */
static bool is_users_p(const char *text, size_t at)
{
	size_t far = at > PAIR_LIMIT ? at - PAIR_LIMIT : 0, begin = at - 1;

	while (begin > far && !strchr("?&", text[begin - 1]))
		begin--;
	return begin > far && !strncmp(text + begin, "u=", 2);
}

static unsigned kind_of(const char *text, size_t at, size_t len)
{
	if (len == 5 && !strncasecmp(text + at, "value", len))
		return kind_before(text, at);
	if (len == 1 && text[at] == 'p' && at && text[at - 1] == '&' && is_users_p(text, at))
		return REDACT_SECRET;
	for (size_t i = 0; at && i < COUNT_OF(names_behind); i++) {
		if (strchr(names_behind[i].before, text[at - 1]) &&
		    len == strlen(names_behind[i].name) &&
		    !strncasecmp(text + at, names_behind[i].name, len))
			return names_behind[i].kind;
	}
	return redact_name_kind(text + at, len);
}

/* "Bearer ", "Basic " …: the scheme of RFC 9110's Authorization stays, its credentials go. */
static size_t skip_scheme(const char *text, size_t len, size_t at)
{
	static const char *const schemes[] = { "Bearer ", "Basic ",  "Token ",
					       "Digest ", "ApiKey ", "AWS4-HMAC-SHA256 " };

	for (size_t i = 0; i < COUNT_OF(schemes); i++) {
		size_t scheme = strlen(schemes[i]);

		if (len - at >= scheme && !strncasecmp(text + at, schemes[i], scheme))
			return redact_skip_spaces(text, len, at + scheme);
	}
	return at;
}

/* The text between a name and its value. */
struct sign {
	size_t value;   /* behind it; 0: there is none */
	bool is_header; /* a colon */
	bool is_spaced; /* "a = b": of a language or a file, not of a shell */
};

/* "=", " = ", ": ", ":'"; "a == b" and "a =~ b" compare; "image:tag" and "chr1:100" are one thing,
 * "X-Key:value" is a header. */
static struct sign find_sign(const char *text, size_t len, size_t at, bool is_header_name)
{
	size_t sign = redact_skip_spaces(text, len, at), behind = sign + 1;
	struct sign found = { .is_header = sign < len && text[sign] == ':',
			      .is_spaced = sign != at };

	if (behind >= len)
		return found;
	if (text[sign] == '=' && text[behind] != '=' && text[behind] != '~')
		found.value = sign == at ? behind : redact_skip_spaces(text, len, behind);
	else if (found.is_header && (text[behind] == ' ' || is_header_name ||
				     redact_skip_quote(text, len, behind) != behind))
		found.value = redact_skip_spaces(text, len, behind);
	return found;
}

/* Behind the quote, the bracket and the tag that end a name: ["name"], {name}. */
static size_t skip_closing(const char *text, size_t len, size_t at, char *quote)
{
	size_t behind = redact_skip_quote(text, len, at);

	if (behind > at && text[behind - 1] == *quote)
		*quote = '\0';
	return behind < len && (text[behind] == ']' || text[behind] == '}') ? behind + 1 : behind;
}

/* Of "password=x&user=me" the value ends where another name begins; "?sv=2&sig=x" is one value. */
static size_t form_end(const struct redact_text *text, size_t value)
{
	for (size_t end = value; end < text->len && text->bytes[value] != '?'; end++) {
		size_t name = end + 1;

		if (text->bytes[end] == '=' && name < text->len && !strchr("=&", text->bytes[name]))
			break;
		if (text->bytes[end] != '&')
			continue;
		while (name < text->len && redact_is_name_byte(text->bytes[name]))
			name++;
		if (name > end + 1 && name < text->len && text->bytes[name] == '=')
			return end;
	}
	return text->len;
}

/* A whole argument is masked to its end: a password may hold anything. */
static size_t assigned_end(const struct redact_text *text, size_t at, size_t value)
{
	const char *bytes = text->bytes, *fragment;
	size_t end;

	if (at == 0 && text->whole)
		return bytes[0] == '-' ? text->len : form_end(text, value);
	if (at == 0 || isspace((unsigned char)bytes[at - 1]))
		return redact_shell_word_end(bytes, text->len, value);
	end = redact_word_end(bytes, text->len, value);
	fragment = strchr("?&", bytes[at - 1]) ? memchr(bytes + value, '#', end - value) : NULL;
	return fragment ? (size_t)(fragment - bytes) : end;
}

/* "token = next(lines)", "key = row[0]". */
static bool is_expression(const struct redact_text *text, const struct sign *sign,
			  const struct redact_place *place)
{
	if (text->is_code && (!text->quote || text->bytes[place->value] == '$'))
		return true;
	for (size_t i = place->value; sign->is_spaced && i < place->end; i++) {
		if (text->bytes[i] == '(' || text->bytes[i] == '[')
			return true;
	}
	return false;
}

/* A value that is given behind a sign: NAME=VALUE, "name": "value", Name: value. */
static bool find_assigned(const struct redact_text *text, size_t at, size_t name_end,
			  struct redact_place *ret)
{
	const char *bytes = text->bytes;
	bool is_header_name = (name_end - at > 2 && !strncasecmp(bytes + at, "X-", 2)) ||
			      (text->whole && at == 1 && bytes[0] == '/'); /* "/password:x" */
	char quote = text->quote;
	size_t behind = skip_closing(bytes, text->len, name_end, &quote);
	struct sign sign = find_sign(bytes, text->len, behind, is_header_name);

	if (!sign.value)
		return false;
	ret->value = redact_skip_quote(bytes, text->len, sign.value);
	if (ret->value != sign.value) {
		/* It closes the string that has the name ("Password: "), or a shell runs it. */
		if (bytes[ret->value - 1] == '`' || (quote && bytes[ret->value - 1] == quote))
			return false;
		ret->end = redact_quoted_end(bytes, text->len, ret->value);
		ret->value = skip_scheme(bytes, text->len, ret->value);
		return ret->end > ret->value;
	}
	if (sign.is_header) {
		bool is_json = behind > name_end && redact_is_quote(bytes[behind - 1]);

		ret->value = skip_scheme(bytes, text->len, sign.value);
		ret->end = is_json ? redact_word_end(bytes, text->len, ret->value)
				   : redact_line_end(bytes, text->len, ret->value);
	} else {
		ret->end = assigned_end(text, at, sign.value);
	}
	return ret->end > ret->value && !is_expression(text, &sign, ret);
}

/* A value that is the next word: "--password VALUE" within a script. */
static bool find_next(const struct redact_text *text, size_t at, size_t name_end,
		      struct redact_place *ret)
{
	const char *bytes = text->bytes;
	size_t word = redact_skip_spaces(bytes, text->len, name_end);

	if (bytes[at] != '-' || word == name_end || word == text->len)
		return false;
	ret->value = redact_skip_quote(bytes, text->len, word);
	if (ret->value != word)
		ret->end = redact_quoted_end(bytes, text->len, ret->value);
	else
		ret->end = redact_word_end(bytes, text->len, word);
	return ret->end > ret->value &&
	       !redact_is_option(bytes + ret->value, ret->end - ret->value);
}

/* <name>value< */
static bool find_tagged(const struct redact_text *text, size_t at, size_t name_end,
			struct redact_place *ret)
{
	const char *end;

	if (!at || text->bytes[at - 1] != '<' || text->bytes[name_end] != '>')
		return false;
	ret->value = name_end + 1;
	end = memchr(text->bytes + ret->value, '<', text->len - ret->value);
	ret->end = end ? (size_t)(end - text->bytes) : text->len;
	return ret->end > ret->value;
}

static bool follows(const char *text, size_t at, const char *before)
{
	size_t len = strlen(before);

	return at >= len && !strncasecmp(text + at - len, before, len);
}

/* Behind the account and the sign of PASSWORD FOR 'me'@'%' = "value". */
static size_t behind_account(const struct redact_text *text, size_t at)
{
	size_t window = text->len - at < PAIR_LIMIT ? text->len - at : PAIR_LIMIT;
	const char *sign = memchr(text->bytes + at, '=', window);

	if (!sign)
		return text->len;
	return redact_skip_spaces(text->bytes, text->len, (size_t)(sign + 1 - text->bytes));
}

/* PASSWORD 'value', SECRET 'value', IDENTIFIED BY 'value' of SQL. */
static bool find_sql(const struct redact_text *text, size_t at, size_t name_end,
		     struct redact_place *ret)
{
	const char *bytes = text->bytes;
	bool is_password = (name_end - at == 8 && !strncasecmp(bytes + at, "PASSWORD", 8)) ||
			   (name_end - at == 6 && !strncasecmp(bytes + at, "SECRET", 6));
	bool is_by = name_end - at == 2 && !strncasecmp(bytes + at, "BY", 2) &&
		     (follows(bytes, at, "IDENTIFIED ") || follows(bytes, at, "PASSWORD "));
	size_t quote = redact_skip_spaces(bytes, text->len, name_end);

	if (is_password && text->len - quote > 4 && !strncasecmp(bytes + quote, "FOR ", 4))
		quote = behind_account(text, quote + 4);
	if ((!is_password && !is_by) || quote == name_end || quote >= text->len ||
	    (bytes[quote] != '\'' && bytes[quote] != '"') || text->quote == bytes[quote])
		return false;
	ret->value = quote + 1;
	ret->end = redact_quoted_end(bytes, text->len, ret->value);
	return redact_value_hides(REDACT_SECRET, bytes + ret->value, ret->end - ret->value);
}

static bool find_value(const struct redact_text *text, size_t at, size_t name_end, unsigned kind,
		       struct redact_place *ret)
{
	if (kind && (find_assigned(text, at, name_end, ret) || find_next(text, at, name_end, ret) ||
		     find_tagged(text, at, name_end, ret)))
		return redact_value_hides(kind, text->bytes + ret->value, ret->end - ret->value);
	return find_sql(text, at, name_end, ret);
}

/* Whether a value may follow at all: a sign, the next word, a tag, or SQL's words (by how long they
 * are). Few words have one, and this is asked of each. */
static bool may_have_value(const struct redact_text *text, size_t at, size_t name_end)
{
	const char *bytes = text->bytes;
	size_t len = name_end - at, sign;
	char quote = '\0';

	if (bytes[at] == '-' || bytes[name_end] == '>' || len == 8 || len == 6 || len == 2)
		return true;
	sign = skip_closing(bytes, text->len, name_end, &quote);
	sign = redact_skip_spaces(bytes, text->len, sign);
	return sign < text->len && (bytes[sign] == '=' || bytes[sign] == ':');
}

bool redact_named(const struct redact_text *text, size_t at, struct redact_place *ret)
{
	const char *bytes = text->bytes;
	struct redact_text window = *text;
	size_t end = at, limit;
	unsigned kind;

	if (at && redact_is_name_byte(bytes[at - 1]))
		return false;
	while (end < text->len && end - at <= NAME_LIMIT && redact_is_name_byte(bytes[end]))
		end++;
	if (end == at || end - at > NAME_LIMIT || end == text->len ||
	    !strchr("= \t:\"'`\\]}>", bytes[end]) || !may_have_value(text, at, end))
		return false;
	kind = kind_of(bytes, at, end - at);
	/* A far end is searched only for a masked value: other values may begin again at each word.
	 */
	limit = kind & REDACT_IF_RANDOM ? KEY_LIMIT : VALUE_LIMIT;
	if (end + limit < window.len)
		window.len = end + limit;
	return find_value(&window, at, end, kind, ret) &&
	       (ret->end < window.len || find_value(text, at, end, kind, ret));
}
