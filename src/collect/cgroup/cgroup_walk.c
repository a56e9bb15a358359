/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/cgroup/cgroup_walk.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "collect/cgroup/cgroup.h"

struct walk {
	bool (*visit)(const char *path, uint64_t id, void *context);
	void *context;
	const struct cgroup_mount *mount;
	char folder[CGROUP_PATH_BYTES];
	unsigned left; /* folders that may still be opened */
};

static bool visit(const struct walk *walk, uint64_t id)
{
	char path[CGROUP_PATH_BYTES];
	int len = snprintf(path, sizeof(path), "%s%s", walk->mount->root,
			   walk->folder + strlen(walk->mount->folder));

	return len >= CGROUP_PATH_BYTES || walk->visit(path, id, walk->context);
}

/* What is mounted may be the root of all, "/", or a container's own. */
static bool visit_root(const struct walk *walk)
{
	const char *path = *walk->mount->root ? walk->mount->root : "/";
	struct stat info;

	return stat(walk->folder, &info) < 0 || walk->visit(path, info.st_ino, walk->context);
}

/* Depth first below walk->folder. An entry's inode is the cgroup's id. false: a visit ended it. */
static bool descend(struct walk *walk, unsigned depth)
{
	DIR *stream = depth < CGROUPS_DEPTH && walk->left ? opendir(walk->folder) : NULL;
	size_t len = strlen(walk->folder);
	struct dirent *entry;
	bool more = true;

	if (!stream)
		return true;
	walk->left--;
	while (more && (entry = readdir(stream))) { /* NOLINT(concurrency-mt-unsafe): one thread */
		size_t name = strlen(entry->d_name);

		if (entry->d_type != DT_DIR || entry->d_name[0] == '.' ||
		    len + name + 2 > CGROUP_PATH_BYTES)
			continue;
		walk->folder[len] = '/';
		memcpy(walk->folder + len + 1, entry->d_name, name + 1);
		more = visit(walk, entry->d_ino) && descend(walk, depth + 1);
		walk->folder[len] = '\0';
	}
	closedir(stream);
	return more;
}

void cgroup_walk(const struct cgroup_trees *trees, enum cgroup_tree tree,
		 bool (*visit_one)(const char *path, uint64_t id, void *context), void *context)
{
	struct walk walk = { .visit = visit_one,
			     .context = context,
			     .mount = &trees->mounts[cgroup_tree_serving(trees, tree)],
			     .left = CGROUPS_WALK };

	if (!walk.mount->folder[0])
		return;
	(void)snprintf(walk.folder, sizeof(walk.folder), "%s", walk.mount->folder);
	if (visit_root(&walk))
		(void)descend(&walk, 0);
}

struct search {
	uint64_t id;
	char *path;
	bool found;
};

static bool compare(const char *path, uint64_t id, void *context)
{
	struct search *search = context;

	if (id != search->id)
		return true;
	memcpy(search->path, path, strlen(path) + 1);
	search->found = true;
	return false;
}

bool cgroup_walk_find(const struct cgroup_trees *trees, uint64_t id, char path[CGROUP_PATH_BYTES])
{
	struct search search = { .id = id, .path = path };

	cgroup_walk(trees, CGROUP_MEMORY, compare, &search);
	return search.found;
}
