/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/load/syscall_counts.h"

#include <bpf/libbpf.h>

#include "base/log.h"
#include "probe/abi/process.h"
#include "probe/api/syscall_record.h"
#include "probe/decode/iterator.h"
#include "probe/load/open_probe.h"
#include "probe/load/syscall_class_table.h"
#include "process.skel.h"

void syscall_counts_choose(struct process_bpf *skel, bool wanted)
{
	struct bpf_program *const programs[] = { skel->progs.on_sys_enter, skel->progs.on_sys_exit,
						 skel->progs.sample_syscalls };
	bool had = bpf_program__autoload(skel->progs.on_sys_enter);

	skel->rodata->syscalls_counted = wanted && had;
	if (wanted && had) {
		bpf_map__set_max_entries(skel->maps.syscalls, SYSCALL_PROCESSES_MAX);
		syscall_class_table_fill((uint8_t *)skel->rodata->syscall_classes);
		return;
	}
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
		bpf_program__set_autoload(programs[i], false);
	if (wanted)
		log_warning("system calls are not counted: this kernel has no tracepoint of them");
}

int probe_syscalls(struct probe *probe)
{
	const struct bpf_link *link = probe->skel->links.sample_syscalls;

	return link ? iterator_run(link, NULL, NULL) : 0;
}
