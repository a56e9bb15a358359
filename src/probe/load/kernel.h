/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct btf;

/*
 * What the running kernel offers, according to its type information (BTF).
 */

/* The kernel's BTF, read once and kept; NULL: there is none, or it cannot be read. The caller does
 * not own it. */
const struct btf *kernel_btf(void);
/* Frees it (some 6 MiB); the next call reads it again. */
void kernel_forget_btf(void);
/* Whether there is such a tracepoint for tp_btf programs. */
bool kernel_has_tracepoint(const char *name);
/* The number of arguments that its programs get; 0: there is no such tracepoint. */
unsigned kernel_tracepoint_args(const char *name);
bool kernel_has_function(const char *name);
/* Whether such a program may be attached to a function; tried with an empty program. */
bool kernel_allows_fentry(const char *function);
bool kernel_allows_fexit(const char *function);
bool kernel_allows_kprobe(const char *function);
bool kernel_has_struct(const char *name);
/* The offset of a per-cpu variable in the per-cpu section, in bytes; false: there is none of this
 * name. */
bool kernel_percpu(const char *name, uint32_t *ret);
/* MAJOR * 1000 + MINOR of uname()'s release; 0: it has no such form. */
unsigned kernel_version(void);
/* Sends libbpf's messages to log_debug: our own errors say what matters. */
void kernel_quiet_libbpf(void);
