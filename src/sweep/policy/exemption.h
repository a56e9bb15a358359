/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/config/yaml_tree.h"
#include "sweep/sweep_policy.h"

/* An item of `exempt` or `idle_by_design`: patterns, owned; NULL: not given, which fits anything.
 * label and tag are keys, of which the value has to fit label_value and tag_value. */
struct sweep_exemption {
	char *kind, *user, *host, *pipeline, *path;
	char *label, *label_value;
	char *tag, *tag_value;
};

/* Reads an item of a list into ret, which is zeroed. by_design: it may name host and tag alone. 0,
 * -EINVAL or -ENOMEM; what was read is the caller's, also then. */
int sweep_exemption_read(struct yaml_tree *tree, const yaml_node_t *node, bool by_design,
			 struct sweep_exemption *ret);
bool sweep_exemption_fits(const struct sweep_exemption *exemption,
			  const struct sweep_concerns *concerns);
void sweep_exemption_clear(struct sweep_exemption *exemption);
