/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/command/command.h"

#include "base/text.h"
#include "base/utf8.h"
#include "correlate/rules/template.h"

#include <string.h>

#define SUBCOMMAND_LIMIT 48 /* bytes; longer words are operands */

/* ASCII that needs no cleaning: nearly all bytes. */
static bool is_plain(char byte)
{
	return byte >= ' ' && byte < 0x7f;
}

char *name_copy(const char *from, size_t len, char *text, size_t size)
{
	size_t out = 0;

	for (size_t i = 0; i < len;) {
		size_t sequence, piece_len;
		const char *piece;

		if (is_plain(from[i]) && out + 1 < size) {
			text[out++] = from[i++];
			continue;
		}
		sequence = utf8_sequence(from + i, len - i);
		piece = sequence ? from + i : "\xEF\xBF\xBD";
		piece_len = sequence ? sequence : 3;
		if (sequence == 1 && ((unsigned char)*piece < 0x20 || *piece == 0x7f))
			piece = " ";
		if (out + piece_len >= size)
			break;
		memcpy(text + out, piece, piece_len);
		out += piece_len;
		i += sequence ? sequence : 1;
	}
	if (size > 0)
		text[out] = '\0';
	return text;
}

const char *command_option(const char *const *args, size_t count, const char *option, size_t *index)
{
	size_t len = strlen(option);

	for (size_t i = index ? *index : 0; i < count; i++) {
		const char *value = NULL;

		if (strncmp(args[i], option, len) != 0)
			continue;
		if (args[i][len] == '=')
			value = args[i] + len + 1;
		else if (!args[i][len] && i + 1 < count)
			value = args[++i];
		if (!value)
			continue;
		if (index)
			*index = i + 1;
		return value;
	}
	return NULL;
}

/* A word, not a path, a number or a file's name. */
static bool looks_like_subcommand(const char *word)
{
	size_t len = 0;

	word += *word == '+';
	while (text_is_alnum(word[len]) || word[len] == '_' || word[len] == ':' || word[len] == '-')
		len++;
	return len <= SUBCOMMAND_LIMIT && !word[len] && text_is_letter(*word);
}

/* "k=21", as some programs have it before their subcommand. */
static bool is_setting(const char *word)
{
	size_t len = 0;

	while (text_is_letter(word[len]) || word[len] == '_')
		len++;
	return len > 0 && word[len] == '=';
}

static const char *find_subcommand(const struct command *command)
{
	const struct rule *rule = command->rule;

	if (rule->subcommand_option) {
		const char *value = command_option(command->args, command->count,
						   rule->subcommand_option, NULL);

		return value && looks_like_subcommand(value) ? value : NULL;
	}
	for (size_t i = 0; i < command->count; i++) {
		const char *arg = command->args[i];

		if (rule_list_has(&rule->options, arg))
			i++;
		else if (*arg != '-' && !is_setting(arg))
			return looks_like_subcommand(arg) ? arg : NULL;
	}
	return NULL;
}

/* The first file that an argument which is no option names, recognised by its ending: plot.R,
 * fit.ipynb.
 */
static const char *find_script(const struct command *command)
{
	for (size_t i = 0; i < command->count; i++) {
		const char *arg = command->args[i], *base = text_basename(arg);
		const char *dot = strrchr(base, '.');

		if (rule_list_has(&command->rule->options, arg))
			i++;
		else if (*arg != '-' && dot && dot > base && dot[1])
			return base;
	}
	return NULL;
}

const char *command_kind(const struct command *command)
{
	static const char *const words[] = {
		[RULE_TOOL] = "tool",         [RULE_HELPER] = "helper",
		[RULE_LAUNCHER] = "launcher", [RULE_INTERPRETER] = "interpreter",
		[RULE_SHELL] = "shell",       [RULE_EXCLUDED] = "",
	};

	return command->rule ? words[command->rule->kind] : "";
}

char *command_name(const struct command *command, char *text, size_t size)
{
	const struct rule *rule = command->rule;
	struct template_values values = { .texts = { [PLACE_NAME] = command->subject } };
	char filled[TOOL_NAME_SIZE * 2];

	if (!rule || !rule->name)
		return name_copy(command->subject, strlen(command->subject), text, size);
	if (template_has(rule->name, PLACE_SUBCOMMAND))
		values.texts[PLACE_SUBCOMMAND] = find_subcommand(command);
	if (template_has(rule->name, PLACE_SCRIPT))
		values.texts[PLACE_SCRIPT] = find_script(command);
	template_fill(rule->name, &values, filled, sizeof(filled));
	return name_copy(filled, strlen(filled), text, size);
}

char *rules_tool(const struct rules *rules, const char *exe, const char *const *argv, size_t argc,
		 char *text, size_t size)
{
	static const struct rule_context unknown;
	struct command command;

	command_unwrap(rules, exe, argv, argc, &unknown, &command);
	return command_name(&command, text, size);
}
