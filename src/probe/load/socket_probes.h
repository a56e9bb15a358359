/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Attaches the programs of socket_probes.bpf.h to functions of the kernel. A kretprobe sees a
 * return only if the kernel has an instance free for the thread that is in the call. By default
 * there are some 10 for all threads of the host, and a thread that receives may wait long; through
 * tracefs their number can be set to thousands.
 */
struct process_bpf;
struct socket_probes;

/* Before the load: makes the map of these programs small if they were not chosen (hooks.h). */
void socket_probes_choose(struct process_bpf *skel);
/* NULL: these programs were not chosen, or out of memory. Logs a warning for each function that
 * cannot be attached to. */
struct socket_probes *socket_probes_attach(const struct process_bpf *skel);
/* NULL is fine. */
void socket_probes_detach(struct socket_probes *probes);
