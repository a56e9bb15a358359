/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>
#include <sys/types.h>

/*
 * A FUSE file system of one folder with one file, "file", served by a process of the test without a
 * library. The kernel caches nothing: each call sends a request. If it cannot be set up, the cmocka
 * test fails.
 */
#define FUSE_SERVER_FILE_SIZE 4096

struct fuse_server;

/* Mounted on the folder `at`, in this process's mount namespace. */
struct fuse_server *fuse_server_new(const char *at);
/* Ends the server, and with it all calls that wait for it. */
void fuse_server_free(struct fuse_server *server);

/* The next request of this kind (enum fuse_opcode) is answered after this delay. */
void fuse_server_delay(struct fuse_server *server, uint32_t opcode, uint32_t ms);
/* How long the server held back the last such request, by its own clock; 0: there was none. */
uint64_t fuse_server_kept_ns(const struct fuse_server *server);
/* The process that made it. */
pid_t fuse_server_kept_pid(const struct fuse_server *server);
/* Requests of this kind fail with this errno from now on. */
void fuse_server_refuse(struct fuse_server *server, uint32_t opcode, int error);
