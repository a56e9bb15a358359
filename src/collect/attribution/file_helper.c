/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/attribution/file_helper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/hash.h"

#define PLACE_FOLDERS 2
#define CHILD_FD      3

struct place {
	uint64_t place, until_ns, pause_ns;
};

struct file_helper {
	pid_t pid; /* 0: none */
	int fd;
	pid_t going[FILE_HELPER_GOING_LIMIT]; /* killed, to be reaped; 0: free */
	struct place places[FILE_HELPER_PLACES];
};

struct question {
	file_helper_read *read;
	size_t size; /* of the answer */
	unsigned char about[FILE_HELPER_QUESTION];
};

struct answer {
	int result;
	unsigned char bytes[FILE_HELPER_ANSWER];
};

struct file_helper *file_helper_new(void)
{
	struct file_helper *helper = calloc(1, sizeof(*helper));

	if (helper)
		helper->fd = -1;
	return helper;
}

static void reap(struct file_helper *helper)
{
	for (size_t i = 0; i < FILE_HELPER_GOING_LIMIT; i++) {
		if (helper->going[i] && waitpid(helper->going[i], NULL, WNOHANG) != 0)
			helper->going[i] = 0;
	}
}

/* A place in .going; SIZE_MAX: there is none. */
static size_t find_free(const struct file_helper *helper)
{
	for (size_t i = 0; i < FILE_HELPER_GOING_LIMIT; i++) {
		if (!helper->going[i])
			return i;
	}
	return SIZE_MAX;
}

/* start() makes no process without a free place for it. */
static void end(struct file_helper *helper)
{
	size_t place = find_free(helper);

	if (!helper->pid)
		return;
	kill(helper->pid, SIGKILL);
	closep(&helper->fd);
	helper->fd = -1;
	if (place != SIZE_MAX)
		helper->going[place] = helper->pid;
	helper->pid = 0;
	reap(helper);
}

void file_helper_free(struct file_helper *helper)
{
	if (!helper)
		return;
	end(helper);
	free(helper);
}

/* Sends bytes and, where fd is none of -1, that descriptor. */
static int send_message(int socket, const void *bytes, size_t len, int fd, int flags)
{
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr aligned;
	} control = { 0 };
	struct iovec part = { .iov_base = (void *)(uintptr_t)bytes, .iov_len = len };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };

	if (fd >= 0) {
		message.msg_control = control.bytes;
		message.msg_controllen = sizeof(control.bytes);
		*CMSG_FIRSTHDR(&message) = (struct cmsghdr){ .cmsg_len = CMSG_LEN(sizeof(int)),
							     .cmsg_level = SOL_SOCKET,
							     .cmsg_type = SCM_RIGHTS };
		memcpy(CMSG_DATA(CMSG_FIRSTHDR(&message)), &fd, sizeof(fd));
	}
	return sendmsg(socket, &message, flags | MSG_NOSIGNAL) < 0 ? -errno : 0;
}

/* Bytes that came, 0 where the other end has gone, or -errno. *ret_fd: -1 where none came. */
static ssize_t take_message(int socket, void *bytes, size_t size, int *ret_fd)
{
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr aligned;
	} control = { 0 };
	struct iovec part = { .iov_base = bytes, .iov_len = size };
	struct msghdr message = { .msg_iov = &part,
				  .msg_iovlen = 1,
				  .msg_control = control.bytes,
				  .msg_controllen = sizeof(control.bytes) };
	const struct cmsghdr *header;
	ssize_t got;

	do {
		got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
	} while (got < 0 && errno == EINTR);
	*ret_fd = -1;
	header = got > 0 ? CMSG_FIRSTHDR(&message) : NULL;
	if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS)
		memcpy(ret_fd, CMSG_DATA(header), sizeof(*ret_fd));
	return got < 0 ? -errno : got;
}

static _Noreturn void answer_questions(void)
{
	static struct question question;
	static struct answer answer;
	int folder;

	while (take_message(CHILD_FD, &question, sizeof(question), &folder) > 0) {
		size_t size = question.size;
		int fd = -1;

		memset(&answer, 0, sizeof(answer));
		answer.result = question.read(question.about, folder, answer.bytes, size, &fd);
		if (send_message(CHILD_FD, &answer, offsetof(struct answer, bytes) + size, fd, 0) <
		    0)
			break;
		closep(&fd);
		closep(&folder);
	}
	_exit(0);
}

/* Nothing of the agent's stays: no descriptor (one would keep a kernel program loaded), no
 * signal held back. */
