/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/agent/rights.h"

#include <linux/capability.h>

#include "base/host/capabilities.h"

int rights_drop(struct error *err)
{
	static const unsigned kept[] = { CAP_BPF, CAP_PERFMON, CAP_SYS_PTRACE,
					 CAP_DAC_READ_SEARCH };

	return capabilities_keep(kept, sizeof(kept) / sizeof(*kept), err);
}
