/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/fixture_tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#define SECOND_NS 1000000000

size_t scene_find(const struct scene *scene, char name)
{
	for (size_t i = 0; i < scene->count; i++)
		if (scene->names[i] == name)
			return i;
	assert_true(name == '-');
	return PROCESS_NONE;
}

static int64_t instant_of(const char *text)
{
	return *text == '?' ? 0 : (int64_t)(strtod(text, NULL) * SECOND_NS);
}

static void read_end(struct tree_process *process, const char *word)
{
	process->status = strcmp(word, "run") == 0    ? PROCESS_RUNNING
			  : strcmp(word, "lost") == 0 ? PROCESS_LOST
			  : *word == 'c'              ? PROCESS_FAILED
			  : *word == 's'              ? PROCESS_KILLED
						      : PROCESS_SUCCEEDED;
	if (process->status == PROCESS_FAILED)
		process->exit_code = atoi(word + 1);
	if (process->status == PROCESS_KILLED)
		process->signal = atoi(word + 1);
}

static bool read_option(struct tree_process *process, const char *word)
{
	if (strncmp(word, "in=", 3) == 0)
		process->pipe_in = strtoull(word + 3, NULL, 10);
	else if (strncmp(word, "out=", 4) == 0)
		process->pipe_out = strtoull(word + 4, NULL, 10);
	else if (strncmp(word, "task=", 5) == 0)
		process->task = strtoull(word + 5, NULL, 10);
	else if (strncmp(word, "by=", 3) == 0)
		process->killed_by = (size_t)word[3]; /* its name, for now */
	else if (strcmp(word, "oom") == 0)
		process->oom_killed = true;
	else
		return false;
	return true;
}

static void blanks(char *word)
{
	for (; *word; word++)
		if (*word == '_')
			*word = ' ';
}

static void read_program(struct scene *scene, struct tree_process *process, char *kind, char **rest)
{
	const char **argv = scene->argv[scene->count];
	char *word, *tool = strchr(kind, '/');

	if (tool)
		*tool++ = '\0';
	while ((word = strtok_r(NULL, " ", rest))) {
		assert_true(process->argc < SCENE_ARG_MAX);
		blanks(word);
		argv[process->argc++] = word;
	}
	process->argv = argv;
	process->kind = strcmp(kind, ".") == 0 ? "" : kind;
	process->tool = process->argc ? argv[0] : "";
	if (tool) {
		blanks(tool);
		process->tool = tool;
	}
}

static void read_line(struct scene *scene, char *line)
{
	struct tree_process *process = &scene->processes[scene->count];
	char *rest, *word = strtok_r(line, " ", &rest);

	assert_true(scene->count < SCENE_MAX);
	scene->names[scene->count] = *word;
	process->parent = (size_t)*strtok_r(NULL, " ", &rest); /* its name, for now */
	word = strtok_r(NULL, " ", &rest);
	process->started_at = instant_of(word);
	process->ended_at = instant_of(strchr(word, '-') + 1);
	read_end(process, strtok_r(NULL, " ", &rest));
	do
		word = strtok_r(NULL, " ", &rest);
	while (read_option(process, word));
	read_program(scene, process, word, &rest);
	scene->count++;
}

void scene_read(struct scene *scene, const char *text)
{
	char *rest, *line;

	*scene = (struct scene){ 0 };
	assert_true(strlen(text) < sizeof(scene->text));
	strcpy(scene->text, text);
	for (line = strtok_r(scene->text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		read_line(scene, line);
	for (size_t i = 0; i < scene->count; i++) {
		struct tree_process *process = &scene->processes[i];

		process->parent = scene_find(scene, (char)process->parent);
		if (process->killed_by)
			process->killed_by = 1 + scene_find(scene, (char)process->killed_by);
	}
}
