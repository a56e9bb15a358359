/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

struct attributor;
struct exec_context;
struct probe_key;
struct process;

/* The attribution's part of an exec, as listener.h says. */
struct probe_key *attributor_find_root(void *context, struct exec_context *exec);
void attributor_place(void *context, struct exec_context *exec);
void attributor_begin(void *context, const struct exec_context *exec);

/* Places a process again, as if its image came only now: of one for which a root is known. */
void attributor_place_again(struct attributor *attributor, struct process *process);
