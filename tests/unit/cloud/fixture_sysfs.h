/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

/* A folder with files of a /sys of its own. */
struct sysfs_file {
	const char *path, *text; /* path NULL: none */
};

struct sysfs {
	char root[64];
};

struct sysfs sysfs_make(const struct sysfs_file *files, size_t count);
void sysfs_remove(struct sysfs *sysfs); /* for CLEANUP */
