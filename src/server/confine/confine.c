/* SPDX-License-Identifier: Apache-2.0 */
#include "server/confine/confine.h"

#include <errno.h>
#include <string.h>

#include "base/host/capabilities.h"
#include "base/log.h"
#include "server/confine/sanitizer.h"
#include "server/confine/seccomp_filter.h"

/* What libraries read at any time, seen by strace(1). */
static const struct landlock_path OF_LIBRARIES[] = {
	/* DuckDB: the limits of its control group, again before each large query */
	{ "/proc/self", false },
	{ "/sys/fs/cgroup", false },
	/* the C library: how many CPUs there are; the host's memory */
	{ "/sys/devices/system/cpu", false },
	{ "/proc/meminfo", false },
	{ "/proc/stat", false },
	/* the C library, before it gives memory back */
	{ "/proc/sys/vm/overcommit_memory", false },
	/* the C library: time zones */
	{ "/etc/localtime", false },
	{ "/usr/share/zoneinfo", false },
	/* OpenSSL and GnuTLS, when they are first used */
	{ "/etc/ssl/openssl.cnf", false },
	{ "/usr/lib/ssl", false },
	{ "/etc/gnutls", false },
	{ "/proc/sys/crypto/fips_enabled", false },
	{ "/dev/urandom", false },
	{ "/dev/null", true },
#if CONFINE_SANITIZED
	/* A sanitizer's report reads the programs' symbols; its leak check looks at all threads. */
	{ "/proc", false },
	{ "/usr", false },
	{ "/lib", false },
#endif
};
#define OF_LIBRARIES_COUNT (sizeof(OF_LIBRARIES) / sizeof(OF_LIBRARIES[0]))
#define PATHS_MAX          64

static int restrict_files(const struct landlock_path *paths, size_t count, int *ret_abi,
			  struct error *err)
{
	struct landlock_path all[PATHS_MAX];

	if (count > PATHS_MAX - OF_LIBRARIES_COUNT)
		return error_set(err, -E2BIG, "too many folders for Landlock: %zu", count);
	memcpy(all, OF_LIBRARIES, sizeof(OF_LIBRARIES));
	memcpy(all + OF_LIBRARIES_COUNT, paths, count * sizeof(*paths));
	return landlock_restrict(all, OF_LIBRARIES_COUNT + count, ret_abi, err);
}

int confine_process(const struct landlock_path *paths, size_t count, struct error *err)
{
	int abi = 0, rc = capabilities_keep(NULL, 0, err);

	if (rc == 0)
		rc = restrict_files(paths, count, &abi, err);
	if (rc)
		return rc;
	if (abi == 0)
		log_warning("this kernel has no Landlock (Linux 5.13, CONFIG_SECURITY_LANDLOCK, "
			    "lsm=landlock,…): the lake can open every file of its user");
	else if (abi < LANDLOCK_ABI_TCP)
		log_info("Landlock version %d of this kernel does not limit TCP (version %d, Linux "
			 "6.7, does)",
			 abi, LANDLOCK_ABI_TCP);
	rc = seccomp_filter_load(err);
	if (rc == -ENOSYS) {
		log_warning("this kernel has no seccomp filters (CONFIG_SECCOMP_FILTER): the lake "
			    "can make every system call");
		rc = 0;
	}
	return rc;
}
