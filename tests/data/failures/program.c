/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stands for a tool in the cases: it is called salmon, STAR, fastp and so on, and does what
 * its arguments say, in their order. Words without "=" that it does not know are names of
 * subcommands.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void refuse(const char *what)
{
	fprintf(stderr, "error: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void read_file(const char *path)
{
	char buffer[4096];
	int fd = open(path, O_RDONLY);

	if (fd < 0)
		refuse(path);
	while (read(fd, buffer, sizeof(buffer)) > 0)
		;
	close(fd);
}

/* PATH:KILOBYTES, in files without O_DIRECT: a full disk is reported by write(). */
static void write_file(char *argument)
{
	char *size = strchr(argument, ':'), block[1024] = "x";
	int fd;

	*size++ = '\0';
	fd = open(argument, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	if (fd < 0)
		refuse(argument);
	for (long i = atol(size); i > 0; i--)
		if (write(fd, block, sizeof(block)) != (ssize_t)sizeof(block))
			refuse(argument);
	close(fd);
}

static void write_lines(const char *count)
{
	for (long i = 0; i < atol(count); i++)
		if (printf("read_%ld\tACGTACGTACGTACGTACGTACGTACGTACGT\n", i) < 0)
			refuse("standard output");
	if (fflush(stdout))
		refuse("standard output");
}

static void read_all(void)
{
	char buffer[65536];

	while (read(STDIN_FILENO, buffer, sizeof(buffer)) > 0)
		;
}

static void use_memory(const char *megabytes)
{
	for (long i = atol(megabytes); i > 0; i--)
		memset(malloc(1 << 20), 1, 1 << 20);
}

static void connect_to(char *argument)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	char *port = strchr(argument, ':');
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	*port++ = '\0';
	address.sin_port = htons((uint16_t)atoi(port));
	inet_pton(AF_INET, argument, &address.sin_addr);
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)))
		refuse(argument);
	close(fd);
}

static void sleep_ms(const char *ms)
{
	usleep((useconds_t)atol(ms) * 1000);
}

/* Until the file is there: what another process of the case makes. */
static void wait_for(const char *path)
{
	while (access(path, F_OK))
		usleep(5000);
}

static void do_word(char *word)
{
	char *value = strchr(word, '=');
	const struct {
		const char *name;
		int signal;
	} signals[] = { { "segv", SIGSEGV },
			{ "abort", SIGABRT },
			{ "bus", SIGBUS },
			{ "fpe", SIGFPE },
			{ "ill", SIGILL } };

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (strcmp(word, signals[i].name) == 0)
			raise(signals[i].signal);
	if (strcmp(word, "all") == 0)
		read_all();
	if (strcmp(word, "nosigpipe") == 0)
		signal(SIGPIPE, SIG_IGN);
	if (!value)
		return;
	*value++ = '\0';
	if (strcmp(word, "exit") == 0)
		exit(atoi(value));
	if (strcmp(word, "read") == 0)
		read_file(value);
	if (strcmp(word, "write") == 0)
		write_file(value);
	if (strcmp(word, "lines") == 0)
		write_lines(value);
	if (strcmp(word, "memory") == 0)
		use_memory(value);
	if (strcmp(word, "connect") == 0)
		connect_to(value);
	if (strcmp(word, "sleep") == 0)
		sleep_ms(value);
	if (strcmp(word, "wait") == 0)
		wait_for(value);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		do_word(strdup(argv[i]));
	return 0;
}
