/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/label/sibling.h"

#include "base/text.h"
#include "correlate/rules/rule.h"
#include "correlate/command/shell.h"

#include <string.h>

#define WORD_LIMIT 1024 /* bytes of a word that are compared */

static bool is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

/* Appends len bytes, the sample and numbers made alike. */
static size_t append(char ret[WORD_LIMIT], size_t used, const char *text, size_t len,
		     const char *sample)
{
	size_t sample_len = strlen(sample);

	for (size_t i = 0; i < len && used + 1 < WORD_LIMIT;) {
		if (sample_len > 0 && i + sample_len <= len &&
		    (i == 0 || !text_is_alnum(text[i - 1])) &&
		    memcmp(text + i, sample, sample_len) == 0 &&
		    !text_is_alnum(text[i + sample_len])) {
			ret[used++] = '*';
			i += sample_len;
		} else if (is_digit(text[i])) {
			ret[used++] = '#';
			while (i < len && is_digit(text[i]))
				i++;
		} else {
			ret[used++] = text[i++];
		}
	}
	return used;
}

/* The ending of a file's name, with its dot; NULL: it has none that is a word. */
static const char *ending_of(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && dot > name && text_is_letter(dot[1]) ? dot : NULL;
}

/* Writes a word with the parts that may differ replaced: the sample, numbers and the name of a
 * file. */
static void form_of(const char *word, const char *sample, char ret[WORD_LIMIT])
{
	const char *name = text_basename(word), *ending = ending_of(name);
	size_t used = append(ret, 0, word, (size_t)(name - word), ""); /* a rule's own, often */

	if (!ending && name == word) {
		used = append(ret, used, name, strlen(name), sample);
	} else {
		if (used + 1 < WORD_LIMIT)
			ret[used++] = '.';
		used = ending ? append(ret, used, ending, strlen(ending), sample) : used;
	}
	ret[used] = '\0';
}

/* A script's name, without the prefix that its engine put before it. */
static const char *word_of(const struct rules *rules, const char *word)
{
	const char *name = strchr(word, '/') ? rules_script_name(rules, word) : word;

	return name == text_basename(word) ? word : name;
}

bool sibling_is(const struct rules *rules, const struct sibling *a, const struct sibling *b)
{
	char text[SHELL_TEXT_LIMIT + 1], mine[WORD_LIMIT], theirs[WORD_LIMIT];
	struct shell_text my_words, their_words;

	text_cut(a->text, a->len, text, sizeof(text));
	shell_read(&my_words, text);
	text_cut(b->text, b->len, text, sizeof(text));
	shell_read(&their_words, text);
	if (my_words.word_count != their_words.word_count || my_words.word_count == 0)
		return false;
	for (size_t i = 0; i < my_words.word_count; i++) {
		form_of(word_of(rules, my_words.words[i]), a->sample, mine);
		form_of(word_of(rules, their_words.words[i]), b->sample, theirs);
		if (strcmp(mine, theirs) != 0)
			return false;
	}
	return true;
}
