/* SPDX-License-Identifier: Apache-2.0 */
#include "server/access/connection_limit.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/hash.h"
#include "server/settings.h"

#define FILES_OTHER 512  /* open files that are no connections */
#define ADDRESSES   4096 /* counters; addresses that share one share the limit */
#define IP6_NET     8    /* bytes of an IPv6 address that count: one host has a /64 */

struct connection_limit {
	struct connection_limit_options options;
	pthread_mutex_t lock;
	struct hash_seed seed;
	unsigned count, of_address[ADDRESSES];
};

struct connection_limit *connection_limit_new(const struct connection_limit_options *options)
{
	struct connection_limit *limit = calloc(1, sizeof(*limit));

	if (!limit)
		return NULL;
	limit->options = *options;
	limit->seed = hash_seed(1);
	pthread_mutex_init(&limit->lock, NULL);
	return limit;
}

void connection_limit_free(struct connection_limit *limit)
{
	if (!limit)
		return;
	pthread_mutex_destroy(&limit->lock);
	free(limit);
}

static bool is_of_this_host(const struct sockaddr *address)
{
	struct sockaddr_storage copy = { .ss_family = AF_UNSPEC };

	if (!address || (address->sa_family != AF_INET && address->sa_family != AF_INET6))
		return true;
	if (address->sa_family == AF_INET)
		*(struct sockaddr_in *)&copy = *(const struct sockaddr_in *)(const void *)address;
	else
		*(struct sockaddr_in6 *)&copy = *(const struct sockaddr_in6 *)(const void *)address;
	return settings_is_loopback(&copy);
}

static unsigned *counter_of(struct connection_limit *limit, const struct sockaddr *address)
{
	const struct sockaddr_in *ip = (const void *)address;
	const struct sockaddr_in6 *ip6 = (const void *)address;
	uint64_t hash = address->sa_family == AF_INET
				? hash_bytes(limit->seed, &ip->sin_addr, sizeof(ip->sin_addr))
				: hash_bytes(limit->seed, &ip6->sin6_addr, IP6_NET);

	return &limit->of_address[hash % ADDRESSES];
}

enum connection_verdict connection_limit_enter(struct connection_limit *limit,
					       const struct sockaddr *address)
{
	const struct connection_limit_options *options = &limit->options;
	bool is_local = is_of_this_host(address);
	enum connection_verdict verdict = CONNECTION_WELCOME;

	pthread_mutex_lock(&limit->lock);
	limit->count++;
	if (limit->count > options->most - options->reserve)
		verdict = is_local ? CONNECTION_RESERVED : CONNECTION_CROWDED;
	if (!is_local && ++*counter_of(limit, address) > options->address)
		verdict = CONNECTION_REFUSED;
	pthread_mutex_unlock(&limit->lock);
	return verdict;
}

void connection_limit_leave(struct connection_limit *limit, const struct sockaddr *address)
{
	bool is_local = is_of_this_host(address);

	pthread_mutex_lock(&limit->lock);
	limit->count--;
	if (!is_local)
		--*counter_of(limit, address);
	pthread_mutex_unlock(&limit->lock);
}

unsigned connection_limit_files(unsigned wanted)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) < 0)
		return wanted;
	if (files.rlim_cur < files.rlim_max && files.rlim_cur < wanted + FILES_OTHER) {
		rlim_t most = wanted + FILES_OTHER;

		files.rlim_cur = files.rlim_max < most ? files.rlim_max : most;
		(void)setrlimit(RLIMIT_NOFILE, &files);
		(void)getrlimit(RLIMIT_NOFILE, &files);
	}
	if (files.rlim_cur >= wanted + FILES_OTHER)
		return wanted;
	return files.rlim_cur > 2 * FILES_OTHER ? (unsigned)files.rlim_cur - FILES_OTHER
						: FILES_OTHER;
}
