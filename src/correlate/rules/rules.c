/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/rules/rules_private.h"

#include "base/cleanup.h"
#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void rules_free(struct rules *rules)
{
	if (!rules)
		return;
	for (size_t i = 0; i < rules->count; i++)
		rule_free(rules->items[i]);
	for (size_t i = 0; i < rules->script_count; i++)
		script_rule_clear(&rules->scripts[i]);
	for (size_t i = 0; i < rules->origin_count; i++)
		free(rules->origins[i]);
	map_free(rules->exact);
	map_free(rules->marks);
	free(rules);
}

enum mark rule_mark(const struct rule *rule)
{
	if (rule->kind == RULE_EXCLUDED)
		return MARK_EXCLUDED;
	if (rule->tracked != ANSWER_UNSET)
		return rule->tracked == ANSWER_YES ? MARK_TRACKED : MARK_NONE;
	return rule->kind == RULE_TOOL || rule->kind == RULE_INTERPRETER ? MARK_TRACKED : MARK_NONE;
}

static size_t count_names(const struct rule_set *set)
{
	size_t count = 0;

	for (size_t i = 0; i < set->count; i++)
		count += set->rules[i]->exe.count + set->rules[i]->operand.count;
	return count;
}

/* Every argument of a command may be held against each of them. */
static size_t count_arguments(const struct rule_set *set)
{
	size_t count = 0;

	for (size_t i = 0; i < set->count; i++)
		count += set->rules[i]->conditions[CONDITION_ARGUMENT].count;
	return count;
}

static size_t count_patterns(const struct rule_list *list)
{
	size_t count = 0;

	for (size_t i = 0; i < list->count; i++)
		count += strchr(list->texts[i], '*') != NULL;
	return count;
}

/* Says which table is too small for a set; NULL: none is. */
static const char *lacks_room(const struct rules *rules, const struct rule_set *set)
{
	size_t names = count_names(set), patterns = rules->pattern_count;
	size_t arguments = rules->argument_count + count_arguments(set);

	for (size_t i = 0; i < set->count; i++)
		patterns += count_patterns(&set->rules[i]->exe) +
			    count_patterns(&set->rules[i]->operand);
	if (rules->origin_count == RULE_ORIGINS_LIMIT)
		return "more files of rules than there is room for (512)";
	if (rules->count + set->count > RULES_LIMIT)
		return "more rules than there is room for (16,384, built-in ones included)";
	if (rules->script_count + set->script_count > RULE_SCRIPTS_LIMIT)
		return "more 'scripts' than there is room for (64)";
	if (rules->marked_count + names > RULE_NAMES_LIMIT)
		return "more names than the kernel's table has room for (16,384)";
	if (rules->named_count + names > RULE_ALL_NAMES_LIMIT)
		return "more names than there is room for (65,536)";
	if (arguments > RULE_ARGUMENT_LIMIT)
		return "more texts under 'argument' than there is room for (4,096)";
	return patterns > RULE_PATTERNS_LIMIT
		       ? "more names with a '*' than there is room for (1,024)"
		       : NULL;
}

static void index_pattern(struct rules *rules, const struct rule *rule, const char *text)
{
	const struct pattern **latest = &rules->latest[(unsigned char)*text];
	struct pattern *pattern = &rules->patterns[rules->pattern_count++];

	*pattern = (struct pattern){ .text = text, .rule = rule, .earlier = *latest };
	*latest = pattern;
}

static int index_name(struct rules *rules, const struct rule *rule, const char *name)
{
	struct map_text_key key = map_text_key(name, strlen(name));
	struct named *named;

	if (strchr(name, '*')) {
		index_pattern(rules, rule, name);
		return 0;
	}
	named = &rules->named[rules->named_count++];
	named->rule = rule;
	named->earlier = map_get(rules->exact, &key);
	return map_put(rules->exact, &key, named);
}

static int mark_name(struct rules *rules, const char *name, enum mark mark)
{
	struct map_text_key key = map_text_key(name, strlen(name));
	struct marked *marked = map_get(rules->marks, &key);

	if (!marked && mark != MARK_NONE && !strchr(name, '*')) {
		marked = &rules->marked[rules->marked_count++];
		marked->name = name;
		if (map_put(rules->marks, &key, marked) < 0)
			return -ENOMEM;
	}
	if (marked)
		marked->mark = mark;
	return 0;
}

static int mark_names(struct rules *rules, const struct rule *rule)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < rule->exe.count; i++)
		rc = mark_name(rules, rule->exe.texts[i], rule_mark(rule));
	return rc;
}

static int index_rule(struct rules *rules, const struct rule *rule)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < rule->exe.count; i++)
		rc = index_name(rules, rule, rule->exe.texts[i]);
	for (size_t i = 0; !rc && i < rule->operand.count; i++)
		rc = index_name(rules, rule, rule->operand.texts[i]);
	return rc ? rc : mark_names(rules, rule);
}

