/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/agent/rules_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/text.h"

#define FILE_BYTES (4u << 20)

static int is_rules(const struct dirent *entry)
{
	return entry->d_name[0] != '.' && text_ends_with(entry->d_name, ".yaml");
}

int rules_file_add(struct rules *rules, const char *path, struct error *err)
{
	CLEANUP(freep) char *text = NULL;
	size_t len;
	int result = file_read(AT_FDCWD, path, FILE_BYTES, &text, &len);

	if (result < 0)
		return error_set(err, result, "cannot read %s: %s", path, strerror(-result));
	return rules_add(rules, path, text, len, err);
}

static int add_file(struct rules *rules, const char *folder, const char *name, struct error *err)
{
	char path[4096];

	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	return rules_file_add(rules, path, err);
}

static int add_folder(struct rules *rules, const char *folder, struct error *err)
{
	struct dirent **entries;
	int count = scandir(folder, &entries, is_rules, alphasort), result = 0;

	if (count < 0 && errno == ENOENT)
		return 0;
	if (count < 0)
		return error_set(err, -errno, "cannot read the rules in %s: %s", folder,
				 strerror(errno));
	if (count > RULES_FILES)
		result = error_set(err, -E2BIG, "%s holds %d files of rules, at most %d", folder,
				   count, RULES_FILES);
	for (int i = 0; i < count; i++) {
		if (result == 0)
			result = add_file(rules, folder, entries[i]->d_name, err);
		free(entries[i]);
	}
	free(entries);
	return result;
}

int rules_folder_load(struct rules **ret, const char *folder, struct error *err)
{
	struct rules *rules = NULL;
	int result = rules_new(&rules, err);

	if (result == 0 && *folder)
		result = add_folder(rules, folder, err);
	if (result < 0) {
		rules_free(rules);
		return result;
	}
	*ret = rules;
	return 0;
}
