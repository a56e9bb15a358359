/* SPDX-License-Identifier: Apache-2.0 */
#include <asm/unistd.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include <bpf/libbpf.h>

#include "base/log.h"
#include "probe/load/probe_private.h"
#include "process.skel.h"

#define END (-1)

static const char *const classes[SYSCALL_CLASSES] = {
	[SYSCALL_OTHER] = "other",   [SYSCALL_OPEN] = "open",         [SYSCALL_READ] = "read",
	[SYSCALL_WRITE] = "write",   [SYSCALL_METADATA] = "metadata", [SYSCALL_SYNC] = "sync",
	[SYSCALL_MEMORY] = "memory", [SYSCALL_PROCESS] = "process",   [SYSCALL_SIGNAL] = "signal",
	[SYSCALL_LOCK] = "lock",     [SYSCALL_POLL] = "poll",         [SYSCALL_SOCKET] = "socket",
	[SYSCALL_TIME] = "time",     [SYSCALL_IPC] = "ipc",           [SYSCALL_ASYNC] = "async",
	[SYSCALL_COMPAT] = "compat",
};

/* What is not named here is SYSCALL_OTHER: ioctl, mounts, modules, keys, bpf, … */
static const struct {
	uint8_t class;
	const int *numbers;
} calls[] = {
	{ SYSCALL_OPEN, (const int[]){ __NR_openat, __NR_openat2, __NR_open_by_handle_at,
				       __NR_close, __NR_close_range, __NR_dup, __NR_dup3,
				       __NR_fcntl, __NR_pipe2, __NR_memfd_create, END } },
	{ SYSCALL_READ, (const int[]){ __NR_read, __NR_readv, __NR_pread64, __NR_preadv,
				       __NR_preadv2, __NR_readahead, END } },
	{ SYSCALL_WRITE, (const int[]){ __NR_write, __NR_writev, __NR_pwrite64, __NR_pwritev,
					__NR_pwritev2, __NR_sendfile, __NR_splice, __NR_tee,
					__NR_vmsplice, __NR_copy_file_range, END } },
	{ SYSCALL_METADATA, (const int[]){ __NR_newfstatat,
					   __NR_fstat,
					   __NR_statx,
					   __NR_statfs,
					   __NR_fstatfs,
					   __NR_faccessat,
					   __NR_faccessat2,
					   __NR_getdents64,
					   __NR_lseek,
					   __NR_readlinkat,
					   __NR_unlinkat,
					   __NR_renameat,
					   __NR_renameat2,
					   __NR_mkdirat,
					   __NR_mknodat,
					   __NR_linkat,
					   __NR_symlinkat,
					   __NR_fchmodat,
					   __NR_fchmod,
					   __NR_fchownat,
					   __NR_fchown,
					   __NR_utimensat,
					   __NR_truncate,
					   __NR_ftruncate,
					   __NR_fallocate,
					   __NR_fadvise64,
					   __NR_getcwd,
					   __NR_chdir,
					   __NR_fchdir,
					   __NR_umask,
					   __NR_setxattr,
					   __NR_lsetxattr,
					   __NR_fsetxattr,
					   __NR_getxattr,
					   __NR_lgetxattr,
					   __NR_fgetxattr,
					   __NR_listxattr,
					   __NR_llistxattr,
					   __NR_flistxattr,
					   __NR_removexattr,
					   __NR_lremovexattr,
					   __NR_fremovexattr,
					   __NR_inotify_add_watch,
					   __NR_inotify_rm_watch,
					   END } },
	{ SYSCALL_SYNC, (const int[]){ __NR_fsync, __NR_fdatasync, __NR_sync, __NR_syncfs,
				       __NR_sync_file_range, __NR_msync, END } },
	{ SYSCALL_MEMORY,
	  (const int[]){ __NR_mmap, __NR_munmap, __NR_mremap, __NR_mprotect, __NR_brk, __NR_madvise,
			 __NR_mlock, __NR_mlock2, __NR_munlock, __NR_mlockall, __NR_munlockall,
			 __NR_mincore, __NR_mbind, __NR_set_mempolicy, __NR_get_mempolicy,
			 __NR_migrate_pages, __NR_move_pages, END } },
	{ SYSCALL_PROCESS, (const int[]){ __NR_clone,
					  __NR_clone3,
					  __NR_execve,
					  __NR_execveat,
					  __NR_exit,
					  __NR_exit_group,
					  __NR_wait4,
					  __NR_waitid,
					  __NR_getpid,
					  __NR_getppid,
					  __NR_gettid,
					  __NR_getuid,
					  __NR_geteuid,
					  __NR_getgid,
					  __NR_getegid,
					  __NR_getresuid,
					  __NR_getresgid,
					  __NR_getgroups,
					  __NR_setuid,
					  __NR_setgid,
					  __NR_setreuid,
					  __NR_setregid,
					  __NR_setresuid,
					  __NR_setresgid,
					  __NR_setgroups,
					  __NR_setpgid,
					  __NR_getpgid,
					  __NR_setsid,
					  __NR_getsid,
					  __NR_prctl,
					  __NR_prlimit64,
					  __NR_getrlimit,
					  __NR_setrlimit,
					  __NR_getrusage,
					  __NR_getpriority,
					  __NR_setpriority,
					  __NR_sched_yield,
					  __NR_sched_getaffinity,
					  __NR_sched_setaffinity,
					  __NR_sched_getattr,
					  __NR_sched_setattr,
					  __NR_sched_getscheduler,
					  __NR_sched_setscheduler,
					  __NR_sched_getparam,
					  __NR_sched_setparam,
					  __NR_getcpu,
					  __NR_set_tid_address,
					  __NR_rseq,
					  __NR_membarrier,
					  __NR_capget,
					  __NR_capset,
					  __NR_seccomp,
					  __NR_unshare,
					  __NR_setns,
					  __NR_pidfd_open,
					  __NR_ptrace,
					  __NR_uname,
					  __NR_sysinfo,
					  END } },
	{ SYSCALL_SIGNAL,
	  (const int[]){ __NR_rt_sigaction, __NR_rt_sigprocmask, __NR_rt_sigreturn,
			 __NR_rt_sigpending, __NR_rt_sigtimedwait, __NR_rt_sigsuspend,
			 __NR_rt_sigqueueinfo, __NR_rt_tgsigqueueinfo, __NR_sigaltstack, __NR_kill,
			 __NR_tkill, __NR_tgkill, __NR_pidfd_send_signal, __NR_signalfd4, END } },
	{ SYSCALL_LOCK, (const int[]){ __NR_futex, __NR_futex_waitv, __NR_flock,
				       __NR_set_robust_list, __NR_get_robust_list, END } },
	{ SYSCALL_POLL,
	  (const int[]){ __NR_ppoll, __NR_pselect6, __NR_epoll_create1, __NR_epoll_ctl,
			 __NR_epoll_pwait, __NR_epoll_pwait2, __NR_eventfd2, END } },
	{ SYSCALL_SOCKET,
	  (const int[]){ __NR_socket, __NR_socketpair, __NR_bind, __NR_listen, __NR_connect,
			 __NR_accept, __NR_accept4, __NR_getsockname, __NR_getpeername, __NR_sendto,
			 __NR_recvfrom, __NR_sendmsg, __NR_recvmsg, __NR_sendmmsg, __NR_recvmmsg,
			 __NR_setsockopt, __NR_getsockopt, __NR_shutdown, END } },
	{ SYSCALL_TIME, (const int[]){ __NR_nanosleep,       __NR_clock_nanosleep,
				       __NR_clock_gettime,   __NR_clock_settime,
				       __NR_clock_getres,    __NR_clock_adjtime,
				       __NR_gettimeofday,    __NR_settimeofday,
				       __NR_adjtimex,        __NR_times,
				       __NR_getitimer,       __NR_setitimer,
				       __NR_timer_create,    __NR_timer_settime,
				       __NR_timer_gettime,   __NR_timer_getoverrun,
				       __NR_timer_delete,    __NR_timerfd_create,
				       __NR_timerfd_settime, __NR_timerfd_gettime,
				       __NR_restart_syscall, END } },
	{ SYSCALL_IPC, (const int[]){ __NR_shmget,
				      __NR_shmat,
				      __NR_shmdt,
				      __NR_shmctl,
				      __NR_semget,
				      __NR_semop,
				      __NR_semtimedop,
				      __NR_semctl,
				      __NR_msgget,
				      __NR_msgsnd,
				      __NR_msgrcv,
				      __NR_msgctl,
				      __NR_mq_open,
				      __NR_mq_unlink,
				      __NR_mq_timedsend,
				      __NR_mq_timedreceive,
				      __NR_mq_notify,
				      __NR_mq_getsetattr,
				      __NR_process_vm_readv,
				      __NR_process_vm_writev,
				      END } },
	{ SYSCALL_ASYNC,
	  (const int[]){ __NR_io_setup, __NR_io_destroy, __NR_io_submit, __NR_io_cancel,
			 __NR_io_getevents, __NR_io_pgetevents, __NR_io_uring_setup,
			 __NR_io_uring_enter, __NR_io_uring_register, END } },
#ifdef __NR_open /* which arm64 never had */
	{ SYSCALL_OPEN, (const int[]){ __NR_open, __NR_creat, __NR_dup2, __NR_pipe, END } },
	{ SYSCALL_METADATA,
	  (const int[]){ __NR_stat, __NR_lstat, __NR_access, __NR_unlink, __NR_rename, __NR_mkdir,
			 __NR_rmdir, __NR_mknod, __NR_link, __NR_symlink, __NR_readlink, __NR_chmod,
			 __NR_chown, __NR_lchown, __NR_utime, __NR_utimes, __NR_futimesat,
			 __NR_getdents, END } },
	{ SYSCALL_PROCESS,
	  (const int[]){ __NR_vfork, __NR_fork, __NR_getpgrp, __NR_arch_prctl, END } },
	{ SYSCALL_SIGNAL, (const int[]){ __NR_pause, __NR_signalfd, END } },
	{ SYSCALL_POLL, (const int[]){ __NR_poll, __NR_select, __NR_epoll_create, __NR_epoll_wait,
				       __NR_eventfd, END } },
	{ SYSCALL_TIME, (const int[]){ __NR_time, __NR_alarm, END } },
#endif
};

