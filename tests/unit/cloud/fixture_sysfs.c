/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture_sysfs.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

struct sysfs sysfs_make(const struct sysfs_file *files, size_t count)
{
	struct sysfs sysfs = { "/tmp/tracer-sysfs.XXXXXX" };
	char path[256];

	assert_non_null(mkdtemp(sysfs.root));
	for (size_t i = 0; i < count && files[i].path; i++) {
		(void)snprintf(path, sizeof(path), "%s%s", sysfs.root, files[i].path);
		*strrchr(path, '/') = '\0';
		assert_int_equal(file_make_folder(path, 0700, NULL), 0);
		path[strlen(path)] = '/';
		assert_int_equal(file_write(path, files[i].text, strlen(files[i].text), 0600, NULL),
				 0);
	}
	return sysfs;
}

void sysfs_remove(struct sysfs *sysfs)
{
	file_remove_tree(sysfs->root);
}
