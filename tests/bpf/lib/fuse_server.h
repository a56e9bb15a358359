/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

/*
 * A file system by FUSE, of one folder with one file, "file", that a process of the test's own
 * answers for, without a library. Nothing is kept by the kernel for later: each call asks again.
 * Any failure to set it up fails the cmocka test that asked.
 */
#define FUSE_SERVER_FILE_SIZE 4096

struct fuse_server;

/* Mounted on the folder `at`, in this process's mount namespace. */
struct fuse_server *fuse_server_new(const char *at);
/* Ends the server, and with it what still waits for it. */
void fuse_server_free(struct fuse_server *server);

/* The next request of this kind (enum fuse_opcode) is answered so much later. */
void fuse_server_delay(struct fuse_server *server, uint32_t opcode, uint32_t ms);
/* How long it kept the last such request, by its own clock; 0: none came. */
uint64_t fuse_server_kept_ns(const struct fuse_server *server);
/* Requests of this kind fail with this errno from now on. */
void fuse_server_refuse(struct fuse_server *server, uint32_t opcode, int error);
