/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "tune/failure/process_tree.h"

/*
 * What the analysis of failures knows of a run: plain structs that the caller fills from the lake's
 * queries (server/findings/failure_read.c). 0, "" or PROCESS_NONE is "unknown" everywhere; texts
 * are never NULL. Instants are ns since 1970.
 */
enum failure_event_kind {
	EVENT_KILLED,
	EVENT_OOM_KILL,
	EVENT_EXEC_FAILED,
	EVENT_DISK_FULL,
	EVENT_IO_ERROR,
	EVENT_CONNECT_FAILED,
	EVENT_ANSWERED, /* a signal, by an exit with 128 + it: the code */
};

struct failure_event {
	enum failure_event_kind kind;
	size_t process; /* which it struck */
	int64_t at;
	int code;           /* a signal, else an errno */
	const char *detail; /* of EVENT_KILLED: "SIGTERM by a process, core dumped" */
	const char *path;   /* the cgroup, the program, the file, the address */
	const char *mount;  /* of the path, where it is known */
	const char *sender; /* "kernel", a tool */
	int64_t sender_pid, sender_uid;
	size_t sender_process; /* the sender, if it is of the run */
	uint64_t limit_bytes, used_bytes;
	uint64_t host_memory_bytes;
	const char *container; /* that the cgroup is of */
};

/* Opens of one path that failed, by one process, in the order of last_at. */
struct failed_open {
	size_t process;
	const char *path; /* "": not recorded */
	int error;        /* errno */
	int64_t last_at;
	uint64_t failures;
};

/* Beside tree_process. */
struct failure_process {
	const char *host_id;
	int64_t pid, start_ns;
	uint64_t rss_peak_bytes;
	int64_t opened_at; /* the last open that succeeded, of a regular file */
};

struct failure_task {
	const char *id, *step, *name, *sample, *host_id;
	enum process_status status;
	int exit_code, signal;
	int attempt;
	size_t root; /* the process with which it begins and ends */
	int64_t started_at, ended_at;
	uint64_t memory_requested_bytes;
	const char *requested_by;
	const char *later_id;      /* the next attempt */
	int later_attempts;        /* how many there were after it */
	bool later_succeeded;      /* one of them succeeded */
	uint64_t later_peak_bytes; /* the memory peak of that one: an upper bound */
	bool host_gone;            /* its host reported nothing more after it began */
	const char *instance_type; /* of its host; "": not in a cloud */
	const char *notice;        /* what the cloud said that it does with the host; "": nothing */
};

struct failure_run {
	const char *id, *name, *engine, *user;
	enum process_status status;
	int exit_code, signal;
	int64_t uid;
	size_t root;
	int64_t started_at, ended_at;
	size_t tasks;                         /* all of the run */
	const char *last_task, *last_task_id; /* the one that ended last */
	int64_t last_task_ended_at;
	size_t tasks_failed; /* all, also those that were not read */
	uint64_t lost_records;
	const char *inner_id, *inner_name; /* the last run that failed of those started in it */
	int inner_exit_code;
};

struct failure_facts {
	struct failure_run run;
	const struct tree_process *processes;        /* any order */
	const struct failure_process *process_facts; /* beside them */
	size_t process_count;
	const struct failure_task *tasks; /* those that failed or have a failed process */
	size_t task_count;
	const struct failure_event *events; /* in the order of their time */
	size_t event_count;
	const struct failed_open *opens;
	size_t open_count;
	bool complete; /* all processes that matter were read */
};