static _Noreturn void begin_child(int fd, pid_t parent)
{
	sigset_t none;

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(0);
	(void)prctl(PR_SET_NAME, "tracer-files");
	for (int number = 1; number < NSIG; number++)
		(void)signal(number, SIG_DFL);
	sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	if (fd != CHILD_FD && dup2(fd, CHILD_FD) < 0)
		_exit(1);
	(void)close_range(CHILD_FD + 1, ~0U, 0);
	answer_questions();
}

static int start(struct file_helper *helper)
{
	pid_t parent = getpid();
	int ends[2];

	reap(helper);
	if (find_free(helper) == SIZE_MAX)
		return -EBUSY;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return -errno;
	helper->pid = fork();
	if (helper->pid == 0)
		begin_child(ends[1], parent);
	close(ends[1]);
	helper->fd = ends[0];
	if (helper->pid < 0) {
		int failed = errno;

		helper->pid = 0;
		closep(&helper->fd);
		helper->fd = -1;
		return -failed;
	}
	return 0;
}

static struct place *find_place(struct file_helper *helper, uint64_t place)
{
	for (size_t i = 0; i < FILE_HELPER_PLACES; i++) {
		if (helper->places[i].until_ns && helper->places[i].place == place)
			return &helper->places[i];
	}
	return NULL;
}

static void pause_place(struct file_helper *helper, uint64_t place)
{
	struct place *found = find_place(helper, place), *oldest = helper->places;

	for (size_t i = 0; !found && i < FILE_HELPER_PLACES; i++) {
		if (helper->places[i].until_ns < oldest->until_ns)
			oldest = &helper->places[i];
	}
	if (!found) {
		found = oldest;
		*found = (struct place){ .place = place,
					 .pause_ns = FILE_HELPER_PAUSE_MS * NS_PER_MS };
	}
	found->until_ns = clock_boot_ns() + found->pause_ns;
	if (found->pause_ns < FILE_HELPER_PAUSES_MS * NS_PER_MS)
		found->pause_ns *= 2;
}

/* Waits for its answer; -ETIMEDOUT. */
static int await(int fd)
{
	uint64_t until = clock_boot_ns() + FILE_HELPER_ANSWER_MS * NS_PER_MS, now;
	struct pollfd wanted = { .fd = fd, .events = POLLIN };

	while ((now = clock_boot_ns()) < until) {
		int ready = poll(&wanted, 1, (int)((until - now) / NS_PER_MS) + 1);

		if (ready > 0)
			return 0;
		if (ready < 0 && errno != EINTR)
			return -errno;
	}
	return -ETIMEDOUT;
}

static int exchange(struct file_helper *helper, const struct file_helper_question *asked,
		    void *bytes, size_t size, int *ret_fd)
{
	static struct question question;
	static struct answer answer;
	ssize_t got;
	int result;

	question.read = asked->read;
	question.size = size;
	memcpy(question.about, asked->about, asked->len);
	result = send_message(helper->fd, &question, offsetof(struct question, about) + asked->len,
			      asked->folder, MSG_DONTWAIT);
	if (!result)
		result = await(helper->fd);
	if (result)
		return result;
	got = take_message(helper->fd, &answer, sizeof(answer), ret_fd);
	if (got != (ssize_t)(offsetof(struct answer, bytes) + size))
		return got < 0 ? (int)got : -EPIPE;
	memcpy(bytes, answer.bytes, size);
	return answer.result < 0 ? answer.result : 1;
}

int file_helper_ask(struct file_helper *helper, const struct file_helper_question *question,
		    void *answer, size_t size, int *ret_fd)
{
	struct place *place = find_place(helper, question->place);
	CLEANUP(closep) int fd = -1;
	int result;

	if (question->len > FILE_HELPER_QUESTION || size > FILE_HELPER_ANSWER)
		return -EINVAL;
	if (place && clock_boot_ns() < place->until_ns)
		return -EAGAIN;
	result = helper->pid ? 0 : start(helper);
	if (result)
		return result;
	result = exchange(helper, question, answer, size, &fd);
	if (result == -ETIMEDOUT)
		pause_place(helper, question->place);
	else if (place)
		*place = (struct place){ 0 };
	if (result == -ETIMEDOUT || result == -EPIPE)
		end(helper);
	if (ret_fd)
		*ret_fd = result == 1 ? TAKE_FD(fd) : -1;
	return result < 0 ? result : 0;
}

uint64_t file_helper_place(const char *path)
{
	const char *end = path;

	for (int i = 0; *end && i < PLACE_FOLDERS; i++)
		end = strchrnul(end + 1, '/');
	return hash_bytes(hash_seed(0), path, (size_t)(end - path));
}
