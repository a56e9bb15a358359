/* SPDX-License-Identifier: Apache-2.0 */
/* Processes that fail in known ways: see driver.c. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "driver.h"

static void hang_about(void)
{
	need(write(STDOUT_FILENO, "r", 1) == 1, "write");
	for (;;)
		pause();
}

/* hang: writes a byte to standard output, then waits for ever */
int hang(char **arguments)
{
	hang_about();
	return 0;
}

static void *live_without_the_first(void *unused)
{
	until_state(getpid(), "Z");
	until_input_ends();
	return NULL;
}

/* headless: its leader ends; another thread writes a byte, and ends with standard input */
int headless(char **arguments)
{
	pthread_t thread;

	need(!pthread_create(&thread, NULL, live_without_the_first, NULL), "pthread_create");
	pthread_exit(NULL);
}

static void again(int number)
{
	signal(number, SIG_DFL);
	raise(number);
}

/* tidy SIGNAL: as hang, with a handler that raises the signal again, as shells do */
int tidy(char **arguments)
{
	signal((int)number(arguments[0]), again);
	hang_about();
	return 0;
}

static void answered(int number)
{
	_exit(128 + number);
}

/* answer SIGNAL: as hang, with a handler that ends the process by an exit code, as JVMs do */
int answer(char **arguments)
{
	signal((int)number(arguments[0]), answered);
	hang_about();
	return 0;
}

static sigjmp_buf before_fault;

static void go_on(int number)
{
	siglongjmp(before_fault, 1);
}

static void answered_late(int number)
{
	signal(SIGSEGV, go_on);
	if (sigsetjmp(before_fault, 1) == 0)
		(void)*(volatile char *)0x10;
	_exit(128 + number);
}

/* answer_late SIGNAL: as answer, after a fault of its own that it catches */
int answer_late(char **arguments)
{
	signal((int)number(arguments[0]), answered_late);
	hang_about();
	return 0;
}

/* spill: writes until the reader is gone */
int spill(char **arguments)
{
	signal(SIGPIPE, SIG_DFL);
	for (;;)
		(void)!write(STDOUT_FILENO, "x", 1);
}

/* fault: reads from an unmapped address */
int fault(char **arguments)
{
	return *(volatile char *)0x10;
}

/* try CODE PATH…: a child tries to exec each path, and ends with the code */
int try_exec(char **arguments)
{
	int status;
	pid_t pid = fork();

	need(pid >= 0, "fork");
	if (!pid) {
		for (char **path = arguments + 1; *path; path++)
			execv(*path, (char *[]){ *path, "nothing", NULL });
		_exit((int)number(arguments[0]));
	}
	need(waitpid(pid, &status, 0) == pid, "waitpid");
	return 0;
}

/* try_self CODE PATH: tries to exec the path, and ends with the code */
int try_self(char **arguments)
{
	execv(arguments[1], (char *[]){ arguments[1], NULL });
	return (int)number(arguments[0]);
}