void syscall_classes_fill(uint8_t ret[SYSCALL_NUMBERS])
{
	memset(ret, SYSCALL_OTHER, SYSCALL_NUMBERS);
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		for (const int *number = calls[i].numbers; *number != END; number++)
			ret[*number % SYSCALL_NUMBERS] = calls[i].class;
}

static const char *error_name(uint32_t error)
{
	const char *name = strerrorname_np((int)error);

	if (error == SYSCALL_RESTART)
		return "ERESTARTSYS";
	return name ? name : "other"; /* one of the kernel's own, which no program should see */
}

static void tell(const struct process_head *head, uint32_t class, const char *error,
		 const struct syscall_count *count, const struct probe_handler *handler)
{
	const struct probe_syscall call = {
		.key = { .pid = head->pid, .start_ns = head->start_ns },
		.image_seq = head->image_seq,
		.class = classes[class],
		.error = error,
		.calls = count->calls,
		.time_ns = count->ns,
	};

	if (count->calls && handler->on_syscall)
		handler->on_syscall(handler->context, &call);
}

static bool is_readable(const struct syscall_use *use)
{
	for (size_t i = 0; i < SYSCALL_FAILURES; i++)
		if (use->pairs[i] >> 16 >= SYSCALL_CLASSES ||
		    (use->pairs[i] & 0xffff) > SYSCALL_ERRNO_MAX)
			return false;
	return true;
}

