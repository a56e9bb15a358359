/* SPDX-License-Identifier: Apache-2.0 */
#include "signal/redact/redact_value.h"

#include "signal/redact/redact_random.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define USER_LIMIT      16 /* bytes of what is a name alone; longer ones with digits are tokens */
#define PIN_LEAST       4  /* digits */
#define PIN_MOST        12
#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))

static bool begins(const char *value, size_t len, const char *with)
{
	size_t with_len = strlen(with);

	return len > with_len && !strncmp(value, with, with_len);
}

static bool ends(const char *value, size_t len, const char *with)
{
	size_t with_len = strlen(with);

	return len > with_len && !strncmp(value + len - with_len, with, with_len);
}

static bool is_switch(const char *value, size_t len)
{
	static const char *const switches[] = { "true", "false", "yes",  "no",   "on",
						"off",  "none",  "null", "stdin" };

	len -= len && value[len - 1] == '/'; /* it ends a command of sed */
	for (size_t i = 0; i < COUNT_OF(switches); i++) {
		if (len == strlen(switches[i]) && !strncasecmp(value, switches[i], len))
			return true;
	}
	return false;
}

/* Of up to 8 digits. */
static bool is_number(const char *value, size_t len)
{
	size_t digits = 0;

	while (digits < len && (isdigit((unsigned char)value[digits]) || value[digits] == '.'))
		digits++;
	return digits == len && len <= 8;
}

/* "/run/secrets/db": no password is written like this, and a key in base 64 is random. */
static bool is_absolute_path(const char *value, size_t len)
{
	size_t parts = 0;

	for (size_t i = 0; i < len; i++) {
		if (!isalnum((unsigned char)value[i]) && !strchr("/._-", value[i]))
			return false;
		parts += value[i] == '/';
	}
	return value[0] == '/' && parts >= 2 && !redact_random_base64(value, len);
}

/* Of a name that often points at what holds the secret. */
static bool is_path(const char *value, size_t len)
{
	static const char *const begin[] = { "/", "./", "../", "~/", "$" };
	static const char *const end[] = { ".json", ".pem", ".key", ".txt", ".yaml", ".yml",
					   ".gz",   ".vcf", ".bam", ".fq",  ".fastq" };

	if (redact_random_base64(value, len))
		return false;
	for (size_t i = 0; i < COUNT_OF(begin); i++) {
		if (begins(value, len, begin[i]))
			return true;
	}
	for (size_t i = 0; i < COUNT_OF(end); i++) {
		if (ends(value, len, end[i]))
			return true;
	}
	return false;
}

/* Does this hold a name alone, and no JSON? */
static bool is_name(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (!isalnum((unsigned char)text[i]) && !strchr("_-. {}[]/|", text[i]))
			return false;
	}
	return true;
}

static bool is_enclosed(const char *value, size_t len)
{
	static const struct {
		const char *begin, *end;
		bool holds_name; /* else anything: a shell runs it */
	} pairs[] = { { "$(", ")", false },  { "`", "`", false }, { "{", "}", true },
		      { "${{", "}}", true }, { "<", ">", true },  { "%(", ")s", true } };

	for (size_t i = 0; i < COUNT_OF(pairs); i++) {
		size_t begin = strlen(pairs[i].begin), end = strlen(pairs[i].end);

		if (begins(value, len, pairs[i].begin) && ends(value, len, pairs[i].end) &&
		    len >= begin + end &&
		    (!pairs[i].holds_name || is_name(value + begin, len - begin - end)))
			return true;
	}
	return false;
}

bool redact_value_refers(const char *value, size_t len)
{
	bool is_braced;

	if (is_enclosed(value, len))
		return true;
	if (len < 2 || value[0] != '$')
		return false;
	is_braced = value[1] == '{' && value[len - 1] == '}';
	value += 1 + is_braced;
	len -= 1 + 2 * is_braced;
	for (size_t i = 0; i < len; i++) {
		if (!isalnum((unsigned char)value[i]) && value[i] != '_')
			return is_braced && i && !strncmp(value + i, ":?", 2);
	}
	return len > 0;
}

