/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The programs of socket_probes.bpf.h at the kernel's functions. A return is caught only where the
 * kernel set something aside for it beforehand, for each thread that is within the call: what it
 * does by itself is for 10 threads or so of the whole host, and who waits to receive may wait
 * long. By tracefs it does for thousands.
 */
struct process_bpf;
struct socket_probes;

/* Before the programs are loaded: what only these need gets no room where they were not chosen. */
void socket_probes_choose(struct process_bpf *skel);
/* NULL: these programs were not chosen (hooks.h), or memory is out. What cannot be attached is told
 * by a warning. */
struct socket_probes *socket_probes_attach(const struct process_bpf *skel);
/* NULL is fine. */
void socket_probes_detach(struct socket_probes *probes);
