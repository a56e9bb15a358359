/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/command/shell.h"

#include "base/text.h"

#include <string.h>

struct reader {
	const char *at, *end;
	struct shell_text *text;
	size_t used;
	bool piped;    /* the next command reads from the last */
	bool open;     /* a command has words */
	bool redirect; /* the next word is a file's name */
};

/* This is asked of every byte. */
static bool ends_word(char byte)
{
	switch (byte) {
	case ' ':
	case '\t':
	case '\n':
	case '|':
	case '&':
	case ';':
	case '(':
	case ')':
	case '<':
	case '>':
		return true;
	default:
		return false;
	}
}

static void end_command(struct reader *reader, bool piped)
{
	reader->open = false;
	reader->redirect = false;
	reader->piped = piped;
}

/* A redirection's file belongs to its command, but never begins one. */
static void add_word(struct reader *reader, size_t start)
{
	struct shell_text *text = reader->text;
	struct shell_command *command;

	text->bytes[reader->used++] = '\0';
	text->words[text->word_count++] = text->bytes + start;
	if (!reader->open) {
		if (reader->redirect || text->command_count == SHELL_COMMAND_LIMIT)
			return;
		command = &text->commands[text->command_count++];
		*command = (struct shell_command){ .first = text->word_count - 1,
						   .piped = reader->piped };
		reader->open = true;
	}
	text->commands[text->command_count - 1].end = text->word_count;
}

/* Words before a command that are not the command: "A=b", "then", "exec". */
static bool is_prefix(const char *word)
{
	static const char *const reserved[] = { "if",    "then",    "else",   "elif", "do",
						"while", "until",   "!",      "{",    "exec",
						"time",  "command", "builtin" };
	size_t name = 0;

	while (text_is_alnum(word[name]) || word[name] == '_')
		name++;
	if (name > 0 && word[name] == '=')
		return true;
	for (size_t i = 0; i < sizeof(reserved) / sizeof(*reserved); i++)
		if (*word == *reserved[i] && strcmp(word, reserved[i]) == 0)
			return true;
	return false;
}

static void put(struct reader *reader, char byte)
{
	reader->text->bytes[reader->used++] = byte;
}

/* Copies the text between quotes; returns the byte after the closing quote. */
static void read_quoted(struct reader *reader, char quote)
{
	while (reader->at < reader->end && *reader->at != quote) {
		if (quote == '"' && *reader->at == '\\' && reader->at + 1 < reader->end)
			reader->at++;
		put(reader, *reader->at++);
	}
	if (reader->at < reader->end)
		reader->at++;
}

/* "$( … )": kept as it is written, parentheses balanced. */
static void read_substitution(struct reader *reader)
{
	int depth = 0;

	do {
		depth += *reader->at == '(';
		depth -= *reader->at == ')';
		put(reader, *reader->at++);
	} while (reader->at < reader->end && depth > 0);
}

/* Copies plain bytes: most of a word. */
static void read_plain(struct reader *reader)
{
	const char *end = reader->at;
	size_t len;

	while (end < reader->end && !ends_word(*end) && *end != '\'' && *end != '"' &&
	       *end != '\\' && *end != '$')
		end++;
	len = (size_t)(end - reader->at);
	memcpy(reader->text->bytes + reader->used, reader->at, len);
	reader->used += len;
	reader->at = end;
}

/* One of the bytes at which read_plain stops. */
static void read_special(struct reader *reader)
{
	char byte = *reader->at++;

	if (byte == '\'' || byte == '"') {
		read_quoted(reader, byte);
	} else if (byte == '\\' && reader->at < reader->end) {
		if (*reader->at != '\n')
			put(reader, *reader->at);
		reader->at++;
	} else {
		put(reader, byte);
		if (byte == '$' && reader->at < reader->end && *reader->at == '(')
			read_substitution(reader);
	}
}

static void read_word(struct reader *reader)
{
	size_t start = reader->used;

	read_plain(reader);
	while (reader->at < reader->end && !ends_word(*reader->at)) {
		read_special(reader);
		read_plain(reader);
	}
	reader->text->bytes[reader->used] = '\0';
	if (reader->used == start)
		return;
	if (!reader->open && !reader->redirect && is_prefix(reader->text->bytes + start))
		reader->used = start;
	else
		add_word(reader, start);
	reader->redirect = false;
}

static void read_operator(struct reader *reader)
{
	char byte = *reader->at++;
	char next = reader->at < reader->end ? *reader->at : '\0';

	if (byte == '<' || byte == '>') {
		reader->redirect = next != '(';
		while (reader->at < reader->end && strchr("<>&|", *reader->at))
			reader->at++;
	} else if (byte == '&' && next == '>') {
		return;
	} else if (byte == '|' && next != '|') {
		reader->at += next == '&';
		end_command(reader, true);
	} else if (reader->open || (byte != '\n' && byte != '(')) {
		reader->at += next == byte && (byte == '|' || byte == '&');
		end_command(reader, false);
	}
}

void shell_read(struct shell_text *ret, const char *text)
{
	struct reader reader = { .at = text,
				 .end = text + strnlen(text, SHELL_TEXT_LIMIT),
				 .text = ret };

	ret->word_count = 0;
	ret->command_count = 0;
	while (reader.at < reader.end && ret->word_count < SHELL_WORD_LIMIT) {
		if (*reader.at == ' ' || *reader.at == '\t')
			reader.at++;
		else if (*reader.at == '#')
			reader.at += strcspn(reader.at, "\n");
		else if (ends_word(*reader.at))
			read_operator(&reader);
		else
			read_word(&reader);
	}
}

static bool has_word(const struct shell_text *text, size_t command, const char *program, bool first)
{
	size_t end = first ? text->commands[command].first + 1 : text->commands[command].end;

	for (size_t i = text->commands[command].first; i < end; i++)
		if (strcmp(text_basename(text->words[i]), program) == 0)
			return true;
	return false;
}

size_t shell_find(const struct shell_text *text, const char *program, size_t from)
{
	for (int first = 1; first >= 0; first--)
		for (size_t i = from; i < text->command_count; i++)
			if (has_word(text, i, program, first))
				return i;
	return text->command_count;
}

bool shell_piped(const struct shell_text *text, size_t from, size_t to)
{
	if (from >= to || to >= text->command_count)
		return false;
	for (size_t i = from + 1; i <= to; i++)
		if (!text->commands[i].piped)
			return false;
	return true;
}
