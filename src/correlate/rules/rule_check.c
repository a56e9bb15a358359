/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/rules/rules_private.h"

#include "base/text.h"
#include "correlate/command/command.h"

#include <stdio.h>
#include <string.h>

#define LINE_SIZE 1024

/* Reports rules that match nothing, or contradict each other. */
struct checker {
	const struct rules *rules;
	void (*say)(const char *line, void *context);
	void *context;
};

static void say(const struct checker *checker, const struct rule *rule, const char *name,
		const char *what, const struct rule *other)
{
	char line[LINE_SIZE], text[RULE_TEXT_LIMIT + 1];

	name_copy(name, strlen(name), text, sizeof(text));
	(void)snprintf(line, sizeof(line), "%s:%u: '%s' %s %s:%u",
		       rules_origin(checker->rules, rule), rule->line, text, what,
		       rules_origin(checker->rules, other), other->line);
	checker->say(line, checker->context);
}

/* Whether a rule comes after another and asks for no more. */
static bool hides(const struct rule *later, const struct rule *rule)
{
	return later != rule && rule_covers(later, rule);
}

/* The rule that always precedes this one for a name; NULL: none. */
static const struct rule *hiding_name(const struct rules *rules, const struct rule *rule,
				      const char *name)
{
	struct map_text_key key = map_text_key(name, strlen(name));

	for (const struct named *named = map_get(rules->exact, &key); named && named->rule != rule;
	     named = named->earlier)
		if (hides(named->rule, rule))
			return named->rule;
	for (size_t i = rules->pattern_count; i-- > 0;) {
		const struct pattern *pattern = &rules->patterns[i];

		if (pattern->rule->origin > rule->origin && text_matches(pattern->text, name) &&
		    hides(pattern->rule, rule))
			return pattern->rule;
	}
	return NULL;
}

/* The same of a name with a '*': every name it matches, a later pattern matches. */
static const struct rule *hiding_pattern(const struct rules *rules, const struct rule *rule,
					 const char *name)
{
	for (size_t i = rules->pattern_count; i-- > 0;) {
		const struct pattern *pattern = &rules->patterns[i];

		if (pattern->rule == rule)
			return NULL;
		if (text_matches(pattern->text, name) && hides(pattern->rule, rule))
			return pattern->rule;
	}
	return NULL;
}

static void check_list(const struct checker *checker, const struct rule *rule,
		       const struct rule_list *names)
{
	for (size_t i = 0; i < names->count; i++) {
		const char *name = names->texts[i];
		const struct rule *hiding = strchr(name, '*')
						    ? hiding_pattern(checker->rules, rule, name)
						    : hiding_name(checker->rules, rule, name);

		if (hiding)
			say(checker, rule, name, "is never used: it is also in", hiding);
	}
}

/* A name that the same file excludes and tracks. */
static void check_excluded(const struct checker *checker, const struct rule *rule)
{
	for (size_t i = 0; i < rule->exe.count; i++) {
		const char *name = rule->exe.texts[i];
		struct map_text_key key = map_text_key(name, strlen(name));

		for (const struct named *named = map_get(checker->rules->exact, &key); named;
		     named = named->earlier)
			if (named->rule->origin == rule->origin &&
			    rule_mark(named->rule) == MARK_TRACKED)
				say(checker, rule, name,
				    "is excluded, and so never tracked, against", named->rule);
	}
}

void rules_check(const struct rules *rules, void (*tell)(const char *line, void *context),
		 void *context)
{
	const struct checker checker = { .rules = rules, .say = tell, .context = context };

	for (size_t i = 0; i < rules->count; i++) {
		const struct rule *rule = rules->items[i];

		if (rule->origin <= rules->built_in_count)
			continue;
		if (rule->kind == RULE_EXCLUDED) {
			check_excluded(&checker, rule);
			continue;
		}
		check_list(&checker, rule, &rule->exe);
		check_list(&checker, rule, &rule->operand);
	}
}
