/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <sys/types.h>

/* A disk for one test: a loop device over an unlinked file. */
struct loop_disk {
	char name[16], path[32]; /* "loop0", "/dev/loop0" */
	int fd;
};

/* 0; otherwise the cmocka test fails. */
int loop_disk_make(struct loop_disk *ret, off_t bytes);
/* Over an open file. */
int loop_disk_over(struct loop_disk *ret, int file);
/* The kernel removes it after its last use. */
void loop_disk_remove(struct loop_disk *disk);
