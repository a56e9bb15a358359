/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "probe/api/probe.h"

/*
 * A probe that keeps its records, and processes started under it. If it cannot be set up, the
 * cmocka test fails.
 */
enum watch_kind {
	WATCH_FORK,
	WATCH_IMAGE,
	WATCH_EXIT,
	WATCH_RESIDUAL,
	WATCH_ALIVE,
	WATCH_KILL,
	WATCH_ATTEMPT,
	WATCH_NETWORK,
	WATCH_FILE,
	WATCH_IO,
	WATCH_SYSCALL,
	WATCH_FOLDER,
	WATCH_CONNECT,
	WATCH_OPENS
};

struct watch_record {
	enum watch_kind kind;
	uint64_t order; /* order of arrival */
	struct probe_fork fork;
	struct probe_image image; /* texts are copies */
	struct probe_exit exit;
	struct probe_residual residual;
	struct probe_network network;
	struct probe_alive alive;
	struct probe_kill kill;       /* texts are copies */
	struct probe_attempt attempt; /* texts are copies */
	struct probe_file file;       /* path is a copy */
	struct probe_io io;           /* device is a copy */
	struct probe_syscall syscall;
	struct probe_folder folder; /* path is a copy */
	struct probe_connect_failure connect;
	struct probe_opens opens; /* paths are copies */
};

struct watch {
	struct probe *probe;
	struct watch_record *records;
	size_t count, capacity;
	pid_t known;              /* for a scan to find, whatever its name */
	void (*found)(pid_t pid); /* called for a process that a scan found */
};

struct watch *watch_new(const struct probe_options *options);
/* Tracks the driver by its name; tracepoints of system calls are attached from the start. Loading
 * the programs takes a second: the tests of a program share one, which begins each test without
 * records. It is closed when the program ends; watch_driver_done() closes it earlier. */
struct watch *watch_driver(void);
void watch_driver_done(void);
/* The same, with what a successor needs in a BPF file system of the test's own: for the group's
 * setup and teardown. */
struct watch *watch_pinned(void);
extern char watch_pins[];
int watch_mount_pins(void **state);
int watch_unmount_pins(void **state);
/* Drops the records of a shared one. */
void watch_free(struct watch *watch);
/* Handles the records in the ring. */
void watch_poll(struct watch *watch);
/* Polls until the process's exit record was seen, and its residual if there is one. */
void watch_until_exit(struct watch *watch, pid_t pid);
/* Whether the probe has dropped the state of a process, when the kernel freed it. No record
 * follows.
 */
bool watch_is_dropped(pid_t pid);
/* Repeats `step` until it is not 0, and returns its value. After 60 s the test fails with a message
 * that says what was waited for. */
#define WATCH_LIMIT_MS 60000
#define watch_until(step, what)                                          \
	({                                                               \
		__auto_type value_ = (step);                             \
		for (int ms_ = 0; !value_; ms_ += 10, value_ = (step)) { \
			if (ms_ >= WATCH_LIMIT_MS)                       \
				fail_msg("waited 60 s for %s", what);    \
			watch_nap();                                     \
		}                                                        \
		value_;                                                  \
	})
void watch_nap(void); /* 10 ms */
/* Takes one sample: the latest figures of the process; NULL: there are none. */
const struct probe_alive *watch_latest(struct watch *watch, pid_t pid);
/* Takes samples until there are figures of the process, and returns those. */
const struct probe_alive *watch_sample(struct watch *watch, pid_t pid);
/* The state of the leader, as in /proc/PID/stat: 'S' sleeps, 'Z' has ended. */
char watch_state(pid_t pid);

/* The nth (from 0) record of a kind of a process; NULL: there is none. */
const struct watch_record *watch_find(const struct watch *watch, enum watch_kind kind, pid_t pid,
				      size_t nth);
size_t watch_count(const struct watch *watch, enum watch_kind kind, pid_t pid);
/* The nth image among all children of a process. */
const struct watch_record *watch_child(const struct watch *watch, pid_t parent, size_t nth);
/* Figures at exit: of the residual record if there is one. */
const struct probe_figures *watch_final(const struct watch *watch, pid_t pid);

/* The driver's path: a link with a name that no other running test has. */
const char *watch_driver_path(void);
const char *watch_driver_name(void);
/* Starts argv (argv[0] is the path); stdin and stdout as given, -1: /dev/null. */
pid_t watch_spawn(const char *const *argv, int in, int out);
/* The same, and waits until it has written a byte. It may run until *ret_hold, the other end of
 * its standard input, is closed; NULL: that is /dev/null. */
pid_t watch_start(const char *const *argv, int *ret_hold);
/* Starts the driver with arguments, waits for its end. Returns its pid. */
pid_t watch_run(const char *const *arguments, int *ret_status, struct rusage *ret_usage);
