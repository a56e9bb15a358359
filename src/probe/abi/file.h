/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/types.h>

/*
 * The files that a program image used, as the kernel side counts them (file.bpf.h): regular files
 * one by one, at most FILE_CAP an image; all others, and what is beyond, summed by kind.
 */
#define FILE_CAP         256
#define FILE_CHAIN_MAX   320  /* entries of an image: files, kinds, kinds of failure */
#define FILES_MAX        8192 /* entries of all live processes */
#define FILES_SPARE      1024 /* besides, for when the kernel's allocator refuses one */
#define FILE_FDS_MAX     16384 /* descriptors looked at, of one process; before 5.17 LOOP_STEPS_MAX */
#define FILE_WORDS_MAX   1024 /* of 64 descriptors beyond, counted at its end */
#define FILE_SYSTEM_TAGS 4096 /* a power of two */

enum file_kind {
	FILE_REGULAR = 1, /* by its path */
	FILE_SYSTEM,      /* read below /usr, /lib*, /bin, /sbin, /etc: libraries and their like */
	FILE_PSEUDO,      /* of proc, sysfs, cgroups: what the kernel makes up */
	FILE_DIRECTORY,
	FILE_PIPE,
	FILE_SOCKET,
	FILE_DEVICE,
	FILE_OTHER,  /* eventfd, epoll and their like */
	FILE_MORE,   /* regular files beyond FILE_CAP, or for which there was no room */
	FILE_FAILED, /* could not be opened: an entry an error */
	FILE_KINDS
};

enum file_flag {
	FILE_READS = 1, /* FMODE_READ */
	FILE_WRITES = 2,
	FILE_MAPPED = 4,
	FILE_ERROR_IS_NEW = 8, /* its error is told for the first time */
};

/* Ids below this are kinds, and FILE_ID_FAILED + errno; of a file one is made of its numbers. */
#define FILE_ID_FAILED 64
#define FILE_ID_FIRST  256

struct file_key {
	__u64 id;
	__u32 pid;
	__u32 start; /* of start_ns: tells a process from an earlier one of this pid */
};

/* What was not told yet (opens, failures, moved_bytes), and what is. */
struct file_use {
	__u64 next; /* id of the next in its process's chain */
	__u64 opens, failures;
	__u64 moved_bytes;           /* by the position of its descriptors */
	__u64 size_bytes;            /* at its last close */
	__u64 first_ns;              /* boot-time clock */
	__u64 first_tick, last_tick; /* jiffies: cheaper than the clock */
	__u64 watched;               /* struct file of a descriptor that is open, known since ... */
	__u64 watched_from;          /* ... its position was here */
	__u16 number;                /* regular files in the chain, with this one */
	__u16 error;                 /* the first errno; 0: none */
	__u8 kind, flags;            /* enum file_kind, file_flag */
	__u8 named;                  /* its path was told */
	__u8 counted;                /* that `watched` was opened was */
	__u8 changed;
	__u8 unused[7];
};

#define FILE_PATH_MAX 4096

/* What grew of one file's use since the last such record; or, with a path, that it is used. */
struct file_record {
	__u64 id;
	__u64 opens, failures, moved_bytes;
	__u64 size_bytes, first_ns, last_ns;
	__u16 path_len, error;
	__u8 kind, flags; /* enum file_kind, file_flag */
	__u8 path_cut, unused;
	__u64 before; /* 0: what is searched for the path's last part ends here */
	char path[FILE_PATH_MAX];
};

/* The tracepoints of system calls, as the kernel writes them (struct syscall_trace_enter, _exit).
 */
struct file_call {
	__u64 common;
	__s64 number;
	__u64 first; /* argument, or what it returned */
};
