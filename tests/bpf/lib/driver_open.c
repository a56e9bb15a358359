/* SPDX-License-Identifier: Apache-2.0 */
/* A process that opens files and then ends: see driver.c. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>

#include "driver.h"

static void *open_in_thread(void *path)
{
	return (void *)(intptr_t)open(path, O_RDONLY | O_CLOEXEC);
}

static void by_thread(char *path)
{
	pthread_t thread;

	need(!pthread_create(&thread, NULL, open_in_thread, path), "pthread_create");
	need(!pthread_join(thread, NULL), "pthread_join");
}

static void by_folder(char *path)
{
	int folder = open("/tmp", O_PATH | O_DIRECTORY | O_CLOEXEC);

	need(folder >= 0, "/tmp");
	(void)openat(folder, path, O_RDONLY | O_CLOEXEC);
}

/* The scenario and its arguments, with a comma after each but the last. */
static void by_exec(char *arguments)
{
	char *argv[8] = { "driver" };

	for (size_t i = 1; i < 7 && arguments; i++)
		argv[i] = strsep(&arguments, ",");
	execv("/proc/self/exe", argv);
	need(0, "execv");
}

static void many(char *count)
{
	char path[64];

	for (unsigned long i = 0; i < number(count); i++) {
		snprintf(path, sizeof(path), "/tmp/no/such/%lu", i);
		(void)open(path, O_RDONLY | O_CLOEXEC);
	}
}

static void change_folder(char *path)
{
	need(!chdir(path), path);
}

static void change_uid(char *uid)
{
	need(!setuid((uid_t)number(uid)), "setuid");
}

static void create(char *path)
{
	(void)creat(path, 0600);
}

/* opens END STEP…: takes the steps, then exits with the code END, or below 0 by that signal. A step
 * is the path of a file to open, or one of these with its argument: */
int opens(char **arguments)
{
	static const struct {
		const char *name;
		void (*take)(char *argument);
	} steps[] = {
		{ "thread:", by_thread }, { "tmp:", by_folder },    { "exec:", by_exec },
		{ "many:", many },        { "cd:", change_folder }, { "uid:", change_uid },
		{ "creat:", create },
	};
	int end = atoi(arguments[0]);

	for (char **step = arguments + 1; *step; step++) {
		size_t i = 0, count = sizeof(steps) / sizeof(steps[0]);

		while (i < count && strncmp(*step, steps[i].name, strlen(steps[i].name)) != 0)
			i++;
		if (i < count)
			steps[i].take(*step + strlen(steps[i].name));
		else
			(void)open(*step, O_RDONLY | O_CLOEXEC);
	}
	if (end < 0)
		raise(-end);
	return end;
}
