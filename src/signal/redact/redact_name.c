/* SPDX-License-Identifier: Apache-2.0 */
#include "signal/redact/redact_name.h"

#include "signal/redact/redact_value.h"

#include <ctype.h>
#include <string.h>

#define WORD_SIZE       32
#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))

/* The last two words of a name, lower case, without the digits at their end. */
struct words {
	char before[WORD_SIZE], last[WORD_SIZE];
};

struct rule {
	const char *before; /* the word before; NULL: any; "": none */
	const char *last;
	unsigned kind;
};

#define SECRET            REDACT_SECRET
#define NUMBERS           (REDACT_SECRET | REDACT_NUMBERS_STAY)
#define NUMBERS_AND_PATHS (REDACT_SECRET | REDACT_NUMBERS_STAY | REDACT_PATHS_STAY)
#define PATHS             (REDACT_SECRET | REDACT_PATHS_STAY)
#define IF_RANDOM         (REDACT_SECRET | REDACT_IF_RANDOM)
#define NO_SECRET         0

/* The first that fits counts. */
static const struct rule rules[] = {
	/* of models of language; a signed URL's says who signed it */
	{ "pad", "token", NO_SECRET },
	{ "eos", "token", NO_SECRET },
	{ "bos", "token", NO_SECRET },
	{ "unk", "token", NO_SECRET },
	{ "cls", "token", NO_SECRET },
	{ "sep", "token", NO_SECRET },
	{ "mask", "token", NO_SECRET },
	{ "stop", "token", NO_SECRET },
	{ "start", "token", NO_SECRET },
	{ "end", "token", NO_SECRET },
	{ "image", "token", NO_SECRET },
	{ "special", "token", NO_SECRET },
	{ "amz", "credential", NO_SECRET },
	{ "goog", "credential", NO_SECRET },
	/* values that are not masked */
	{ "public", "key", NO_SECRET },
	{ "cache", "key", NO_SECRET },
	{ "sort", "key", NO_SECRET },
	{ "join", "key", NO_SECRET },
	{ "primary", "key", NO_SECRET },
	{ "foreign", "key", NO_SECRET },
	{ "object", "key", NO_SECRET },
	{ "default", "key", NO_SECRET },
	{ "local", "key", NO_SECRET },
	{ "recipient", "key", NO_SECRET },

	{ NULL, "password", SECRET },
	{ NULL, "passwords", SECRET },
	{ NULL, "passwd", SECRET },
	{ NULL, "passphrase", SECRET },
	{ NULL, "passcode", SECRET },
	{ NULL, "secret", SECRET },
	{ NULL, "secrets", SECRET },
	{ NULL, "authorization", SECRET },
	{ NULL, "sshpass", SECRET },
	{ NULL, "passin", PATHS },
	{ NULL, "passout", PATHS },
	{ NULL, "token", NUMBERS },
	{ NULL, "cookie", NUMBERS_AND_PATHS },
	{ NULL, "credential", PATHS },
	{ NULL, "credentials", PATHS },
	{ NULL, "creds", PATHS },
	{ "", "pass", NUMBERS_AND_PATHS },
	{ "", "otp", SECRET },
	{ "secret", "string", SECRET },
	{ "oauth", "bearer", SECRET },
	{ "amz", "signature", SECRET },
	{ "goog", "signature", SECRET },
	{ "api", "key", SECRET },
	{ "access", "key", SECRET },
	{ "secret", "key", PATHS },
	{ "account", "key", SECRET },
	{ "auth", "key", SECRET },
	{ "storage", "key", SECRET },
	{ "customer", "key", SECRET },
	{ "master", "key", PATHS },
	{ "app", "key", PATHS },
	{ "signing", "key", PATHS },
	{ "encryption", "key", PATHS },
	{ "decryption", "key", PATHS },
	{ "private", "key", PATHS },
	{ "license", "key", PATHS },

	{ NULL, "key", IF_RANDOM },
	{ NULL, "auth", IF_RANDOM },
	{ NULL, "pat", IF_RANDOM },
	{ NULL, "pw", IF_RANDOM },
	{ "secret", "id", IF_RANDOM },
};

