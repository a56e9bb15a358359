/* SPDX-License-Identifier: Apache-2.0 */
#include "signal/redact/redact_shell.h"

#include "signal/redact/redact_command.h"
#include "signal/redact/redact_login.h"
#include "signal/redact/redact_option.h"
#include "signal/redact/redact_position.h"
#include "signal/redact/redact_value.h"

#include <stdio.h>
#include <string.h>

#define RAW_BYTES  128 /* of a word by which its place is judged */
#define BLANKS     " \t"
#define SEPARATORS "\n|;&()`"

/* Blanks and separators; this is asked of every byte. */
static bool ends_word(char byte)
{
	switch (byte) {
	case ' ':
	case '\t':
	case '\n':
	case '|':
	case ';':
	case '&':
	case '(':
	case ')':
	case '`':
		return true;
	default:
		return false;
	}
}

static void add_byte(char word[REDACT_SHELL_WORD], size_t *len, char byte)
{
	if (byte == '/' && word[0] != '-')
		*len = 0;
	else if (*len < REDACT_SHELL_WORD - 1)
		word[(*len)++] = byte;
	word[*len] = '\0';
}

/* Reads a word, without its quotes, of a path its last name. */
static void read_word(struct redact_shell *shell, struct redact_shell_word *word)
{
	size_t len = 0;
	char quote = '\0';

	word->begin = shell->at;
	word->text[0] = '\0';
	for (char byte; (byte = shell->text[shell->at]); shell->at++) {
		if (!quote && ends_word(byte))
			break;
		if (byte == '\\' && quote != '\'' && shell->text[shell->at + 1])
			add_byte(word->text, &len, shell->text[++shell->at]);
		else if (quote ? byte == quote : byte == '"' || byte == '\'')
			quote = quote ? '\0' : byte;
		else
			add_byte(word->text, &len, byte);
	}
	word->end = shell->at;
}

/* The words of the next command; of one that is too long the first stay, and what comes is judged
 * with them. */
static bool read_command(struct redact_shell *shell)
{
	const char *text = shell->text;
	bool goes_on = shell->count == REDACT_SHELL_WORDS;

	if (goes_on)
		shell->words[REDACT_COMMAND_DEPTH - 1] = shell->words[shell->count - 1];
	shell->count = goes_on ? REDACT_COMMAND_DEPTH : 0;
	if (!goes_on)
		shell->at += strspn(text + shell->at, BLANKS SEPARATORS);
	shell->judged = shell->count;
	for (;;) {
		shell->at += strspn(text + shell->at, BLANKS);
		if (shell->count == REDACT_SHELL_WORDS || !text[shell->at] ||
		    strchr(SEPARATORS, text[shell->at]))
			break;
		read_word(shell, &shell->words[shell->count++]);
	}
	shell->is_piped = text[shell->at] == '|' && text[shell->at + 1] != '|';
	return shell->count > shell->judged || (goes_on && text[shell->at]);
}

static void begin_command(const struct redact_shell *shell, struct redact_command *command,
			  const char *args[REDACT_SHELL_WORDS])
{
	for (size_t i = 0; i < shell->count; i++)
		args[i] = shell->words[i].text;
	redact_command_init(command, args, shell->count);
}

/* Does the command behind the pipe take a password there? */
static bool reads_password(const struct redact_shell *shell)
{
	static const char *const words[] = { "--password-stdin", "--with-token", "chpasswd",
					     "--passphrase-fd",  "--stdin",      "kinit" };
	struct redact_shell next = { .text = shell->text, .at = shell->at };
	const char *args[REDACT_SHELL_WORDS];
	struct redact_command command;

	(void)read_command(&next);
	begin_command(&next, &command, args);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (redact_command_has(&command, words[i]))
			return true;
	}
	return redact_command_has(&command, "sudo") && redact_command_has(&command, "-S");
}

/* The quotes around a value stay. */
static struct redact_place unquoted(const char *text, size_t value, size_t end)
{
	bool is_quoted = end - value >= 2 && (text[value] == '"' || text[value] == '\'') &&
			 text[end - 1] == text[value];

	return (struct redact_place){ .value = value + is_quoted, .end = end - is_quoted };
}

static bool hides(const struct redact_option *known, const char *text,
		  const struct redact_place *place)
{
	return redact_option_hides(known, text + place->value, place->end - place->value);
}

static bool is_option_of(const struct redact_shell_word *word)
{
	return redact_is_option(word->text, strlen(word->text));
}

/* Is the word at `at` the value of an option, or an option with one attached? */
static bool judge_option(struct redact_shell *shell, struct redact_command *command, size_t at)
{
	const struct redact_shell_word *word = &shell->words[at];
	const char *attached = "";
	const struct redact_option *known = at ? redact_option(command, at - 1, &attached) : NULL;
	size_t option;

	if (known && known->where & REDACT_NEXT && !*attached && !is_option_of(word)) {
		shell->secret = unquoted(shell->text, word->begin, word->end);
		return hides(known, shell->text, &shell->secret);
	}
	known = redact_option(command, at, &attached);
	option = (size_t)(attached - word->text);
	if (!known || !*attached || strncmp(shell->text + word->begin, word->text, option) != 0)
		return false;
	shell->secret = unquoted(shell->text, word->begin + option, word->end);
	return hides(known, shell->text, &shell->secret);
}

/* As it is in the text: of "me/tiger@db" a word has only the end. */
static bool judge_position(struct redact_shell *shell, const struct redact_command *command,
			   const char *args[REDACT_SHELL_WORDS], size_t at)
{
	const struct redact_shell_word *word = &shell->words[at];
	struct redact_place place = unquoted(shell->text, word->begin, word->end), part;
	char raw[RAW_BYTES];
	bool is_it;

	(void)snprintf(raw, sizeof(raw), "%.*s", (int)(place.end - place.value),
		       shell->text + place.value);
	args[at] = raw;
	is_it = redact_position(command, at, &part) || redact_login(command, at, &part);
	args[at] = word->text;
	if (is_it && part.end < strlen(raw))
		place.end = place.value + part.end;
	if (is_it)
		place.value += part.value;
	shell->secret = place;
	return is_it;
}

/* "echo X | sudo -S", "printf FORMAT X | docker login --password-stdin" */
static bool judge_echo(struct redact_shell *shell, size_t at)
{
	const struct redact_shell_word *word = &shell->words[at];
	bool prints = !strcmp(shell->words[0].text, "printf");

	if (!shell->is_read || at <= (prints && shell->count > 2) || is_option_of(word))
		return false;
	shell->secret = unquoted(shell->text, word->begin, word->end);
	return redact_value_hides(REDACT_SECRET, shell->text + shell->secret.value,
				  shell->secret.end - shell->secret.value);
}

bool redact_shell_next(struct redact_shell *shell)
{
	const char *args[REDACT_SHELL_WORDS];
	struct redact_command command;

	do {
		begin_command(shell, &command, args);
		while (shell->judged < shell->count) {
			size_t at = shell->judged++;

			if (judge_option(shell, &command, at) ||
			    judge_position(shell, &command, args, at) || judge_echo(shell, at))
				return true;
		}
		if (!read_command(shell)) {
			shell->secret = (struct redact_place){ 0 };
			return false;
		}
		shell->is_read = shell->is_piped &&
				 (!strcmp(shell->words[0].text, "echo") ||
				  !strcmp(shell->words[0].text, "printf")) &&
				 reads_password(shell);
	} while (true);
}
