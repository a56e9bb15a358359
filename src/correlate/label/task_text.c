/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/label/task_text.h"

#include "base/buffer.h"
#include "base/cleanup.h"
#include "correlate/model/record.h"
#include "correlate/rules/rule.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *task_text_program(const struct exec_view *exec)
{
	const struct command *command = exec->command;

	if (!command->rule || command->rule->kind != RULE_SHELL)
		return NULL;
	for (size_t i = 0; i + 1 < command->count; i++) {
		const char *arg = command->args[i];

		if (arg[0] == '-' && arg[1] != '-' && strchr(arg, 'c'))
			return command->args[i + 1];
	}
	return NULL;
}

/* An argument of the image is masked together with its neighbours; a text that a launcher was given
 * in one word is masked by itself. */
static void append_program(const struct tree_image *image, const char *program, struct buffer *out)
{
	for (size_t i = 0; image->masked && i < image->argc; i++)
		if (image->argv[i] == program) {
			record_command(&image->masked[i], 1, SHELL_TEXT_LIMIT, out);
			return;
		}
	record_program(program, SHELL_TEXT_LIMIT, out);
}

/* Appends the image's command line, masked, to what is known; of a shell its program alone. */
static void append(struct task *task, const struct exec_view *exec, const char *program)
{
	struct buffer text CLEANUP(buffer_clear) = { 0 };

	buffer_init(&text, SHELL_TEXT_LIMIT + 1);
	if (task->shell_text) {
		buffer_append_text(&text, task->shell_text);
		buffer_append_char(&text, '\n');
	}
	if (program)
		append_program(exec->image, program, &text);
	else
		record_command(exec->image->masked, exec->image->argc, SHELL_TEXT_LIMIT, &text);
	if (text.failed)
		return;
	free(task->shell_text);
	task->shell_text = buffer_take(&text);
}

void task_text_add(struct task *task, const struct exec_view *exec)
{
	const char *program = task_text_program(exec);

	if (!task->shell_text || (program && strlen(task->shell_text) + 1 < SHELL_TEXT_LIMIT))
		append(task, exec, program);
}

const char *task_text(const struct task *task)
{
	return task->shell_text ? task->shell_text : "";
}

void task_text_also(struct task *task, const struct exec_view *exec)
{
	append(task, exec, task_text_program(exec));
	task->root_len = strlen(task_text(task));
}

void task_text_begin(struct task *task, const struct exec_view *exec)
{
	task_text_add(task, exec);
	task->root_len = strlen(task_text(task));
}

void task_text_tried(const struct task *task, const struct rules *rules,
		     char text[SHELL_TEXT_LIMIT + 1])
{
	struct shell_text words;
	size_t used = 0;

	text_cut(task_text(task), task->root_len, text, SHELL_TEXT_LIMIT + 1);
	shell_read(&words, text);
	for (size_t i = 0; i < words.word_count && used < SHELL_TEXT_LIMIT; i++) {
		const char *word = words.words[i];
		const char *name = strchr(word, '/') ? rules_script_name(rules, word) : word;

		if (name == text_basename(word))
			name = word;
		used += (size_t)snprintf(text + used, SHELL_TEXT_LIMIT + 1 - used, "%s\n", name);
	}
}

void task_text_drop(struct task *task)
{
	free(TAKE_PTR(task->shell_text));
	task->root_len = 0;
}