/* Of a regular expression that looks for it. */
static bool is_pattern(const char *value, size_t len)
{
	static const char *const begin[] = { ".*",  ".+", "\\K",  "\\w",  "\\S",  "\\d",
					     "\\s", "[^", "[A-Z", "[a-z", "[0-9", "(." };

	for (size_t i = 0; i < COUNT_OF(begin); i++) {
		if (begins(value, len, begin[i]))
			return true;
	}
	return false;
}

/* Masked already, or a pattern for it: ".+" */
static bool is_blank(const char *value, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (!strchr(".*/\\[]+?()^$|<>_-: ", value[i]))
			return false;
	}
	return true;
}

/* Ways to show who one is. */
static const char *const methods[] = {
	"basic",
	"digest",
	"ldap",
	"ldaps",
	"kerberos",
	"krb",
	"ntlm",
	"negotiate",
	"oauth",
	"oidc",
	"token",
	"tokens",
	"password",
	"pam",
	"saml",
	"jwt",
	"mtls",
	"tls",
	"ssl",
	"plain",
	"login",
	"cram-md",
	"md",
	"sha",
	"scram-sha",
	"scram-sha-",
	"iam",
	"gssapi",
	"spnego",
	"anonymous",
	"adc",
	"key",
	"keys",
	"publickey",
	"browser",
	"device",
	"bearer",
	"any",
	"auto",
	"default",
	"local",
	"system",
	"native",
	"simple",
	"sso",
	"sasl",
	"trust",
	"peer",
	"ident",
	"radius",
	"munge",
	"x",
	"v",
	"hmac",
	"cert",
	"certificate",
	"service-principal",
	"managed-identity",
};

/* One of them, perhaps with a version: "oauth2", "SCRAM-SHA-256". */
static bool is_method(const char *value, size_t len)
{
	while (len && (isdigit((unsigned char)value[len - 1]) || value[len - 1] == '.'))
		len--;
	for (size_t i = 0; i < COUNT_OF(methods); i++) {
		if (len == strlen(methods[i]) && !strncasecmp(value, methods[i], len))
			return true;
	}
	return false;
}

/* A user's name, address or a script: of letters, and digits only beside a dot or an "@"; what
 * follows a colon is judged by redact_login. */
static bool is_user_name(const char *value, size_t len)
{
	bool has_digit = false, is_dotted = false;

	if (memchr(value, ':', len))
		return true;
	for (size_t i = 0; i < len; i++) {
		if (!isalnum((unsigned char)value[i]) && !strchr("._@-", value[i]))
			return false;
		has_digit |= isdigit((unsigned char)value[i]) != 0;
		is_dotted |= value[i] == '.' || value[i] == '@';
	}
	return !has_digit || is_dotted;
}

static bool is_pin(const char *value, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (!isdigit((unsigned char)value[i]))
			return false;
	}
	return len >= PIN_LEAST && len <= PIN_MOST;
}

/* What values of a name like that are, where they are no secret. */
static bool stays(unsigned kind, const char *value, size_t len)
{
	return (kind & REDACT_NUMBERS_STAY && is_number(value, len)) ||
	       (kind & REDACT_PATHS_STAY && is_path(value, len)) ||
	       (kind & REDACT_METHODS_STAY && is_method(value, len)) ||
	       (kind & REDACT_USERS_STAY && is_user_name(value, len)) ||
	       (kind & REDACT_IF_PIN && !is_pin(value, len));
}

bool redact_value_hides(unsigned kind, const char *value, size_t len)
{
	if (!kind || is_blank(value, len) || redact_value_refers(value, len) ||
	    is_switch(value, len) || is_pattern(value, len))
		return false;
	if (begins(value, len, "file:") || begins(value, len, "env:") ||
	    is_absolute_path(value, len))
		return false;
	if (stays(kind, value, len))
		return false;
	return !(kind & REDACT_IF_RANDOM) || redact_random_key(value, len);
}

bool redact_value_is_user(const char *value, size_t len)
{
	size_t digits = 0;

	for (size_t i = 0; i < len; i++)
		digits += isdigit((unsigned char)value[i]) != 0;
	return redact_value_refers(value, len) || len < USER_LIMIT || !digits ||
	       memchr(value, '%', len);
}
