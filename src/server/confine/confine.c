/* SPDX-License-Identifier: Apache-2.0 */
#include "server/confine/confine.h"

#include <errno.h>
#include <stdbool.h>
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
#define PATHS_MAX          256

/* What who asks providers reads besides: how names are looked up (a library for each source of
 * names), authorities of certificates. */
static const struct landlock_path OF_NETWORK[] = {
	{ "/etc/resolv.conf", false },
	{ "/etc/hosts", false },
	{ "/etc/host.conf", false },
	{ "/etc/nsswitch.conf", false },
	{ "/etc/gai.conf", false },
	{ "/etc/services", false },
	{ "/etc/ld.so.cache", false },
	{ "/run/systemd/resolve", false },
	{ "/run/resolvconf", false },
	{ "/lib", false },
	{ "/lib64", false },
	{ "/usr/lib", false },
	{ "/usr/lib64", false },
	{ "/etc/ssl/certs", false },
	{ "/etc/pki/tls", false },
	{ "/etc/pki/ca-trust", false },
	{ "/usr/share/ca-certificates", false },
	{ "/usr/local/share/ca-certificates", false },
};
#define OF_NETWORK_COUNT (sizeof(OF_NETWORK) / sizeof(OF_NETWORK[0]))

/* What a process is confined to. */
struct confinement {
	const struct landlock_path *paths;
	size_t count;
	unsigned extra; /* of enum seccomp_extra */
	const char *who;
};

static int restrict_files(const struct confinement *to, int *ret_abi, struct error *err)
{
	bool network = to->extra & SECCOMP_NETWORK;
	struct landlock_path all[PATHS_MAX];
	size_t count = OF_LIBRARIES_COUNT;

	memcpy(all, OF_LIBRARIES, sizeof(OF_LIBRARIES));
	if (network) {
		memcpy(all + count, OF_NETWORK, sizeof(OF_NETWORK));
		count += OF_NETWORK_COUNT;
	}
	if (to->count > PATHS_MAX - count)
		return error_set(err, -E2BIG, "too many folders for Landlock: %zu", to->count);
	memcpy(all + count, to->paths, to->count * sizeof(*to->paths));
	return landlock_restrict(all, count + to->count,
				 network ? LANDLOCK_TCP_CONNECT : LANDLOCK_TCP_NONE, ret_abi, err);
}

static void say_landlock(const struct confinement *to, int abi)
{
	if (abi == 0)
		log_warning("this kernel has no Landlock (Linux 5.13, CONFIG_SECURITY_LANDLOCK, "
			    "lsm=landlock,…): %s can open every file of its user",
			    to->who);
	else if (abi < LANDLOCK_ABI_TCP)
		log_info("Landlock version %d of this kernel does not limit TCP (version %d, Linux "
			 "6.7, does)",
			 abi, LANDLOCK_ABI_TCP);
}

static int filter_calls(unsigned extra, const char *who, struct error *err)
{
	int rc = seccomp_filter_load(extra, err);

	if (rc == -ENOSYS) {
		log_warning("this kernel has no seccomp filters (CONFIG_SECCOMP_FILTER): %s can "
			    "make every system call",
			    who);
		rc = 0;
	}
	return rc;
}

static int confine(const struct confinement *to, struct error *err)
{
	int abi = 0, rc = capabilities_keep(NULL, 0, err);

	if (rc == 0)
		rc = restrict_files(to, &abi, err);
	if (rc)
		return rc;
	say_landlock(to, abi);
	return filter_calls(to->extra, to->who, err);
}

int confine_process(const struct landlock_path *paths, size_t count, struct error *err)
{
	return confine(&(struct confinement){ paths, count, 0, "the lake" }, err);
}

int confine_lister(const struct landlock_path *paths, size_t count, struct error *err)
{
	return confine(&(struct confinement){ paths, count, SECCOMP_NETWORK | SECCOMP_PROCESSES,
					      "the process that lists accounts" },
		       err);
}

int confine_listing(const struct landlock_path *paths, size_t count, struct error *err)
{
	const struct confinement to = { paths, count, SECCOMP_NETWORK,
					"the process that lists an account" };
	int abi, rc = restrict_files(&to, &abi, err);

	return rc ? rc : filter_calls(to.extra, to.who, err);
}
