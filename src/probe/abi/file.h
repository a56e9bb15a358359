/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include <linux/types.h>

/*
 * The files that a program image used, as the kernel side counts them (file.bpf.h). Regular files
 * have an entry each, at most FILE_CAP per image; all other files are summed by kind.
 */
#define FILE_CAP       256
#define FILE_CHAIN_MAX 320   /* entries of an image: files, kinds, kinds of failure */
#define FILES_MAX      8192  /* entries of all live processes */
#define FILES_SPARE    1024  /* preallocated, for when the kernel's allocator refuses an entry */
#define FILE_FDS_MAX   16384 /* descriptors read of one process; before 5.17 LOOP_STEPS_MAX */
#define FILE_WORDS_MAX \
	1024 /* words of 64 further descriptors, which are counted as lost at its end */
#define FILE_SYSTEM_TAGS 4096 /* a power of two */

enum file_kind {
	FILE_REGULAR = 1, /* by its path */
	FILE_SYSTEM, /* only read, below /usr, /lib*, /bin, /sbin, /etc: libraries, for example */
	FILE_PSEUDO, /* of proc, sysfs, cgroups */
	FILE_DIRECTORY,
	FILE_PIPE,
	FILE_SOCKET,
	FILE_DEVICE,
	FILE_OTHER,  /* eventfd, epoll and similar */
	FILE_MORE,   /* regular files beyond FILE_CAP, or without room for an entry */
	FILE_FAILED, /* could not be opened: one entry per errno */
	FILE_KINDS
};

enum file_flag {
	FILE_READS = 1, /* FMODE_READ */
	FILE_WRITES = 2,
	FILE_MAPPED = 4,
	FILE_ERROR_IS_NEW = 8, /* its error is sent for the first time */
};

/* Ids below FILE_ID_FIRST are kinds, or FILE_ID_FAILED + errno. The id of a file is a hash
 * (file_id_of). */
#define FILE_ID_FAILED 64
#define FILE_ID_FIRST  256

struct file_key {
	__u64 id;
	__u32 pid;
	__u32 start; /* bits of start_ns, since a pid is reused */
};

/* An entry. opens, failures and moved_bytes: since the last record; the rest: current values. */
struct file_use {
	__u64 next; /* id of the next in its process's chain */
	__u64 opens, failures;
	__u64 moved_bytes;           /* by the positions of its descriptors */
	__u64 size_bytes;            /* at its last close */
	__u64 first_ns;              /* boot-time clock */
	__u64 first_tick, last_tick; /* jiffies, which are cheaper to read than the clock */
	__u64 watched;               /* address of the struct file of an open descriptor */
	__u64 reached;               /* what was counted of it: FILE_REACHED_... */
	__u16 number;     /* regular files in the chain up to this one, itself included */
	__u16 error;      /* the first errno; 0: none */
	__u8 kind, flags; /* enum file_kind, file_flag */
	__u8 named;       /* its path was sent */
	__u8 changed;     /* set after the counts that it announces */
};

/* What was counted of the watched descriptor, in one word, so that one exchange counts its open and
 * its bytes. The bits above are the number of the watch: the next descriptor's differs. */
#define FILE_REACHED_POSITION ((1ULL << 48) - 1)
#define FILE_REACHED_IS_KNOWN (1ULL << 48) /* the position is */
#define FILE_REACHED_OPEN     (1ULL << 49) /* its open was counted */
#define FILE_REACHED_WATCH    (1ULL << 50) /* one watch */

#define FILE_PATH_MAX 4096

/* The growth of one file's use since the last such record; with a path: the file is used. */
struct file_record {
	__u64 id;
	__u64 opens, failures, moved_bytes;
	__u64 size_bytes, first_ns, last_ns;
	__u16 path_len, error;
	__u8 kind, flags; /* enum file_kind, file_flag */
	__u8 path_cut, unused;
	__u64 before; /* 0: end of the search for the path's last part */
	char path[FILE_PATH_MAX];
};

/* The context of a system call's tracepoint, as the kernel writes it (struct syscall_trace_enter,
 * _exit). */
struct file_call {
	__u64 common;
	__s64 number;
	__u64 first; /* first argument, or the return value */
};
