/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/agent/memory.h"

#include <link.h>
#include <malloc.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/* The program's own read-only segments; those of libraries are shared with others. */
static int drop_code(struct dl_phdr_info *info, size_t size, void *context)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);

	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		uintptr_t start = (info->dlpi_addr + segment->p_vaddr + page - 1) & ~(page - 1);
		uintptr_t end =
			(info->dlpi_addr + segment->p_vaddr + segment->p_memsz) & ~(page - 1);

		if (segment->p_type == PT_LOAD && !(segment->p_flags & PF_W) && end > start)
			madvise((void *)start, end - start, MADV_DONTNEED);
	}
	return 1; /* the first one is the program */
}

void memory_trim(void)
{
	malloc_trim(0);
}

void memory_settle(void)
{
	memory_trim();
	dl_iterate_phdr(drop_code, NULL);
}
