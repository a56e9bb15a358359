/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * Who on this host has something open: first of the processes of the same run, then of all.
 */
struct process;
struct process_table;

/* "bwa mem (pid 11)", of others than `but` that hold target ("pipe:[123]") with one of the rights
 * wanted (S_IRUSR, S_IWUSR). Of several the one that began last: who starts others keeps what it
 * makes for them. left: as in stall_wait.h. false: none was found. */
bool stall_holder(struct process_table *processes, const struct process *but, const char *target,
		  mode_t wanted, size_t *left, char *text, size_t size);
/* The rights with which a process has a descriptor open; 0: not known. */
mode_t stall_rights(unsigned pid, int fd);
