/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/rules/rule.h"

#include "base/text.h"
#include "correlate/rules/rule_context.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int rule_text_set(char **field, const char *text)
{
	*field = strdup(text);
	return *field ? 0 : -ENOMEM;
}

static void list_clear(struct rule_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->texts[i]);
	free(list->texts);
	*list = (struct rule_list){ 0 };
}

const char *rule_name_fault(const char *name)
{
	const char *star = strchr(name, '*');

	if (strchr(name, '/'))
		return "a name holds no '/': ";
	if (star && (strchr(star + 1, '*') || !name[1]))
		return "one '*' and something beside it: ";
	return NULL;
}

const char *rule_pattern_fault(const char *text)
{
	const char *star = strchr(text, '*');

	return star && strchr(star + 1, '*') ? "one '*' at most: " : NULL;
}

bool rule_is_interpreter(const struct rule *rule)
{
	return rule->kind == RULE_INTERPRETER || rule->kind == RULE_SHELL;
}

bool rule_list_has(const struct rule_list *list, const char *text)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->texts[i], text) == 0)
			return true;
	return false;
}

void rule_free(struct rule *rule)
{
	if (!rule)
		return;
	list_clear(&rule->exe);
	list_clear(&rule->operand);
	for (size_t i = 0; i < CONDITIONS; i++)
		list_clear(&rule->conditions[i]);
	list_clear(&rule->options);
	list_clear(&rule->code);
	list_clear(&rule->module);
	list_clear(&rule->file);
	free(rule->name);
	free(rule->subcommand_option);
	free(rule);
}

void script_rule_clear(struct script_rule *script)
{
	free(script->folder);
	free(script->strip);
	*script = (struct script_rule){ 0 };
}

void rule_set_clear(struct rule_set *set)
{
	for (size_t i = 0; set->rules && i < set->count; i++)
		rule_free(set->rules[i]);
	for (size_t i = 0; set->scripts && i < set->script_count; i++)
		script_rule_clear(&set->scripts[i]);
	free(set->rules);
	free(set->scripts);
	*set = (struct rule_set){ 0 };
}

static bool any_matches(const struct rule_list *list, const char *text)
{
	for (size_t i = 0; text && i < list->count; i++)
		if (text_matches(list->texts[i], text))
			return true;
	return false;
}

static bool argument_matches(const struct rule_list *list, const struct rule_query *query)
{
	for (size_t i = 0; i < query->count; i++)
		if (any_matches(list, query->args[i]))
			return true;
	return false;
}

bool rule_holds(const struct rule *rule, const struct rule_query *query)
{
	const struct rule_context *context = query->context;
	const char *const texts[CONDITIONS] = {
		[CONDITION_CWD] = context->cwd,
		[CONDITION_IMAGE] = context->image,
		[CONDITION_PARENT] = context->parent,
		[CONDITION_USER] = context->user,
	};

	for (enum rule_condition i = 0; i < CONDITIONS; i++) {
		const struct rule_list *list = &rule->conditions[i];

		if (list->count == 0)
			continue;
		if (i == CONDITION_ARGUMENT ? !argument_matches(list, query)
					    : !any_matches(list, texts[i]))
			return false;
	}
	return true;
}

bool rule_covers(const struct rule *rule, const struct rule *other)
{
	for (enum rule_condition i = 0; i < CONDITIONS; i++) {
		const struct rule_list *asked = &rule->conditions[i],
				       *given = &other->conditions[i];

		if (asked->count == 0)
			continue;
		for (size_t k = 0; k < given->count; k++)
			if (!any_matches(asked, given->texts[k]))
				return false;
		if (given->count == 0)
			return false;
	}
	return true;
}