static void list_names(struct rules *rules)
{
	memset(rules->name_counts, 0, sizeof(rules->name_counts));
	for (size_t i = 0; i < rules->marked_count; i++) {
		const struct marked *marked = &rules->marked[i];

		rules->names[marked->mark][rules->name_counts[marked->mark]++] = marked->name;
	}
}

static void take_scripts(struct rules *rules, struct rule_set *set)
{
	for (size_t i = 0; i < set->script_count; i++) {
		rules->scripts[rules->script_count++] = set->scripts[i];
		set->scripts[i] = (struct script_rule){ 0 };
	}
}

/* What a file excludes is, wherever in the file it says so. */
static int add_set(struct rules *rules, const char *origin, struct rule_set *set)
{
	size_t first = rules->count;
	int rc = rule_text_set(&rules->origins[rules->origin_count], origin);

	if (rc)
		return rc;
	rules->origin_count++;
	rules->argument_count += count_arguments(set);
	for (size_t i = 0; i < set->count; i++) {
		struct rule *rule = TAKE_PTR(set->rules[i]);

		rule->origin = rules->origin_count;
		rules->items[rules->count++] = rule;
		if (!rc && rule->kind != RULE_EXCLUDED)
			rc = index_rule(rules, rule);
	}
	for (size_t i = first; !rc && i < rules->count; i++)
		if (rules->items[i]->kind == RULE_EXCLUDED)
			rc = mark_names(rules, rules->items[i]);
	take_scripts(rules, set);
	list_names(rules);
	return rc;
}

int rules_add(struct rules *rules, const char *origin, const char *yaml, size_t len,
	      struct error *err)
{
	struct rule_set set = { 0 };
	int rc = rule_set_parse(&set, origin, yaml, len, err);
	const char *lack;

	if (rc)
		return rc;
	lack = lacks_room(rules, &set);
	if (lack)
		rc = error_set(err, -EFBIG, "%s: %s", origin, lack);
	else if (add_set(rules, origin, &set))
		rc = error_set(err, -ENOMEM, "%s: out of memory", origin);
	rule_set_clear(&set);
	return rc;
}

size_t rules_names(const struct rules *rules, const char *const **ret)
{
	*ret = rules->names[MARK_TRACKED];
	return rules->name_counts[MARK_TRACKED];
}

size_t rules_excluded(const struct rules *rules, const char *const **ret)
{
	*ret = rules->names[MARK_EXCLUDED];
	return rules->name_counts[MARK_EXCLUDED];
}

size_t rules_count(const struct rules *rules)
{
	return rules->count;
}

const char *rules_origin(const struct rules *rules, const struct rule *rule)
{
	return rules->origins[rule->origin - 1];
}

enum rule_tracking rules_tracking(const struct rules *rules, const char *name)
{
	static const enum rule_tracking trackings[] = {
		[MARK_NONE] = RULE_IN_RUNS,
		[MARK_TRACKED] = RULE_BEGINS,
		[MARK_EXCLUDED] = RULE_NEVER,
	};
	struct map_text_key key = map_text_key(name, strlen(name));
	const struct marked *marked = map_get(rules->marks, &key);

	return trackings[marked ? marked->mark : MARK_NONE];
}

/* The later of two patterns, of which the one before is next. NULL: none. */
static const struct pattern *take_later(const struct pattern **a, const struct pattern **b)
{
	const struct pattern **later = *a > *b ? a : b; /* both point into one array */
	const struct pattern *pattern = *later;

	if (pattern)
		*later = pattern->earlier;
	return pattern;
}

const struct rule *rules_find(const struct rules *rules, const struct rule_query *query)
{
	struct map_text_key key = map_text_key(query->name, strlen(query->name));
	const struct named *named = map_get(rules->exact, &key);
	const struct pattern *same = rules->latest[(unsigned char)*query->name];
	const struct pattern *any = rules->latest['*'], *pattern;
	const struct rule *found;

	while (named && !rule_holds(named->rule, query))
		named = named->earlier;
	found = named ? named->rule : NULL;
	while ((pattern = take_later(&same, &any))) {
		if (found && pattern->rule->origin <= found->origin)
			break;
		if (text_matches(pattern->text, query->name) && rule_holds(pattern->rule, query))
			return pattern->rule;
	}
	return found;
}

/* The length of strip at the beginning of name, or 0. */
static size_t strip_len(const char *strip, const char *name)
{
	size_t i = 0;

	while (strip[i]) {
		if (!name[i] || (strip[i] != '?' && strip[i] != name[i]))
			return 0;
		i++;
	}
	return name[i] ? i : 0;
}

const char *rules_script_name(const struct rules *rules, const char *path)
{
	const char *name = text_basename(path);

	for (size_t i = rules->script_count; i-- > 0;) {
		const struct script_rule *script = &rules->scripts[i];
		size_t folder_len = strlen(script->folder);
		size_t before = (size_t)(name - path);

		if (before > folder_len &&
		    memcmp(name - 1 - folder_len, script->folder, folder_len) == 0)
			return name + strip_len(script->strip, name);
	}
	return name;
}
