/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/replay/engine_slots.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS_MAX 4
#define SLACK       1.01 /* sums of slots that are equal differ by less */

/* What an engine takes as its slots. */
enum preset {
	PRESET_CPUS, /* as many as the host has CPUs */
	PRESET_ONE,
	PRESET_UNLIMITED,
	PRESET_MEASURED,
};

static const struct rule {
	const char *engine;
	const char *options[OPTIONS_MAX]; /* each with a number */
	enum preset absent, bare;         /* no such option; an option without a number ("all") */
} RULES[] = {
	{ "nextflow", { NULL }, PRESET_CPUS, PRESET_CPUS },
	{ "snakemake", { "--cores", "-c", "--jobs", "-j" }, PRESET_CPUS, PRESET_CPUS },
	{ "make", { "--jobs", "-j" }, PRESET_ONE, PRESET_UNLIMITED },
	{ "", { NULL }, PRESET_MEASURED, PRESET_MEASURED },
};

static const struct {
	const char *because;
	bool follows;
} PRESETS[] = {
	[PRESET_CPUS] = { "its engine takes the CPUs of its host", true },
	[PRESET_ONE] = { "its engine runs one task at a time unless its command says otherwise",
			 false },
	[PRESET_UNLIMITED] = { "its engine runs all tasks that are ready", false },
	[PRESET_MEASURED] = { "so many were taken at most; what sets their number is not known",
			      false },
};

static const struct rule *rule_of(const char *engine)
{
	const struct rule *rule = RULES;

	while (*rule->engine && strcmp(rule->engine, engine) != 0)
		rule++;
	return rule;
}

static bool is_long(const char *option)
{
	return option[0] == '-' && option[1] == '-';
}

/* What follows the option at the begin of a text, which has its value in itself ("-c2",
 * "--cores=2") or behind it; NULL: the option is another one. */
static const char *value_of(const char *text, const char *option)
{
	size_t len = strlen(option);

	if (strncmp(text, option, len) != 0)
		return NULL;
	text += len;
	if (is_long(option) && *text && *text != ' ' && *text != '=')
		return NULL;
	if (*text == '=')
		return text + 1;
	while (*text == ' ')
		text++;
	return text;
}

/* The value of the first of the rule's options; NULL: there is none. */
static const char *find_value(const struct rule *rule, const char *command)
{
	for (const char *at = strchr(command, ' '); at; at = strchr(at + 1, ' '))
		for (size_t i = 0; i < OPTIONS_MAX && rule->options[i]; i++) {
			const char *value = value_of(at + 1, rule->options[i]);

			if (value)
				return value;
		}
	return NULL;
}

static struct engine_slots preset_slots(enum preset preset, double peak, double cores)
{
	double slots[] = { [PRESET_CPUS] = cores,
			   [PRESET_ONE] = 1,
			   [PRESET_UNLIMITED] = INFINITY,
			   [PRESET_MEASURED] = peak };

	return (struct engine_slots){ .slots = slots[preset],
				      .tasks = INFINITY,
				      .follows = PRESETS[preset].follows,
				      .because = PRESETS[preset].because };
}

struct engine_slots engine_slots_find(const struct replay_engine *engine, double peak, double cores)
{
	const struct rule *rule = rule_of(engine->name);
	const char *value = find_value(rule, engine->command);
	double number = value && isdigit((unsigned char)*value) ? strtod(value, NULL) : 0;
	struct engine_slots slots =
		preset_slots(value ? rule->bare : rule->absent, peak, floor(fmax(cores, 1)));

	if (number >= 1) {
		slots.slots = number;
		slots.follows = false;
		slots.because = "its command says so many";
	}
	if (slots.slots * SLACK < peak) {
		slots = preset_slots(PRESET_MEASURED, peak, cores);
		slots.because = "so many were taken, more than its engine takes by itself";
	}
	slots.tasks = engine->task_limit > 0 ? (double)engine->task_limit : INFINITY;
	return slots;
}

double engine_slots_on(const struct engine_slots *slots, double cores)
{
	return slots->follows ? floor(fmax(cores, 1)) : slots->slots;
}
