/* SPDX-License-Identifier: Apache-2.0 */
/* A process that makes known numbers of system calls: see driver.c. */
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "driver.h"

#define NOWHERE ((void *)1)

static void ask_parent(unsigned long times)
{
	while (times--)
		syscall(SYS_getppid);
}

static void move(long call, int fd, unsigned long times, long returns)
{
	char byte = 0;

	while (times--)
		need(syscall(call, fd, &byte, 1) == returns, "read or write");
}

static void map(unsigned long times)
{
	while (times--) {
		void *memory = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		need(memory != MAP_FAILED && !munmap(memory, 4096), "mmap");
	}
}

static void nap(unsigned long times)
{
	while (times--)
		syscall(SYS_nanosleep, &(struct timespec){ .tv_nsec = 10000000 }, NULL);
}

/* The getppid of a 32-bit program. */
static void ask_in_32_bits(unsigned long times)
{
#ifdef __x86_64__
	while (times--) {
		long result;

		__asm__ volatile("int $0x80"
				 : "=a"(result)
				 : "a"(64)
				 : "r8", "r9", "r10", "r11", "memory");
		need(result > 0, "int 0x80");
	}
#endif
}

/* 31 pairs of class and error, more than are counted separately; each so many times. */
static void fail_in_many_ways(unsigned long times)
{
	static const struct {
		int call;
		long first, second, third, fourth;
	} ways[] = {
		{ SYS_read, -1, 0, 0, 0 },
		{ SYS_write, -1, 0, 0, 0 },
		{ SYS_close, -1, 0, 0, 0 },
		{ SYS_fstat, -1, 0, 0, 0 },
		{ SYS_fsync, -1, 0, 0, 0 },
		{ SYS_epoll_ctl, -1, 2, -1, 0 },
		{ SYS_listen, -1, 0, 0, 0 },
		{ SYS_timerfd_gettime, -1, 0, 0, 0 },
		{ SYS_mq_getsetattr, -1, 0, 0, 0 },
		{ SYS_flock, -1, LOCK_SH, 0, 0 },
		{ SYS_setns, -1, 0, 0, 0 },
		{ SYS_ioctl, -1, 0, 0, 0 },
		{ SYS_pidfd_send_signal, -1, 0, 0, 0 },
		{ SYS_mmap, 0, 0, 0, 0 },
		{ SYS_kill, 0, 9999, 0, 0 },
		{ SYS_shmget, 1, 0, 0x10000, 0 },
		{ SYS_socket, 9999, 0, 0, 0 },
		{ SYS_socket, 1, 9999, 0, 0 },
		{ SYS_lseek, 0, 0, 9999, 0 },
		{ SYS_openat, AT_FDCWD, 1, 0, 0 },
		{ SYS_openat, AT_FDCWD, (long)"", 0, 0 },
		{ SYS_openat, AT_FDCWD, (long)"/", O_RDWR, 0 },
		{ SYS_openat, AT_FDCWD, (long)"/dev/null/x", 0, 0 },
		{ SYS_openat, AT_FDCWD, (long)"/", O_CREAT | O_EXCL | O_RDWR, 0 },
		{ SYS_newfstatat, AT_FDCWD, (long)"/nothing/here", 0, 0 },
		{ SYS_rt_sigaction, SIGUSR1, 1, 0, 8 },
		{ SYS_futex, 1, 0, 0, 0 },
		{ SYS_futex, 0, 0x7f, 0, 0 },
		{ SYS_clock_gettime, 9999, 0, 0, 0 },
		{ SYS_nanosleep, 1, 0, 0, 0 },
		{ SYS_wait4, 1, 0, 0, 0 },
	};

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		for (unsigned long n = 0; n < times; n++)
			need(syscall(ways[i].call, ways[i].first, ways[i].second, ways[i].third,
				     ways[i].fourth) == -1,
			     "a call that should fail");
}

static void *thread(void *times)
{
	ask_parent((unsigned long)times);
	return NULL;
}

static void in_threads(unsigned long times)
{
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		need(!pthread_create(&threads[i], NULL, thread, (void *)times), "thread");
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
}

static void in_child(unsigned long times)
{
	pid_t pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);

	if (!pid) {
		ask_parent(times);
		syscall(SYS_exit_group, 0);
	}
	need(pid > 0 && waitpid(pid, NULL, 0) == pid, "child");
}

/* A child is killed in a call that waits for nothing. */
static void killed(unsigned long times)
{
	while (times--) {
		pid_t pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);

		if (!pid)
			for (;;)
				syscall(SYS_ppoll, NULL, 0, NULL, NULL, 0);
		need(pid > 0, "clone");
		until_state(pid, "S");
		nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL);
		need(!kill(pid, SIGKILL) && waitpid(pid, NULL, 0) == pid, "child");
	}
}

static void call(char letter, unsigned long times)
{
	struct stat status;

	switch (letter) {
	case 'g':
		ask_parent(times);
		break;
	case 'b': /* EBADF */
		move(SYS_read, -1, times, -1);
		break;
	case 'w':
		move(SYS_write, STDOUT_FILENO, times, 1);
		break;
	case 'm':
		map(times);
		break;
	case 's': /* ENOENT */
		while (times--)
			need(stat("/nothing/here", &status) < 0, "stat");
		break;
	case 'f': /* EAGAIN */
		while (times--)
			syscall(SYS_futex, &(int){ 1 }, FUTEX_WAIT_PRIVATE, 0, NULL);
		break;
	case 'p':
		while (times--)
			syscall(SYS_ppoll, NULL, 0, &(struct timespec){ 0 }, NULL, 0);
		break;
	case 'k':
		while (times--)
			kill(getppid(), 0);
		break;
	case 'S':
		while (times--)
			syscall(SYS_socket, 9999, 0, 0); /* EAFNOSUPPORT */
		break;
	case 'n': /* of 10 ms each */
		nap(times);
		break;
	case 'i': /* one write, and one read after standard input has ended */
		until_input_ends();
		break;
	case 'c':
		ask_in_32_bits(times);
		break;
	case 'e':
		fail_in_many_ways(times);
		break;
	case 't': /* each of four */
		in_threads(times);
		break;
	case 'F':
		in_child(times);
		break;
	case 'K':
		killed(times);
		break;
	}
}

/* calls LETTER COUNT …: step by step; see call(). 'x': as a new image from here on */
int calls(char **arguments)
{
	for (; arguments[0] && arguments[1]; arguments += 2) {
		char *argv[64] = { (char[]){ "driver" }, (char[]){ "calls" } };

		for (int i = 0; i < 60 && arguments[i + 2]; i++)
			argv[i + 2] = arguments[i + 2];
		if (arguments[0][0] == 'x')
			execv("/proc/self/exe", argv);
		call(arguments[0][0], number(arguments[1]));
	}
	return 0;
}
