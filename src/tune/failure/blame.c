/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/failure/blame.h"

#include "tune/failure/blame_link.h"

static void weaken(struct blame_chain *chain, enum blame_confidence confidence)
{
	if (confidence < chain->confidence)
		chain->confidence = confidence;
}

static bool is_on(const struct blame_chain *chain, size_t process)
{
	for (size_t i = 0; i < chain->count; i++)
		if (chain->steps[i].process == process)
			return true;
	return false;
}

static void cut(struct blame_chain *chain)
{
	chain->incomplete = true;
	weaken(chain, BLAME_LOW);
}

void blame_find(const struct process_tree *tree, size_t root, struct blame_chain *ret)
{
	struct blame_step step = { root, BLAME_ROOT };

	ret->count = 0;
	ret->confidence = BLAME_HIGH;
	ret->incomplete = false;
	ret->noted = PROCESS_NONE;
	if (root >= process_tree_count(tree) || !process_failed(process_tree_get(tree, root))) {
		cut(ret);
		return;
	}
	for (;;) {
		struct blame_link link;

		ret->steps[ret->count++] = step;
		link = blame_link_find(tree, step.process);
		weaken(ret, link.confidence);
		ret->incomplete |= link.incomplete;
		if (link.noted != PROCESS_NONE)
			ret->noted = link.noted;
		if (link.process == PROCESS_NONE)
			break;
		if (ret->count == BLAME_STEPS_MAX || is_on(ret, link.process)) {
			cut(ret);
			break;
		}
		step = (struct blame_step){ link.process, link.reason };
	}
	if (is_on(ret, ret->noted))
		ret->noted = PROCESS_NONE;
}

size_t blame_culprit(const struct blame_chain *chain)
{
	return chain->count ? chain->steps[chain->count - 1].process : PROCESS_NONE;
}
