/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/label/sample.h"

#include "base/text.h"
#include "correlate/command/command.h"
#include "correlate/command/shell.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define TOKEN_LIMIT 256 /* tokens of one command line */
#define MINE_LIMIT  32  /* of them, those that the other lacks */
#define PIECE_LIMIT 8   /* parts of one token: "s1_R1" has two */

struct token {
	const char *text;
	size_t len;
};

struct tokens {
	struct token items[TOKEN_LIMIT];
	size_t count;
};

static bool parts_pieces(char byte)
{
	return byte == '_' || byte == '-';
}

/* Bytes of names; all others separate names. */
static bool in_token(char byte)
{
	return text_is_alnum(byte) || parts_pieces(byte) || (byte & 0x80);
}

static void split_word(struct tokens *tokens, const char *word)
{
	bool dotted = false;

	while (*word && tokens->count < TOKEN_LIMIT) {
		size_t len = 0;

		while (word[len] && in_token(word[len]))
			len++;
		/* "bam" of "s1.bam" is a file type, not a sample. */
		if (len > 0 && !(dotted && !word[len]))
			tokens->items[tokens->count++] = (struct token){ word, len };
		dotted = len == 0 && *word == '.';
		word += len > 0 ? len : 1;
	}
}

/* What an engine wrote before a script's name changes each time and names nothing. */
static void read_tokens(struct tokens *tokens, const struct rules *rules,
			const struct shell_text *command)
{
	tokens->count = 0;
	for (size_t i = 0; i < command->word_count; i++) {
		const char *word = command->words[i], *slash = strrchr(word, '/');
		const char *name = slash ? rules_script_name(rules, word) : word;

		split_word(tokens, slash && name > slash + 1 ? name : word);
	}
}

static bool same(struct token a, struct token b)
{
	return a.len == b.len && *a.text == *b.text && memcmp(a.text, b.text, a.len) == 0;
}

static bool has(const struct tokens *tokens, struct token token)
{
	for (size_t i = 0; i < tokens->count; i++)
		if (same(tokens->items[i], token))
			return true;
	return false;
}

/* Those tokens that other lacks. */
static void subtract(const struct tokens *tokens, const struct tokens *other, struct tokens *ret)
{
	ret->count = 0;
	for (size_t i = 0; i < tokens->count; i++) {
		struct token token = tokens->items[i];

		/* Most have the same position in the other. */
		if (i < other->count && same(other->items[i], token))
			continue;
		if (!has(other, token))
			ret->items[ret->count++] = token;
	}
}

/* Whether part is a sequence of complete pieces of token. */
static bool contains(struct token token, struct token part)
{
	for (size_t at = 0; at + part.len <= token.len; at++) {
		const char *found = token.text + at;

		if (*found == *part.text && memcmp(found, part.text, part.len) == 0 &&
		    (at == 0 || parts_pieces(found[-1])) &&
		    (at + part.len == token.len || parts_pieces(found[part.len])))
			return true;
	}
	return false;
}

static size_t count_in(const struct tokens *tokens, struct token part)
{
	size_t count = 0;

	for (size_t i = 0; i < tokens->count; i++)
		count += contains(tokens->items[i], part);
	return count;
}

struct best {
	struct token part;
	size_t count;
};

static bool is_number(struct token token)
{
	size_t digits = 0;

	while (digits < token.len && token.text[digits] >= '0' && token.text[digits] <= '9')
		digits++;
	return digits == token.len;
}

/* The part that more tokens share is better, then what is no number, then the longer. */
static bool is_better(const struct best *a, const struct best *b)
{
	if (a->count != b->count)
		return a->count > b->count;
	if (is_number(a->part) != is_number(b->part))
		return is_number(b->part);
	return a->part.len > b->part.len;
}

static void consider(struct best *best, struct token part, const struct tokens *mine,
		     const struct tokens *theirs)
{
	struct best candidate = { part, 0 };

	if (part.len == 0 || part.len >= SAMPLE_SIZE || count_in(theirs, part) > 0)
		return;
	candidate.count = count_in(mine, part);
	if (best->count == 0 || is_better(&candidate, best))
		*best = candidate;
}

static void consider_parts(struct best *best, struct token token, const struct tokens *mine,
			   const struct tokens *theirs)
{
	size_t starts[PIECE_LIMIT + 1] = { 0 }, pieces = 1;

	for (size_t i = 0; i < token.len && pieces < PIECE_LIMIT; i++)
		if (parts_pieces(token.text[i]))
			starts[pieces++] = i + 1;
	starts[pieces] = token.len + 1;
	for (size_t first = 0; first < pieces; first++)
		for (size_t end = first + 1; end <= pieces; end++)
			consider(best,
				 (struct token){ token.text + starts[first],
						 starts[end] - 1 - starts[first] },
				 mine, theirs);
}

char *sample_between(const struct rules *rules, const char *command, const char *other,
		     char sample[SAMPLE_SIZE])
{
	struct shell_text my_command, their_command;
	struct tokens my_all, their_all, mine, theirs;
	struct best best = { 0 };

	shell_read(&my_command, command);
	shell_read(&their_command, other);
	read_tokens(&my_all, rules, &my_command);
	read_tokens(&their_all, rules, &their_command);
	subtract(&my_all, &their_all, &mine);
	subtract(&their_all, &my_all, &theirs);
	if (mine.count > MINE_LIMIT)
		mine.count = MINE_LIMIT;
	for (size_t i = 0; i < mine.count; i++)
		consider_parts(&best, mine.items[i], &mine, &theirs);
	return name_copy(best.part.text, best.part.len, sample, SAMPLE_SIZE);
}

static bool names_sample(const char *name, size_t len)
{
	static const char word[] = "sample";

	for (size_t i = 0; i + sizeof(word) - 1 <= len; i++)
		if (strncasecmp(name + i, word, sizeof(word) - 1) == 0)
			return true;
	return false;
}

char *sample_of_wildcards(const char *wildcards, char sample[SAMPLE_SIZE])
{
	char joined[SAMPLE_SIZE * 2] = "";
	size_t used = 0;

	while (*wildcards) {
		size_t len = strcspn(wildcards, ",");
		const char *equals = memchr(wildcards, '=', len);
		size_t name_len = equals ? (size_t)(equals - wildcards) : len;
		const char *value = equals ? equals + 1 : wildcards;
		size_t value_len = len - (size_t)(value - wildcards);

		if (equals && *value == '"' && strchr(value + 1, '"')) {
			value_len = strcspn(++value, "\"");
			len = (size_t)(value - wildcards) + value_len + 1;
		}
		if (equals && names_sample(wildcards, name_len))
			return name_copy(value, value_len, sample, SAMPLE_SIZE);
		if (used + value_len + 2 < sizeof(joined)) {
			if (used > 0)
				joined[used++] = '.';
			memcpy(joined + used, value, value_len);
			used += value_len;
		}
		wildcards += len + (wildcards[len] == ',');
	}
	return name_copy(joined, used, sample, SAMPLE_SIZE);
}
