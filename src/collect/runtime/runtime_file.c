/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/runtime/runtime_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "collect/runtime/runtime.h"

#define CONTAINERD "/run/containerd/io.containerd.runtime.v2.task"
#define CRIO       "/run/containers/storage/overlay-containers"

static void closedirp(DIR **stream)
{
	if (*stream)
		closedir(*stream);
}

static bool read_config(const char *path, struct container_facts *ret)
{
	CLEANUP(freep) char *text = NULL;
	size_t len;

	return file_read(AT_FDCWD, path, RUNTIME_BYTES, &text, &len) == 0 &&
	       container_facts_oci(text, len, ret);
}

static bool read_crio(const char *root, const char *id, struct container_facts *ret)
{
	char path[1024];

	return snprintf(path, sizeof(path), "%s" CRIO "/%s/userdata/config.json", root, id) <
		       (int)sizeof(path) &&
	       read_config(path, ret);
}

/* TASKS/NAMESPACE/ID/config.json; "k8s.io" is Kubernetes', "default" nerdctl's, "moby" docker's. */
static bool read_containerd(const char *root, const char *id, struct container_facts *ret)
{
	CLEANUP(closedirp) DIR *stream = NULL;
	char folder[512], path[1024];
	struct dirent *entry;
	bool found = false;

	if (snprintf(folder, sizeof(folder), "%s" CONTAINERD, root) >= (int)sizeof(folder))
		return false;
	stream = opendir(folder);
	for (int i = 0; stream && !found && i < RUNTIME_FILE_NAMESPACES; i++) {
		entry = readdir(stream); /* NOLINT(concurrency-mt-unsafe): one thread */
		if (!entry)
			break;
		if (entry->d_name[0] != '.' &&
		    snprintf(path, sizeof(path), "%s/%s/%s/config.json", folder, entry->d_name,
			     id) < (int)sizeof(path))
			found = read_config(path, ret);
	}
	return found;
}

bool runtime_file_read(const char *root, const char *runtime, const char *id,
		       struct container_facts *ret)
{
	static const struct {
		const char *runtime;
		bool (*read)(const char *root, const char *id, struct container_facts *ret);
	} readers[] = {
		{ "containerd", read_containerd },
		{ "kubernetes", read_containerd },
		{ "ecs", read_containerd },
		{ "", read_containerd },
		{ "cri-o", read_crio },
	};

	for (size_t i = 0; i < sizeof(readers) / sizeof(*readers); i++)
		if (strcmp(readers[i].runtime, runtime) == 0 && readers[i].read(root, id, ret))
			return true;
	return false;
}