int syscall_decode(struct process_decoder *decoder, const void *bytes, size_t size,
		   const struct probe_handler *handler)
{
	const struct process_syscall_record *record = bytes;
	const struct syscall_use *use = &record->use;

	if (size < sizeof(*record) || !is_readable(use))
		return -EBADMSG;
	for (uint32_t class = 0; class < SYSCALL_CLASSES; class ++) {
		tell(&record->head, class, "", &use->counts[SYSCALL_DONE + class], handler);
		tell(&record->head, class, "other", &use->counts[SYSCALL_FAILED + class], handler);
	}
	for (size_t i = 0; i < SYSCALL_FAILURES; i++)
		tell(&record->head, use->pairs[i] >> 16, error_name(use->pairs[i] & 0xffff),
		     &use->counts[SYSCALL_PAIRS + i], handler);
	return 0;
}

void syscall_choose(struct process_bpf *skel, bool wanted)
{
	struct bpf_program *const programs[] = { skel->progs.on_sys_enter, skel->progs.on_sys_exit,
						 skel->progs.sample_syscalls };
	bool had = bpf_program__autoload(skel->progs.on_sys_enter);

	skel->rodata->syscalls_counted = wanted && had;
	if (wanted && had) {
		bpf_map__set_max_entries(skel->maps.syscalls, SYSCALL_PROCESSES_MAX);
		syscall_classes_fill((uint8_t *)skel->rodata->syscall_classes);
		return;
	}
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
		bpf_program__set_autoload(programs[i], false);
	if (wanted)
		log_warning("system calls are not counted: this kernel has no tracepoint of them");
}

int probe_syscalls(struct probe *probe)
{
	const struct bpf_link *link = probe->skel->links.sample_syscalls;

	return link ? probe_iterate(link, NULL, NULL) : 0;
}
