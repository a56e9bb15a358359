/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/failure/shell_option.h"

#include <string.h>

#define ARGUMENTS_MAX 32 /* before the text or the script */
#define WORDS_MAX     64 /* `set` commands at the beginning of a text */

static bool word_is(const char *at, size_t len, const char *word)
{
	return len == strlen(word) && memcmp(at, word, len) == 0;
}

/* What the next word is, after one with -o or +o. */
enum next { NEXT_ANY, NEXT_NAME_ON, NEXT_NAME_OFF };

static void take_name(struct shell_options *options, const char *at, size_t len, enum next next)
{
	if (word_is(at, len, "errexit"))
		options->errexit = next == NEXT_NAME_ON;
	if (word_is(at, len, "pipefail"))
		options->pipefail = next == NEXT_NAME_ON;
}

/* -euo, +e. */
static enum next take_cluster(struct shell_options *options, const char *at, size_t len)
{
	bool on = at[0] == '-';

	if (len < 2 || (!on && at[0] != '+') || at[1] == '-')
		return NEXT_ANY;
	if (memchr(at + 1, 'e', len - 1))
		options->errexit = on;
	options->text |= on && memchr(at + 1, 'c', len - 1) != NULL;
	if (!memchr(at + 1, 'o', len - 1))
		return NEXT_ANY;
	return on ? NEXT_NAME_ON : NEXT_NAME_OFF;
}

/* The next word of a text, up to a blank, an end of line or of command; NULL: the command ends. */
static const char *next_word(const char **at, size_t *ret_len)
{
	const char *word = *at + strspn(*at, " \t");

	*ret_len = strcspn(word, " \t\n;&|");
	*at = word + *ret_len;
	return *ret_len ? word : NULL;
}

/* A `set` command; false: the text has another one there. */
static bool take_set(struct shell_options *options, const char **at)
{
	enum next next = NEXT_ANY;
	const char *word;
	size_t len;

	word = next_word(at, &len);
	if (!word || !word_is(word, len, "set"))
		return false;
	for (int i = 0; i < WORDS_MAX && (word = next_word(at, &len)); i++) {
		if (next != NEXT_ANY)
			take_name(options, word, len, next);
		next = take_cluster(options, word, len);
	}
	return true;
}

/* The `set` commands with which a text begins. */
static void take_text(struct shell_options *options, const char *text)
{
	const char *at = text;

	for (int i = 0; i < WORDS_MAX; i++) {
		at += strspn(at, " \t\n;&|");
		if (!take_set(options, &at))
			return;
	}
}

struct shell_options shell_options_read(const char *const *argv, size_t argc)
{
	struct shell_options options = { 0 };
	enum next next = NEXT_ANY;

	for (size_t i = 1; i < argc && i < ARGUMENTS_MAX; i++) {
		size_t len = strlen(argv[i]);

		if (next != NEXT_ANY) {
			take_name(&options, argv[i], len, next);
			next = NEXT_ANY;
		} else if ((argv[i][0] == '-' || argv[i][0] == '+') && len > 1) {
			next = take_cluster(&options, argv[i], len);
		} else {
			if (options.text)
				take_text(&options, argv[i]);
			return options;
		}
	}
	return options;
}

bool shell_text_kills(const char *const *argv, size_t argc)
{
	return argc == 3 && strcmp(argv[1], "-c") == 0 && strncmp(argv[2], "kill ", 5) == 0;
}
