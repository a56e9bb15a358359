/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/command/plan.h"

#include "base/text.h"
#include "correlate/engines/engine.h"
#include "correlate/command/shell.h"

#include <string.h>

/* bash(1), "SHELL GRAMMAR" and "SHELL BUILTIN COMMANDS", and functions that module systems and
 * conda define in each shell. */
static const char *const shells_own[] = {
	".",       ":",        "[",       "[[",      "]]",         "alias",    "bg",     "bind",
	"break",   "caller",   "case",    "cd",      "compgen",    "complete", "conda",  "continue",
	"coproc",  "declare",  "dirs",    "disown",  "done",       "echo",     "enable", "esac",
	"eval",    "exit",     "export",  "false",   "fc",         "fg",       "fi",     "for",
	"getopts", "hash",     "help",    "history", "in",         "jobs",     "kill",   "let",
	"local",   "logout",   "mamba",   "mapfile", "micromamba", "ml",       "module", "popd",
	"printf",  "pushd",    "pwd",     "read",    "readarray",  "readonly", "return", "select",
	"set",     "shift",    "shopt",   "source",  "suspend",    "test",     "times",  "trap",
	"true",    "type",     "typeset", "ulimit",  "umask",      "unalias",  "unset",  "wait",
	"}",       "function",
};

struct reading {
	const struct rules *rules;
	const struct rule_context *rule_context;
	const char *text;
	bool known_only; /* words that no rule knows may be a document's */
};

static bool is_shells_own(const char *word)
{
	for (size_t i = 0; i < sizeof(shells_own) / sizeof(*shells_own); i++)
		if (*word == *shells_own[i] && strcmp(word, shells_own[i]) == 0)
			return true;
	return false;
}

/* A word that can be a program's name or path: the shell expands nothing in it. */
static bool is_program(const char *word)
{
	const char *name = text_basename(word);

	if (!text_is_alnum(*name) || is_shells_own(word))
		return false;
	for (; *word; word++)
		if (!text_is_alnum(*word) && !strchr("_./+-", *word) && !(*word & 0x80))
			return false;
	return true;
}

/* "name() {" */
static bool is_function(const char *text, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = text; (at = strstr(at, name)); at += len) {
		const char *behind = at + len + strspn(at + len, " \t");

		if ((at == text || !text_is_alnum(at[-1])) && behind[0] == '(' &&
		    behind[1 + strspn(behind + 1, " \t")] == ')')
			return true;
	}
	return false;
}

static void unwrap(const struct reading *reading, const char *const *words, size_t count,
		   struct command *ret)
{
	command_unwrap(reading->rules, words[0], words, count, reading->rule_context, ret);
}

/* The tool that a launcher starts, if a rule names it. false: unknown. */
static bool behind_launcher(const struct reading *reading, const char *const *words, size_t count,
			    struct command *ret)
{
	for (size_t i = 1; i < count; i++) {
		if (!is_program(words[i]))
			continue;
		unwrap(reading, words + i, count - i, ret);
		if ((ret->rule && ret->rule->kind == RULE_TOOL) || ret->depth > 0)
			return true;
	}
	return false;
}

static bool find_tool(const struct reading *reading, const char *const *words, size_t count,
		      struct command *ret)
{
	if (!is_program(words[0]) || is_function(reading->text, words[0]))
		return false;
	unwrap(reading, words, count, ret);
	if (ret->rule && ret->rule->kind == RULE_LAUNCHER &&
	    !behind_launcher(reading, words, count, ret))
		return false;
	if (!ret->rule)
		return !reading->known_only && is_program(ret->subject);
	return ret->rule->kind != RULE_SHELL && ret->rule->kind != RULE_EXCLUDED && !engine_of(ret);
}

void plan_read(const struct rules *rules, const struct rule_context *rule_context, const char *text,
	       void (*add)(const struct plan_tool *tool, void *context), void *context)
{
	struct reading reading = { rules, rule_context, text,
				   strstr(text, "<<") || strstr(text, "esac") };
	struct shell_text words;
	size_t count;

	shell_read(&words, text);
	count = words.command_count;
	if (count > 0 &&
	    (strnlen(text, SHELL_TEXT_LIMIT) == SHELL_TEXT_LIMIT ||
	     words.word_count == SHELL_WORD_LIMIT) &&
	    words.commands[count - 1].end - words.commands[count - 1].first < 3)
		count--; /* it is cut */
	for (size_t i = 0; i < count && i < PLAN_LIMIT; i++) {
		const struct shell_command *at = &words.commands[i];
		struct command command;
		struct plan_tool tool = { .command = &command };

		if (!find_tool(&reading, words.words + at->first, at->end - at->first, &command))
			continue;
		command_name(&command, tool.name, sizeof(tool.name));
		add(&tool, context);
	}
}