/* Options, not variables: PWD is a folder, "--pwd" of most tools a password. */
static const struct {
	const char *option;
	unsigned kind;
} options[] = {
	{ "--pw", NUMBERS_AND_PATHS },
	{ "--pwd", NUMBERS_AND_PATHS },
	{ "--auth", NUMBERS_AND_PATHS | REDACT_METHODS_STAY },
	{ "--bearer", NUMBERS_AND_PATHS },
	{ "--login", NUMBERS_AND_PATHS | REDACT_USERS_STAY },
	{ "--pin", REDACT_SECRET | REDACT_IF_PIN },
	{ "--signature", IF_RANDOM },
};

/* Words before "pass", "pwd", "pw" and "pat" that make these secrets; elsewhere they are passes
 * over data, working folders, patterns. */
static const char *const accounts[] = {
	"db",    "database", "user",    "mysql",  "pg",       "postgres", "mongo",    "redis",
	"ldap",  "smtp",     "mail",    "ftp",    "sftp",     "http",     "proxy",    "scp",
	"rsync", "root",     "admin",   "auth",   "login",    "key",      "keystore", "ssl",
	"store", "irods",    "become",  "rc",     "snowsql",  "oracle",   "mssql",    "sudo",
	"vnc",   "smb",      "webdav",  "docker", "registry", "git",      "github",   "gitlab",
	"ext",   "rabbitmq", "elastic", "imap",   "service",  "account"
};

static const char *const short_words[] = { "pass", "pwd", "pw", "pat" };

/* Words that run together: "dbpassword", "apikey". */
static const char *const endings[] = { "password",  "passwd",     "passphrase",  "secret",
				       "apikey",    "authtoken",  "accesstoken", "secretkey",
				       "accesskey", "accountkey", "authkey",     "requirepass",
				       "dbpass",    "dbpwd",      "userpass",    "storepass",
				       "keypass" };

/* "--no-password", "--ask-pass", "existingSecret": said about a secret, not its value. */
static const char *const denials[] = { "no",   "skip",     "ask", "prompt", "without",  "disable",
				       "show", "existing", "use", "save",   "remember", "print" };

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

/* Of a long word its end is kept: the meaning is there. */
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
	static const char *const parts[] = { "pass", "pwd",  "secret", "token",     "key",
					     "cred", "auth", "cookie", "signature", "pw",
					     "pat",  "otp",  "bearer" };

	for (size_t at = 0; at + 2 <= len; at++) {
		int letter = tolower((unsigned char)name[at]);

		for (size_t i = 0; i < COUNT_OF(parts); i++) {
			if (letter == parts[i][0] &&
			    !strncasecmp(name + at, parts[i], strlen(parts[i])))
				return true;
		}
	}
	return false;
}

/* "-Ddb.pass", "-eDB_PASS": the option is one with its name. */
static bool has_letter(const char *name, size_t len)
{
	return len > 2 && name[0] == '-' && strchr("DPe", name[1]) && name[2] != '-';
}

static unsigned kind_of(const char *name, size_t len)
{
	struct words words = split(name, len);

	if (among(words.before, denials, COUNT_OF(denials)))
		return 0;
	if (among(words.last, short_words, COUNT_OF(short_words)) &&
	    among(words.before, accounts, COUNT_OF(accounts)))
		return PATHS;
	for (size_t i = 0; i < COUNT_OF(rules); i++) {
		if (!strcmp(words.last, rules[i].last) &&
		    (!rules[i].before || !strcmp(words.before, rules[i].before)))
			return rules[i].kind;
	}
	return has_ending(words.last) ? SECRET : 0;
}

unsigned redact_name_kind(const char *name, size_t len)
{
	unsigned kind;

	for (size_t i = 0; len > 2 && name[1] == '-' && i < COUNT_OF(options); i++) {
		if (len == strlen(options[i].option) && !memcmp(name, options[i].option, len))
			return options[i].kind;
	}
	if (!may_say(name, len))
		return 0;
	kind = kind_of(name, len);
	return !kind && has_letter(name, len) ? kind_of(name + 2, len - 2) : kind;
}
