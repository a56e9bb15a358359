/* SPDX-License-Identifier: Apache-2.0 */
#include "server/http/slow_client.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/socket.h>

struct slow_client {
	struct slow_client *next, **link;
	uint64_t since_ns; /* since when a request is awaited; 0: none is */
	int fd;
};

struct slow_clients {
	pthread_mutex_t lock;
	struct slow_client *first;
	uint64_t patience_ns;
	unsigned count;
};

struct slow_clients *slow_clients_new(uint64_t patience_ns)
{
	struct slow_clients *slow_clients = calloc(1, sizeof(*slow_clients));

	if (!slow_clients)
		return NULL;
	pthread_mutex_init(&slow_clients->lock, NULL);
	slow_clients->patience_ns = patience_ns;
	return slow_clients;
}

void slow_clients_free(struct slow_clients *slow_clients)
{
	if (!slow_clients)
		return;
	while (slow_clients->first)
		slow_clients_remove(slow_clients, slow_clients->first);
	pthread_mutex_destroy(&slow_clients->lock);
	free(slow_clients);
}

struct slow_client *slow_clients_add(struct slow_clients *slow_clients, int fd, uint64_t now_ns)
{
	struct slow_client *client = calloc(1, sizeof(*client));

	if (!client)
		return NULL;
	client->fd = fd;
	client->since_ns = now_ns;
	pthread_mutex_lock(&slow_clients->lock);
	client->next = slow_clients->first;
	client->link = &slow_clients->first;
	if (client->next)
		client->next->link = &client->next;
	slow_clients->first = client;
	slow_clients->count++;
	pthread_mutex_unlock(&slow_clients->lock);
	return client;
}

void slow_clients_remove(struct slow_clients *slow_clients, struct slow_client *client)
{
	if (!client)
		return;
	pthread_mutex_lock(&slow_clients->lock);
	*client->link = client->next;
	if (client->next)
		client->next->link = client->link;
	slow_clients->count--;
	pthread_mutex_unlock(&slow_clients->lock);
	free(client);
}

static void set_since(struct slow_clients *slow_clients, struct slow_client *client,
		      uint64_t since_ns)
{
	if (!client)
		return;
	pthread_mutex_lock(&slow_clients->lock);
	client->since_ns = since_ns;
	pthread_mutex_unlock(&slow_clients->lock);
}

void slow_clients_arrived(struct slow_clients *slow_clients, struct slow_client *client)
{
	set_since(slow_clients, client, 0);
}

void slow_clients_await(struct slow_clients *slow_clients, struct slow_client *client,
			uint64_t now_ns)
{
	set_since(slow_clients, client, now_ns);
}

unsigned slow_clients_end(struct slow_clients *slow_clients, uint64_t now_ns)
{
	unsigned ended = 0;

	pthread_mutex_lock(&slow_clients->lock);
	for (struct slow_client *client = slow_clients->first; client; client = client->next) {
		if (!client->since_ns || now_ns < client->since_ns + slow_clients->patience_ns)
			continue;
		shutdown(client->fd, SHUT_RDWR);
		client->since_ns = 0;
		ended++;
	}
	pthread_mutex_unlock(&slow_clients->lock);
	return ended;
}

bool slow_clients_end_oldest(struct slow_clients *slow_clients)
{
	struct slow_client *oldest = NULL;

	pthread_mutex_lock(&slow_clients->lock);
	for (struct slow_client *client = slow_clients->first; client; client = client->next) {
		if (client->since_ns && (!oldest || client->since_ns < oldest->since_ns))
			oldest = client;
	}
	if (oldest) {
		shutdown(oldest->fd, SHUT_RDWR);
		oldest->since_ns = 0;
	}
	pthread_mutex_unlock(&slow_clients->lock);
	return oldest != NULL;
}

unsigned slow_clients_count(struct slow_clients *slow_clients)
{
	unsigned count;

	pthread_mutex_lock(&slow_clients->lock);
	count = slow_clients->count;
	pthread_mutex_unlock(&slow_clients->lock);
	return count;
}
