/* SPDX-License-Identifier: Apache-2.0 */
#include "server/access/peer.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/access/user_names.h"

#define GROUPS_MAX 65536 /* of a process: NGROUPS_MAX, limits.h */

struct peers {
	struct user_names *names;
	bool has_group;
	gid_t group;
	pthread_mutex_t lock;
	struct {
		uid_t uid;
		unsigned connections; /* 0: this place is free */
	} users[PEERS_CONNECTIONS];
};

int peers_open(struct peers **ret, const char *group, struct error *err)
{
	struct peers *peers = calloc(1, sizeof(*peers));
	int rc;

	if (!peers)
		return error_set(err, -ENOMEM, "out of memory");
	pthread_mutex_init(&peers->lock, NULL);
	peers->has_group = *group && group_number("/etc/group", group, &peers->group);
	rc = user_names_read(&peers->names, "/etc/passwd");
	if (rc) {
		peers_close(peers);
		return error_set(err, rc, "out of memory");
	}
	*ret = peers;
	return 0;
}

void peers_close(struct peers *peers)
{
	if (!peers)
		return;
	user_names_free(peers->names);
	pthread_mutex_destroy(&peers->lock);
	free(peers);
}

static bool find_peer(int fd, struct ucred *ret)
{
	socklen_t len = sizeof(int);
	int domain = 0;

	if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &len) < 0 || domain != AF_UNIX)
		return false;
	len = sizeof(*ret);
	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, ret, &len) == 0 && ret->uid != (uid_t)-1;
}

static bool has_group(int fd, gid_t group)
{
	gid_t few[64], *groups = few;
	socklen_t len = sizeof(few);
	bool found = false;
	int rc = getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, few, &len);

	/* With ERANGE, len is what is needed. */
	if (rc < 0 && errno == ERANGE && len <= GROUPS_MAX * sizeof(gid_t)) {
		groups = malloc(len);
		rc = groups ? getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &len) : -1;
	}
	for (size_t i = 0; rc == 0 && i < len / sizeof(gid_t); i++)
		found |= groups[i] == group;
	if (groups != few)
		free(groups);
	return found;
}

static bool reads_all(const struct peers *peers, int fd, const struct ucred *peer)
{
	if (peer->uid == 0 || peer->uid == geteuid())
		return true;
	return peers->has_group && (peer->gid == peers->group || has_group(fd, peers->group));
}

bool peers_reader(struct peers *peers, int fd, struct reader *ret)
{
	struct ucred peer;
	const char *name;

	if (!find_peer(fd, &peer))
		return false;
	memset(ret, 0, sizeof(*ret));
	ret->all = reads_all(peers, fd, &peer);
	name = user_names_find(peers->names, peer.uid);
	if (name)
		snprintf(ret->users[ret->user_count++], READER_TEXT_SIZE, "%s", name);
	snprintf(ret->users[ret->user_count++], READER_TEXT_SIZE, "%u", peer.uid);
	return true;
}

/* The place of a user, or a free one. There are as many as connections. */
static size_t place_of(const struct peers *peers, uid_t uid)
{
	size_t place = PEERS_CONNECTIONS;

	for (size_t i = 0; i < PEERS_CONNECTIONS; i++) {
		if (peers->users[i].connections && peers->users[i].uid == uid)
			return i;
		if (!peers->users[i].connections && place == PEERS_CONNECTIONS)
			place = i;
	}
	return place;
}

bool peers_enter(struct peers *peers, int fd)
{
	struct ucred peer;
	bool allowed = false;
	size_t place;

	if (!find_peer(fd, &peer))
		return true;
	pthread_mutex_lock(&peers->lock);
	place = place_of(peers, peer.uid);
	if (place < PEERS_CONNECTIONS) {
		peers->users[place].uid = peer.uid;
		allowed = ++peers->users[place].connections <= PEERS_CONNECTIONS_USER ||
			  peer.uid == 0;
	}
	pthread_mutex_unlock(&peers->lock);
	return allowed;
}

void peers_leave(struct peers *peers, int fd)
{
	struct ucred peer;
	size_t place;

	if (!find_peer(fd, &peer))
		return;
	pthread_mutex_lock(&peers->lock);
	place = place_of(peers, peer.uid);
	if (place < PEERS_CONNECTIONS && peers->users[place].connections)
		peers->users[place].connections--;
	pthread_mutex_unlock(&peers->lock);
}
