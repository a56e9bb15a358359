#include "signal/redact_name.h"

#include <ctype.h>
#include <string.h>

#define WORD_SIZE       32
#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))

/* Which values of a name are no secrets. */
enum {
	SECRET = 1,
	NUMBERS_STAY = 2, /* "--token 3" counts */
	PATHS_STAY = 4,   /* "--credentials /etc/aws.json" points */
};

/* The last two words of a name, lower case, without the digits at their end. */
struct words {
	char before[WORD_SIZE], last[WORD_SIZE];
};

struct rule {
	const char *before; /* the word before; NULL: any; "": none */
	const char *last;
	unsigned kind;
};

static const struct rule rules[] = {
	{ NULL, "password", SECRET },
	{ NULL, "passwords", SECRET },
	{ NULL, "passwd", SECRET },
	{ NULL, "passphrase", SECRET },
	{ NULL, "passcode", SECRET },
	{ NULL, "secret", SECRET },
	{ NULL, "secrets", SECRET },
	{ NULL, "authorization", SECRET },
	{ NULL, "sshpass", SECRET },
	{ NULL, "passin", SECRET | PATHS_STAY },
	{ NULL, "passout", SECRET | PATHS_STAY },
	{ NULL, "token", SECRET | NUMBERS_STAY },
	{ NULL, "cookie", SECRET | NUMBERS_STAY | PATHS_STAY },
	{ NULL, "credential", SECRET | PATHS_STAY },
	{ NULL, "credentials", SECRET | PATHS_STAY },
	{ "", "pass", SECRET | NUMBERS_STAY | PATHS_STAY },
	{ "api", "key", SECRET },
	{ "access", "key", SECRET },
	{ "secret", "key", SECRET },
	{ "account", "key", SECRET },
	{ "auth", "key", SECRET },
	{ "storage", "key", SECRET },
	{ "master", "key", SECRET | PATHS_STAY },
	{ "app", "key", SECRET | PATHS_STAY },
	{ "signing", "key", SECRET | PATHS_STAY },
	{ "encryption", "key", SECRET | PATHS_STAY },
	{ "private", "key", SECRET | PATHS_STAY },
	{ "license", "key", SECRET | PATHS_STAY },
	{ "amz", "signature", SECRET },
};

/* Whose "pass" and "pwd" are passwords; elsewhere they are passes over data and working folders. */
static const char *const accounts[] = { "db",       "database", "user",  "mysql", "pg",
					"postgres", "mongo",    "redis", "ldap",  "smtp",
					"mail",     "ftp",      "http",  "proxy", "scp",
					"rsync",    "root",     "admin", "auth",  "login",
					"key",      "keystore", "ssl",   "store", "irods" };

/* Words that run together: "dbpassword", "apikey". */
static const char *const endings[] = { "password",  "passwd",    "passphrase",  "secret",
				       "apikey",    "authtoken", "accesstoken", "secretkey",
				       "accesskey", "accountkey" };

/* "--no-password", "--ask-pass": said about a secret, not its value. */
static const char *const denials[] = {
	"no", "skip", "ask", "prompt", "without", "disable", "show"
};

static bool among(const char *word, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!strcmp(word, list[i]))
			return true;
	}
	return false;
}

static bool has_ending(const char *word)
{
	size_t len = strlen(word);

	for (size_t i = 0; i < COUNT_OF(endings); i++) {
		size_t ending = strlen(endings[i]);

		if (len >= ending && !strcmp(word + len - ending, endings[i]))
			return true;
	}
	return false;
}

/* Where a word of a camelCase name begins: aB, ABc. */
static bool begins_word(const char *name, size_t len, size_t at)
{
	if (!at || !isupper((unsigned char)name[at]))
		return false;
	return !isupper((unsigned char)name[at - 1]) ||
	       (at + 1 < len && islower((unsigned char)name[at + 1]));
}

static void begin_word(struct words *words)
{
	if (!words->last[0])
		return;
	memcpy(words->before, words->last, WORD_SIZE);
	words->last[0] = '\0';
}

/* Of a long word its end is kept: that is where its meaning stands. */
static void add_letter(char word[WORD_SIZE], char letter)
{
	size_t len = strlen(word);

	if (len == WORD_SIZE - 1)
		memmove(word, word + 1, len--);
	word[len] = (char)tolower((unsigned char)letter);
	word[len + 1] = '\0';
}

