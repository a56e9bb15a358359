/* SPDX-License-Identifier: Apache-2.0 */
#include "cloud/machine_smaller.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* How much the memory for each vCPU differs, in either direction. */
static double differs(const struct cloud_instance *a, const struct cloud_instance *b)
{
	double ratio = ((double)a->memory_bytes / a->vcpus) / ((double)b->memory_bytes / b->vcpus);

	return fabs(log(ratio));
}

static bool is_smaller(const struct cloud_machine_type *type, const struct cloud_machine_type *than)
{
	const struct cloud_instance *a = &type->instance, *b = &than->instance;

	return strcmp(a->arch, b->arch) == 0 && !type->bare_metal && a->vcpus > 0 &&
	       a->vcpus < b->vcpus && a->memory_bytes && a->memory_bytes <= b->memory_bytes &&
	       a->gpus <= b->gpus && (a->gpus > 0) == (b->gpus > 0);
}

static bool is_better(const struct cloud_machine_type *type, const struct cloud_machine_type *held,
		      const struct cloud_machine_type *than)
{
	double more = type->instance.vcpus - held->instance.vcpus;

	if (more < 0 || more > 0)
		return more > 0;
	return differs(&type->instance, &than->instance) <
	       differs(&held->instance, &than->instance);
}

int cloud_machine_smaller(const char *provider, const char *type, struct cloud_machine_type *ret)
{
	struct cloud_machine_type than, each = { .type = "" }, held = { .type = "" };
	char after[CLOUD_TYPE_SIZE];
	int rc = cloud_machine_type(provider, type, &than);

	if (rc || !(than.instance.vcpus > 0) || !than.instance.memory_bytes)
		return -ENOENT;
	/* Types of a family are next to each other, behind its name. */
	memcpy(after, than.family, sizeof(after));
	while (cloud_machine_type_next(provider, after, &each) &&
	       strcmp(each.family, than.family) == 0) {
		memcpy(after, each.type, sizeof(after));
		if (is_smaller(&each, &than) && (!*held.type || is_better(&each, &held, &than)))
			held = each;
	}
	if (!*held.type)
		return -ENOENT;
	*ret = held;
	return 0;
}
