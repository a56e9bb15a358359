/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <sys/socket.h>
#include <sys/types.h>

/*
 * A server in a process of its own: libevent's for what is HTTP, a bare socket that says fixed
 * bytes for what is not.
 */
struct server {
	pid_t pid;
	char url[200];
};

/* bytes NULL: the HTTP server, which closes a connection after a second of silence. */
struct server server_start(const char *bytes);
void server_stop(struct server *server); /* for CLEANUP */

/* Its parts: a listening socket; what a child does with it, which never returns. */
int server_listen(struct sockaddr *address, socklen_t len);
int server_listen_tcp(unsigned *ret_port);
void server_serve(int fd, const char *bytes);
