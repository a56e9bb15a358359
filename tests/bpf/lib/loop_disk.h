/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <sys/types.h>

/* A disk of a test's own: a loop device over a file that has no name. */
struct loop_disk {
	char name[16], path[32]; /* "loop0", "/dev/loop0" */
	int fd;
};

/* 0, or the cmocka test that asked fails. */
int loop_disk_make(struct loop_disk *ret, off_t bytes);
/* Over an open file. */
int loop_disk_over(struct loop_disk *ret, int file);
/* It goes when nobody uses it any more. */
void loop_disk_remove(struct loop_disk *disk);
