#include "signal/redact_shell.h"

#include "base/text.h"
#include "signal/redact_name.h"

#include <string.h>

bool redact_shell_runs(const char *const *args, size_t at)
{
	static const char *const shells[] = { "sh", "bash", "dash", "zsh", "ksh", "ash" };
	const char *option = at ? args[at - 1] : "";
	size_t len = strlen(option);

	if (len < 2 || option[0] != '-' || option[1] == '-' || option[len - 1] != 'c')
		return false;
	for (size_t i = 0; i + 1 < at && i < COMMAND_DEPTH; i++) {
		for (size_t j = 0; j < sizeof(shells) / sizeof(*shells); j++) {
			if (!strcmp(text_basename(args[i]), shells[j]))
				return true;
		}
	}
	return false;
}

static void end_command(struct redact_shell *shell)
{
	shell->count = 0;
	shell->option[0] = '\0';
}

/* To the next word; what separates commands ends the one before. */
static void skip_to_word(struct redact_shell *shell)
{
	for (char byte; (byte = shell->text[shell->at]) && strchr(" \t\n|;&()`", byte);
	     shell->at++) {
		if (byte != ' ' && byte != '\t')
			end_command(shell);
	}
}

static void add_byte(char word[REDACT_WORD_SIZE], size_t *len, char byte)
{
	if (byte == '/' && word[0] != '-')
		*len = 0;
	else if (*len < REDACT_WORD_SIZE - 1)
		word[(*len)++] = byte;
	word[*len] = '\0';
}

/* Reads a word, without its quotes, of a path its last name. */
static void read_word(struct redact_shell *shell, char word[REDACT_WORD_SIZE])
{
	size_t len = 0;
	char quote = '\0';

	word[0] = '\0';
	for (char byte; (byte = shell->text[shell->at]); shell->at++) {
		if (!quote && strchr(" \t\n|;&()`", byte))
			break;
		if (byte == '\\' && quote != '\'' && shell->text[shell->at + 1])
			add_byte(word, &len, shell->text[++shell->at]);
		else if (quote ? byte == quote : byte == '"' || byte == '\'')
			quote = quote ? '\0' : byte;
		else
			add_byte(word, &len, byte);
	}
}

/* The quotes around a value stay, and so does a lone reference to a variable. */
static bool set_value(struct redact_shell *shell, size_t value)
{
	const char *text = shell->text;
	size_t end = shell->at;

	if (end - value >= 2 && (text[value] == '"' || text[value] == '\'') &&
	    text[end - 1] == text[value]) {
		value++;
		end--;
	}
	shell->value = value;
	shell->end = end;
	return redact_name_hides(1, text + value, end - value);
}

/* Is the word text[begin, at) a secret, or an option with one attached? */
static bool judge(struct redact_shell *shell, size_t begin, const char *word)
{
	const char *args[COMMAND_DEPTH + 1];
	const struct redact_option *known;

	for (size_t i = 0; i < shell->count; i++)
		args[i] = shell->words[i];
	args[shell->count] = shell->option;
	known = shell->option[0] == '-' ? redact_option(args, shell->count) : NULL;
	if (known && known->where & REDACT_NEXT && !strcmp(shell->option, known->option) &&
	    !(word[0] == '-' && (word[1] == '-' || strlen(word) == 2)))
		return set_value(shell, begin);
	args[shell->count] = word;
	known = word[0] == '-' ? redact_option(args, shell->count) : NULL;
	return known && known->where & REDACT_ATTACHED && shell->text[begin] == '-' &&
	       word[strlen(known->option)] && set_value(shell, begin + strlen(known->option));
}

bool redact_shell_next(struct redact_shell *shell)
{
	for (;;) {
		char word[REDACT_WORD_SIZE];
		size_t begin;
		bool found;

		skip_to_word(shell);
		begin = shell->at;
		read_word(shell, word);
		if (shell->at == begin) {
			shell->value = shell->end = 0;
			return false;
		}
		found = judge(shell, begin, word);
		if (shell->count < COMMAND_DEPTH)
			memcpy(shell->words[shell->count++], word, sizeof(word));
		memcpy(shell->option, word, sizeof(word));
		if (found)
			return true;
	}
}
