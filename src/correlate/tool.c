#include "correlate/command.h"

#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

#define SUBCOMMAND_LIMIT 48 /* bytes; longer words are operands */
#define PLACEHOLDER      "{subcommand}"

char *name_copy(const char *from, size_t len, char *text, size_t size)
{
	size_t out = 0;

	for (size_t i = 0; i < len;) {
		size_t sequence = utf8_sequence(from + i, len - i);
		const char *piece = sequence ? from + i : "\xEF\xBF\xBD";
		size_t piece_len = sequence ? sequence : 3;

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
	size_t len = strspn(word + (*word == '+'), "abcdefghijklmnopqrstuvwxyz"
						   "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:-");

	if (len == 0 || len > SUBCOMMAND_LIMIT || word[len + (*word == '+')] != '\0')
		return false;
	word += *word == '+';
	return (*word >= 'a' && *word <= 'z') || (*word >= 'A' && *word <= 'Z');
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
		else if (*arg != '-')
			return looks_like_subcommand(arg) ? arg : NULL;
	}
	return NULL;
}

/* "samtools {subcommand}" filled in; without one, what stands before it, less its blank. */
static char *fill(const char *template, const char *subcommand, char *text, size_t size)
{
	const char *place = strstr(template, PLACEHOLDER);
	size_t head = place ? (size_t)(place - template) : strlen(template);
	char filled[TOOL_NAME_SIZE * 2];

	if (place && !subcommand && head > 0 && template[head - 1] == ' ')
		head--;
	snprintf(filled, sizeof(filled), "%.*s%s", (int)head, template,
		 place && subcommand ? subcommand : "");
	return name_copy(filled, strlen(filled), text, size);
}

char *command_name(const struct command *command, char *text, size_t size)
{
	const struct rule *rule = command->rule;

	if (!rule || !rule->name)
		return name_copy(command->subject, strlen(command->subject), text, size);
	return fill(rule->name, strstr(rule->name, PLACEHOLDER) ? find_subcommand(command) : NULL,
		    text, size);
}

char *rules_tool(const struct rules *rules, const char *exe, const char *const *argv, size_t argc,
		 char *text, size_t size)
{
	struct command command;

	command_unwrap(rules, exe, argv, argc, &command);
	return command_name(&command, text, size);
}
