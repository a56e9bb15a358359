/* SPDX-License-Identifier: Apache-2.0 */
#include "base/host/capabilities.h"

#include <errno.h>
#include <linux/capability.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static uint64_t mask_of(const unsigned *list, size_t count)
{
	uint64_t mask = 0;

	for (size_t i = 0; i < count; i++)
		mask |= 1ULL << list[i];
	return mask;
}

/* Drops from the bounding set, which needs CAP_SETPCAP: without it no capability can be regained.
 */
static void drop_bounding(uint64_t mask)
{
	for (unsigned capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0;
	     capability++) {
		if (!(mask & (1ULL << capability)))
			prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
	}
}

/* By system call, as libcap would serve for nothing else (capset(2), version 3: two words a set).
 */
static int narrow(uint64_t mask)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &header, data) < 0)
		return -errno;
	for (int word = 0; word < 2; word++) {
		data[word].permitted &= (uint32_t)(mask >> (32 * word));
		data[word].effective = data[word].permitted;
		data[word].inheritable = 0;
	}
	return syscall(SYS_capset, &header, data) < 0 ? -errno : 0;
}

int capabilities_keep(const unsigned *list, size_t count, struct error *err)
{
	uint64_t mask = mask_of(list, count);
	int result;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return error_set(err, -errno, "cannot set no_new_privs: %s", strerror(errno));
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	drop_bounding(mask);
	result = narrow(mask);
	if (result < 0)
		return error_set(err, result, "cannot drop capabilities: %s", strerror(-result));
	return 0;
}

void capabilities_drop_bounding(void)
{
	drop_bounding(0);
}

bool capabilities_has(unsigned capability)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &header, data) < 0)
		return false;
	return data[capability / 32].effective & 1U << capability % 32;
}
