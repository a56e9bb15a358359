/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct btf;

/*
 * What the running kernel offers, as its type information (BTF) tells.
 */

/* The kernel's BTF, read once and kept; NULL: it has none, or it cannot be read. Not owned. */
const struct btf *kernel_btf(void);
/* Gives its memory back (some 6 MiB); it is read again when asked for. */
void kernel_forget_btf(void);
/* A tracepoint that tp_btf programs can attach to. */
bool kernel_has_tracepoint(const char *name);
/* How many arguments its programs get; 0: there is no such tracepoint. */
unsigned kernel_tracepoint_args(const char *name);
bool kernel_has_function(const char *name);
/* Whether a program may be attached to a function so; tried out with one that does nothing. */
bool kernel_allows_fentry(const char *function);
bool kernel_allows_fexit(const char *function);
bool kernel_allows_kprobe(const char *function);
bool kernel_has_struct(const char *name);
/* Where a per-cpu variable stands among the others, in bytes; false: there is none of this name. */
bool kernel_percpu(const char *name, uint32_t *ret);
/* Version as MAJOR * 1000 + MINOR of uname(); 0 where it is no version. */
unsigned kernel_version(void);
/* libbpf's own words go to log_debug: an error of ours says what matters. */
void kernel_quiet_libbpf(void);
