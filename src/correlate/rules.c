#include "correlate/rules.h"

#include "base/cleanup.h"
#include "base/map.h"
#include "base/text.h"
#include "correlate/rule.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Built-in rules, one YAML text a file of rules/. */
extern const unsigned char rules_tools_yaml[], rules_programs_yaml[];
extern const size_t rules_tools_yaml_size, rules_programs_yaml_size;

#define NAME_LIMIT 65536 /* names that all rules together may know */

/* A name with one '*'. */
struct pattern {
	const char *head, *tail; /* before and behind the '*' */
	size_t head_len, tail_len;
	const struct rule *rule;
};

/* What the exec of a program means, by the latest rule that has its name. */
enum mark { MARK_NONE, MARK_TRACKED, MARK_EXCLUDED, MARKS };

struct marked {
	const char *name; /* owned by a rule */
	enum mark mark;
};

struct rules {
	struct rule *items[RULES_LIMIT];
	size_t count;
	struct map *exact; /* name → struct rule */
	struct pattern patterns[RULE_PATTERNS_LIMIT];
	size_t pattern_count;
	struct script_rule scripts[RULE_SCRIPTS_LIMIT];
	size_t script_count;
	struct marked marked[RULE_NAMES_LIMIT];
	size_t marked_count;
	struct map *marks;                          /* name → struct marked */
	const char *names[MARKS][RULE_NAMES_LIMIT]; /* of each mark */
	size_t name_counts[MARKS];
	size_t all_names;
	unsigned origins;
};

void rules_free(struct rules *rules)
{
	if (!rules)
		return;
	for (size_t i = 0; i < rules->count; i++)
		rule_free(rules->items[i]);
	for (size_t i = 0; i < rules->script_count; i++)
		script_rule_clear(&rules->scripts[i]);
	map_free(rules->exact);
	map_free(rules->marks);
	free(rules);
}

static enum mark mark_of(const struct rule *rule)
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

static size_t count_patterns(const struct rule_list *list)
{
	size_t count = 0;

	for (size_t i = 0; i < list->count; i++)
		count += strchr(list->texts[i], '*') != NULL;
	return count;
}

/* Whether all of a set finds room. */
static bool fits(const struct rules *rules, const struct rule_set *set)
{
	size_t names = count_names(set), patterns = rules->pattern_count;

	for (size_t i = 0; i < set->count; i++)
		patterns += count_patterns(&set->rules[i]->exe) +
			    count_patterns(&set->rules[i]->operand);
	return rules->count + set->count <= RULES_LIMIT &&
	       rules->script_count + set->script_count <= RULE_SCRIPTS_LIMIT &&
	       rules->marked_count + names <= RULE_NAMES_LIMIT &&
	       rules->all_names + names <= NAME_LIMIT && patterns <= RULE_PATTERNS_LIMIT;
}

static int index_name(struct rules *rules, struct rule *rule, const char *name)
{
	const char *star = strchr(name, '*');
	struct map_text_key key = map_text_key(name, strlen(name));

	if (!star)
		return map_put(rules->exact, &key, rule);
	rules->patterns[rules->pattern_count++] = (struct pattern){
		.head = name,
		.head_len = (size_t)(star - name),
		.tail = star + 1,
		.tail_len = strlen(star + 1),
		.rule = rule,
	};
	return 0;
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
		rc = mark_name(rules, rule->exe.texts[i], mark_of(rule));
	return rc;
}

static int index_rule(struct rules *rules, struct rule *rule)
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
static int add_set(struct rules *rules, struct rule_set *set)
{
	size_t first = rules->count;
	int rc = 0;

	rules->origins++;
	rules->all_names += count_names(set);
	for (size_t i = 0; i < set->count; i++) {
		struct rule *rule = TAKE_PTR(set->rules[i]);

		rule->origin = rules->origins;
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

	if (rc)
		return rc;
	if (!fits(rules, &set))
		rc = error_set(err, -EFBIG, "%s: more rules or names than there is room for",
			       origin);
	else if (add_set(rules, &set))
		rc = error_set(err, -ENOMEM, "%s: out of memory", origin);
	rule_set_clear(&set);
	return rc;
}

/* No rules at all, with room for as many as there may be; NULL: no memory. */
static struct rules *make(void)
{
	struct rules *rules = calloc(1, sizeof(*rules));

	if (!rules)
		return NULL;
	rules->exact = map_new(sizeof(struct map_text_key), NAME_LIMIT);
	rules->marks = map_new(sizeof(struct map_text_key), RULE_NAMES_LIMIT);
	if (!rules->exact || !rules->marks) {
		rules_free(rules);
		return NULL;
	}
	return rules;
}

static int add_built_in(struct rules *rules, struct error *err)
{
	int rc = rules_add(rules, "built-in programs.yaml", (const char *)rules_programs_yaml,
			   rules_programs_yaml_size, err);

	return rc ? rc
		  : rules_add(rules, "built-in tools.yaml", (const char *)rules_tools_yaml,
			      rules_tools_yaml_size, err);
}

int rules_new(struct rules **ret, struct error *err)
{
	struct rules *rules = make();
	int rc = rules ? add_built_in(rules, err) : error_set(err, -ENOMEM, "out of memory");

	if (rc)
		rules_free(rules);
	else
		*ret = rules;
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

static bool pattern_matches(const struct pattern *pattern, const char *name, size_t len)
{
	return len >= pattern->head_len + pattern->tail_len &&
	       memcmp(name, pattern->head, pattern->head_len) == 0 &&
	       memcmp(name + len - pattern->tail_len, pattern->tail, pattern->tail_len) == 0;
}

const struct rule *rules_find(const struct rules *rules, const char *name)
{
	size_t len = strlen(name);
	struct map_text_key key = map_text_key(name, len);
	const struct rule *found = map_get(rules->exact, &key);

	for (size_t i = rules->pattern_count; i-- > 0;) {
		const struct pattern *pattern = &rules->patterns[i];

		if (found && pattern->rule->origin <= found->origin)
			break;
		if (pattern_matches(pattern, name, len))
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
