/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/size/program_memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

#define WORD_MAX 64

/* By the manuals of the programs. */
static const struct form {
	const char *tool;   /* NULL: of any tool */
	const char *option; /* the word itself, or with the value joined */
	bool joined;        /* "-Xmx4g", "--buffer-size=2G"; else the value is the next word */
	const char *each;   /* of what the value is, if not of the program */
} FORMS[] = {
	{ NULL, "-Xmx", true, NULL },
	{ NULL, "-XX:MaxHeapSize=", true, NULL },
	{ NULL, "-XX:MaxRAMPercentage=", true, NULL },
	{ "sort", "-S", false, NULL },
	{ "sort", "-S", true, NULL },
	{ "sort", "--buffer-size=", true, NULL },
	{ "samtools sort", "-m", false, "a thread" },
	{ "samtools sort", "-m", true, "a thread" },
	{ "samtools collate", "-m", false, "a thread" },
	{ "sambamba sort", "-m", false, NULL },
	{ "sambamba sort", "--memory-limit=", true, NULL },
	{ "spades.py", "-m", false, NULL },
	{ "spades.py", "--memory", false, NULL },
	{ "megahit", "-m", false, NULL },
	{ "megahit", "--memory", false, NULL },
	{ "Trinity", "--max_memory", false, NULL },
	{ "STAR", "--limitBAMsortRAM", false, NULL },
	{ "STAR", "--limitGenomeGenerateRAM", false, NULL },
	{ "jellyfish count", "-s", false, NULL },
	{ "kmc", "-m", true, NULL },
};

/* A program of the arguments: its words. */
struct program {
	const char *begin, *end;
};

static size_t word_at(const struct program *program, const char *at, char word[WORD_MAX])
{
	size_t len = strcspn(at, " ");

	if (len > (size_t)(program->end - at))
		len = (size_t)(program->end - at);
	text_cut(at, len, word, WORD_MAX);
	return len;
}

/* The value behind the option; 0: it is not there. */
static size_t value_of(const struct program *program, const struct form *form, const char *word,
		       const char *next, char value[WORD_MAX])
{
	size_t len = strlen(form->option);

	if (form->joined) {
		if (strncmp(word, form->option, len) != 0 || !word[len])
			return 0;
		text_cut(word + len, strlen(word + len), value, WORD_MAX);
		return 1;
	}
	if (strcmp(word, form->option) != 0 || next >= program->end)
		return 0;
	return word_at(program, next, value);
}

static bool is_number(const char *value)
{
	return *value >= '0' && *value <= '9';
}

static bool begins_with_tool(const struct program *program, const char *tool)
{
	size_t len = strlen(tool);

	return (size_t)(program->end - program->begin) >= len &&
	       memcmp(program->begin, tool, len) == 0 &&
	       (program->begin + len == program->end || program->begin[len] == ' ');
}

static bool find_form(const struct program *program, const struct form *form,
		      char ret[PROGRAM_MEMORY_SIZE])
{
	char name[WORD_MAX], word[WORD_MAX], value[WORD_MAX];
	const char *at = program->begin, *next;

	word_at(program, at, name);
	for (; at < program->end; at = next) {
		next = at + word_at(program, at, word);
		next += next < program->end;
		if (!value_of(program, form, word, next, value) || !is_number(value))
			continue;
		return snprintf(ret, PROGRAM_MEMORY_SIZE, "%s %s%s%s%s%s",
				form->tool ? form->tool : name, form->option,
				form->joined ? "" : " ", value, form->each ? " of " : "",
				form->each ? form->each : "") > 0;
	}
	return false;
}

static bool find(const struct program *program, char ret[PROGRAM_MEMORY_SIZE])
{
	for (size_t i = 0; i < sizeof(FORMS) / sizeof(FORMS[0]); i++)
		if ((!FORMS[i].tool || begins_with_tool(program, FORMS[i].tool)) &&
		    find_form(program, &FORMS[i], ret))
			return true;
	return false;
}

const char *program_memory_find(const char *arguments, char ret[PROGRAM_MEMORY_SIZE])
{
	struct program program = { .begin = arguments };

	while (*program.begin) {
		const char *end = strstr(program.begin, "; ");

		program.end = end ? end : program.begin + strlen(program.begin);
		if (find(&program, ret))
			return ret;
		program.begin = end ? end + 2 : program.end;
	}
	return NULL;
}
