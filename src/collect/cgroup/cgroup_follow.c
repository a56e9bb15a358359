/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/cgroup/cgroup_follow.h"

#include <errno.h>
#include <fnmatch.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "collect/cgroup/cgroup_walk.h"

bool follow_is_only(const char *track)
{
	return text_starts_with(track, FOLLOW_ONLY_PREFIX);
}

const char *follow_pattern(const char *track)
{
	const char *prefix = follow_is_only(track) ? FOLLOW_ONLY_PREFIX : FOLLOW_PREFIX;

	if (!text_starts_with(track, prefix) || !track[strlen(prefix)])
		return NULL;
	return track + strlen(prefix);
}

struct follow {
	const char *pattern;
	struct probe *probe;
	int result;
};

/* Where all that is below a cgroup fits, too, the kernel side follows what is made in it: at once.
 */
static int follow_fitting(const char *pattern, struct probe *probe, uint64_t id)
{
	bool all_below = text_ends_with(pattern, "*") && !text_ends_with(pattern, "\\*");

	return all_below ? probe_follow_cgroups(probe, id) : probe_follow_cgroup(probe, id);
}

static bool follow_one(const char *path, uint64_t id, void *context)
{
	struct follow *follow = context;

	if (fnmatch(follow->pattern, path, 0) == 0)
		follow->result = follow_fitting(follow->pattern, follow->probe, id);
	return follow->result == 0;
}

int follow_all(const char *pattern, struct probe *probe, struct error *err)
{
	struct follow follow = { .pattern = pattern, .probe = probe };
	struct cgroup_trees trees;

	if (!pattern)
		return 0;
	follow.result = cgroup_trees_read(&trees);
	if (follow.result == 0)
		cgroup_walk(&trees, CGROUP_MEMORY, follow_one, &follow);
	if (follow.result < 0)
		return error_set(err, follow.result, "cannot follow the cgroups %s: %s", pattern,
				 strerror(-follow.result));
	return 0;
}

void follow_new(const char *pattern, struct probe *probe, const struct probe_cgroup *cgroup)
{
	char path[CGROUP_PATH_BYTES];
	struct cgroup_trees trees;
	const char *known = cgroup->path;

	if (!pattern || !probe)
		return;
	if (!*known && cgroup_trees_read(&trees) == 0 &&
	    cgroup_walk_find(&trees, cgroup->id, path)) /* too long for the kernel side */
		known = path;
	if (*known && fnmatch(pattern, known, 0) == 0 &&
	    follow_fitting(pattern, probe, cgroup->id) < 0)
		log_warning("no room to follow the cgroup %s", known);
}