static void strip_digits(char *word)
{
	size_t len = strlen(word);

	while (len > 1 && isdigit((unsigned char)word[len - 1]))
		word[--len] = '\0';
}

static struct words split(const char *name, size_t len)
{
	struct words words = { 0 };

	for (size_t i = 0; i < len; i++) {
		bool counts_only = isdigit((unsigned char)name[i]) && !words.last[0];

		if (!isalnum((unsigned char)name[i]) || begins_word(name, len, i))
			begin_word(&words);
		if (isalnum((unsigned char)name[i]) && !counts_only)
			add_letter(words.last, name[i]);
	}
	if (!words.last[0]) /* the name ended in a separator or a number: "PASSWORD_1" */
		memcpy(words.last, words.before, WORD_SIZE);
	strip_digits(words.last);
	strip_digits(words.before);
	return words;
}

/* Every rule above needs one of these. Most names hold none, and this is asked of every name on
 * every command line. */
static bool may_say(const char *name, size_t len)
{
	static const char *const parts[] = { "pass", "pwd",  "secret", "token",    "key",
					     "cred", "auth", "cookie", "signature" };

	for (size_t at = 0; at + 3 <= len; at++) {
		int letter = tolower((unsigned char)name[at]);

		for (size_t i = 0; i < COUNT_OF(parts); i++) {
			if (letter == parts[i][0] &&
			    !strncasecmp(name + at, parts[i], strlen(parts[i])))
				return true;
		}
	}
	return false;
}

unsigned redact_name_kind(const char *name, size_t len)
{
	struct words words;

	if (!may_say(name, len))
		return 0;
	words = split(name, len);
	if (among(words.before, denials, COUNT_OF(denials)))
		return 0;
	for (size_t i = 0; i < COUNT_OF(rules); i++) {
		if (!strcmp(words.last, rules[i].last) &&
		    (!rules[i].before || !strcmp(words.before, rules[i].before)))
			return rules[i].kind;
	}
	if ((!strcmp(words.last, "pass") || !strcmp(words.last, "pwd")) &&
	    among(words.before, accounts, COUNT_OF(accounts)))
		return SECRET;
	return has_ending(words.last) ? SECRET : 0;
}

/* A number of up to 8 digits, or a word that switches something. */
static bool is_number(const char *value, size_t len)
{
	static const char *const switches[] = { "true", "false", "yes", "no", "none", "null" };
	size_t digits = 0;

	for (size_t i = 0; i < COUNT_OF(switches); i++) {
		if (len == strlen(switches[i]) && !strncasecmp(value, switches[i], len))
			return true;
	}
	while (digits < len && (isdigit((unsigned char)value[digits]) || value[digits] == '.'))
		digits++;
	return digits == len && len <= 8;
}

static bool is_path(const char *value, size_t len)
{
	static const char *const starts[] = { "/", "./", "../", "~/", "file:", "env:", "$" };
	static const char *const ends[] = { ".json", ".pem", ".key", ".txt", ".yaml", ".yml",
					    ".gz",   ".vcf", ".bam", ".fq",  ".fastq" };

	for (size_t i = 0; i < COUNT_OF(starts); i++) {
		if (!strncmp(value, starts[i], strlen(starts[i])))
			return true;
	}
	for (size_t i = 0; i < COUNT_OF(ends); i++) {
		size_t end = strlen(ends[i]);

		if (len > end && !strncmp(value + len - end, ends[i], end))
			return true;
	}
	return false;
}

/* "$NAME" or "${NAME}", nothing else. */
static bool is_reference(const char *value, size_t len)
{
	if (len < 2 || value[0] != '$')
		return false;
	value++;
	len--;
	if (value[0] == '{' && value[len - 1] == '}') {
		value++;
		len -= 2;
	}
	for (size_t i = 0; i < len; i++) {
		if (!isalnum((unsigned char)value[i]) && value[i] != '_')
			return false;
	}
	return len > 0;
}

bool redact_name_hides(unsigned kind, const char *value, size_t len)
{
	if (!kind || !len || is_reference(value, len))
		return false;
	if (kind & NUMBERS_STAY && is_number(value, len))
		return false;
	return !(kind & PATHS_STAY && is_path(value, len));
}
