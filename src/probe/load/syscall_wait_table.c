/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/load/syscall_wait_table.h"

#include <asm/unistd.h>
#include <stddef.h>

#define END (-1)

/* Calls that are not listed: WAIT_OTHER, or WAIT_DISK if the scheduler marks the wait as I/O. A
 * wait for completions of io_uring and aio counts as disk I/O, of whatever kind the I/O is. */
static const struct {
	uint8_t how;
	const int *numbers;
} rows[] = {
	{ WAIT_CALL_READ,
	  (const int[]){ __NR_read, __NR_readv, __NR_pread64, __NR_preadv, __NR_preadv2, END } },
	{ WAIT_CALL_WRITE, (const int[]){ __NR_write, __NR_writev, __NR_pwrite64, __NR_pwritev,
					  __NR_pwritev2, __NR_vmsplice, END } },
	{ WAIT_CALL_COPY, (const int[]){ __NR_splice, __NR_tee, __NR_copy_file_range, END } },
	{ WAIT_CALL_SENDFILE, (const int[]){ __NR_sendfile, END } },
	{ WAIT_CALL_OPEN, (const int[]){ __NR_openat, __NR_openat2, __NR_open_by_handle_at, END } },
	{ WAIT_CALL_CLOSE, (const int[]){ __NR_close, END } },
	{ WAIT_CALL_FILE,
	  (const int[]){ __NR_fsync, __NR_fdatasync, __NR_syncfs, __NR_sync_file_range,
			 __NR_ftruncate, __NR_fallocate, __NR_fadvise64, __NR_readahead,
			 __NR_getdents64, __NR_fstat, __NR_fstatfs, __NR_fchmod, __NR_fchown,
			 __NR_fchdir, __NR_fsetxattr, __NR_fgetxattr, __NR_flistxattr,
			 __NR_fremovexattr, END } },
	{ WAIT_CALL_AT, (const int[]){ __NR_newfstatat, __NR_statx, __NR_faccessat2, __NR_fchownat,
				       __NR_utimensat, END } },
	{ WAIT_CALL_PATH, (const int[]){ __NR_truncate,     __NR_statfs,
					 __NR_faccessat,    __NR_unlinkat,
					 __NR_renameat,     __NR_renameat2,
					 __NR_mkdirat,      __NR_mknodat,
					 __NR_linkat,       __NR_symlinkat,
					 __NR_readlinkat,   __NR_fchmodat,
					 __NR_chdir,        __NR_setxattr,
					 __NR_lsetxattr,    __NR_getxattr,
					 __NR_lgetxattr,    __NR_listxattr,
					 __NR_llistxattr,   __NR_removexattr,
					 __NR_lremovexattr, __NR_execve,
					 __NR_execveat,     __NR_mount,
					 __NR_umount2,      END } },
	{ WAIT_DISK, (const int[]){ __NR_sync, __NR_io_getevents, __NR_io_pgetevents,
				    __NR_io_submit, __NR_io_uring_enter, __NR_msync, END } },
	{ WAIT_NETWORK, (const int[]){ __NR_connect, __NR_accept, __NR_accept4, __NR_sendto,
				       __NR_recvfrom, __NR_sendmsg, __NR_recvmsg, __NR_sendmmsg,
				       __NR_recvmmsg, __NR_shutdown, END } },
	{ WAIT_LOCK,
	  (const int[]){ __NR_futex, __NR_futex_waitv, __NR_flock, __NR_fcntl, __NR_semop,
			 __NR_semtimedop, __NR_mmap, __NR_munmap, __NR_mremap, __NR_mprotect,
			 __NR_brk, __NR_madvise, __NR_mlock, __NR_mlock2, __NR_mlockall, END } },
	{ WAIT_CHILD, (const int[]){ __NR_wait4, __NR_waitid, __NR_clone, __NR_clone3, END } },
	{ WAIT_SLEEP,
	  (const int[]){ __NR_nanosleep, __NR_clock_nanosleep, __NR_restart_syscall, END } },
	{ WAIT_POLL,
	  (const int[]){ __NR_msgrcv, __NR_msgsnd, __NR_mq_timedsend, __NR_mq_timedreceive, END } },
	{ WAIT_CALL_PPOLL, (const int[]){ __NR_ppoll, END } },
	{ WAIT_CALL_PSELECT, (const int[]){ __NR_pselect6, END } },
	{ WAIT_CALL_EPOLL, (const int[]){ __NR_epoll_pwait, END } },
	{ WAIT_CALL_EPOLL2, (const int[]){ __NR_epoll_pwait2, END } },
#ifdef __NR_open /* which arm64 never had */
	{ WAIT_CALL_OPEN, (const int[]){ __NR_open, __NR_creat, END } },
	{ WAIT_CALL_PATH,
	  (const int[]){ __NR_stat, __NR_lstat, __NR_access, __NR_unlink, __NR_rename, __NR_mkdir,
			 __NR_rmdir, __NR_mknod, __NR_link, __NR_symlink, __NR_readlink, __NR_chmod,
			 __NR_chown, __NR_lchown, __NR_utime, __NR_utimes, __NR_futimesat, END } },
	{ WAIT_CALL_FILE, (const int[]){ __NR_getdents, END } },
	{ WAIT_CHILD, (const int[]){ __NR_vfork, __NR_fork, END } },
	{ WAIT_CALL_POLL, (const int[]){ __NR_poll, END } },
	{ WAIT_CALL_SELECT, (const int[]){ __NR_select, END } },
	{ WAIT_CALL_EPOLL, (const int[]){ __NR_epoll_wait, END } },
#endif
};

void syscall_wait_table_fill(uint8_t waits[WAIT_CALLS])
{
	for (size_t i = 0; i < WAIT_CALLS; i++)
		waits[i] = WAIT_OTHER;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (const int *number = rows[i].numbers; *number != END; number++)
			waits[*number % WAIT_CALLS] = rows[i].how;
}
