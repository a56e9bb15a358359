/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/engines/engine.h"

#include "correlate/tree/pod.h"
#include "correlate/model/run.h"
#include "correlate/label/sample.h"
#include "correlate/model/task.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Argo Workflows runs a node of a workflow as a pod; its main container is `argoexec emissary … --
 * CMD`, which starts CMD (docs/engines/argo.md). Which workflow and node that is the controller
 * writes into the pod's labels and annotations, which the container runtime returns.
 */
#define SUFFIX_ALPHABET "bcdfghjklmnpqrstvwxz2456789" /* of names that Kubernetes makes up */
#define SUFFIX_LEN      5

static bool argo_begins(const struct exec_view *exec)
{
	return exec->command->count > 0 && strcmp(exec->command->args[0], "emissary") == 0;
}

/* Until its pod is known. */
static void argo_describe(struct run *run, const struct exec_view *exec)
{
	run_set_pipeline(run, "argo", false);
}

static bool argo_is_task(const struct run *run, const struct exec_view *exec)
{
	return true;
}

/* "rnaseq-x7kq2" is a run of "rnaseq-": its name was made up. */
static void set_pipeline(struct run *run, const char *workflow)
{
	char name[RECORD_NAME_LIMIT];
	size_t len = strlen(workflow);

	if (len > SUFFIX_LEN + 1 && workflow[len - SUFFIX_LEN - 1] == '-' &&
	    strspn(workflow + len - SUFFIX_LEN, SUFFIX_ALPHABET) == SUFFIX_LEN)
		len -= SUFFIX_LEN + 1;
	run_set_pipeline(run, name_copy(workflow, len, name, sizeof(name)), false);
}

static void argo_name_by_pod(struct run *run, const struct pod *pod)
{
	char workflow[2 * RECORD_NAME_LIMIT];

	run_set_name(run, pod->workflow ? pod->workflow : pod->name, false);
	if (!pod->workflow)
		return;
	set_pipeline(run, pod->workflow);
	(void)snprintf(workflow, sizeof(workflow), "argo %s %s", pod->namespace, pod->workflow);
	run->workflow = strdup(workflow);
	if (pod->node && text_starts_with(pod->node, pod->workflow))
		run->node = strdup(pod->node + strlen(pod->workflow));
}

/* What a node's name says behind the workflow's: "[0].align(1:liver)(2)", in the second group of
 * steps (the first has no number), for an item, the third try. */
struct node {
	char step[RECORD_NAME_LIMIT], sample[SAMPLE_SIZE];
	unsigned tries; /* before it */
};

/* "(1:liver)", "(2)" */
static void read_group(const char *text, size_t len, struct node *ret)
{
	size_t digits = strspn(text, "0123456789");

	if (digits && digits == len)
		ret->tries = (unsigned)strtoul(text, NULL, 10);
	else if (digits && digits < len && text[digits] == ':')
		name_copy(text + digits + 1, len - digits - 1, ret->sample, sizeof(ret->sample));
}

/* Up to the parenthesis that closes it: an item may hold others. */
static size_t group_len(const char *text)
{
	size_t len = 0;

	for (int depth = 0; text[len] && (text[len] != ')' || depth > 0); len++)
		depth += (text[len] == '(') - (text[len] == ')');
	return len;
}

static void read_node(const char *text, struct node *ret)
{
	char step[RECORD_NAME_LIMIT];
	size_t used = 0, len;

	*ret = (struct node){ .tries = 0 };
	for (; *text; text++) {
		if (*text == '(') {
			len = group_len(text + 1);
			read_group(text + 1, len, ret);
			text += len + (text[len + 1] != '\0');
		} else if (*text == '[') {
			len = strcspn(text, "]");
			text += text[len] ? len : len - 1;
		} else if ((*text != '.' || used > 0) && used + 1 < sizeof(step)) {
			step[used++] = *text;
		}
	}
	name_copy(step, used, ret->step, sizeof(ret->step));
}

static void argo_name_task(struct task *task, const struct exec_view *exec)
{
	struct node node;

	if (!task->run->node || task->named)
		return;
	read_node(task->run->node, &node);
	if (!*node.step) /* the workflow is one node */
		return;
	task_set_name(task, node.step, node.sample);
	task->record.attempt = node.tries + 1;
}

const struct engine engine_argo = {
	.name = "argo",
	.program = "argoexec",
	.begins = argo_begins,
	.describe = argo_describe,
	.is_task = argo_is_task,
	.name_task = argo_name_task,
	.name_by_pod = argo_name_by_pod,
};
