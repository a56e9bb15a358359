/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two ends of a wire:
 *
 *     wire_driver serve tcp|udp BYTES                    writes the port that it listens at
 *     wire_driver fetch tcp|udp ADDRESS PORT BYTES       gives so many there when there is a
 *                                                        line on stdin, and gets half of them back
 *
 * Each writes a line of what it moved, "pid rx_bytes tx_bytes", and who fetches by TCP another:
 * "~ SEGMENTS", how many the kernel says that it sent again.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PIECE 1000 /* a datagram; the answer is half of it */

static unsigned long rx_bytes, tx_bytes;

static void need(int good, const char *what)
{
	if (good)
		return;
	perror(what);
	_exit(99);
}

static void give(int fd, unsigned long bytes)
{
	static char data[65536];
	ssize_t n;

	for (; bytes; bytes -= (unsigned long)n, tx_bytes += (unsigned long)n) {
		n = send(fd, data, bytes < sizeof(data) ? bytes : sizeof(data), 0);
		need(n > 0, "send");
	}
}

static void take(int fd, unsigned long bytes)
{
	static char data[65536];
	ssize_t n;

	for (; bytes; bytes -= (unsigned long)n, rx_bytes += (unsigned long)n) {
		n = recv(fd, data, bytes < sizeof(data) ? bytes : sizeof(data), 0);
		need(n > 0, "recv");
	}
}

static void answer(int fd, unsigned long bytes)
{
	struct sockaddr_in6 from;
	char data[PIECE];
	socklen_t len;
	ssize_t n;

	while (rx_bytes < bytes) {
		len = sizeof(from);
		n = recvfrom(fd, data, sizeof(data), 0, (void *)&from, &len);
		need(n > 0, "recvfrom");
		rx_bytes += (unsigned long)n;
		n = sendto(fd, data, PIECE / 2, 0, (void *)&from, len);
		need(n == PIECE / 2, "sendto");
		tx_bytes += (unsigned long)n;
	}
}

/* IPv4, too, as IPv6 has it. */
static void serve(int type, unsigned long bytes)
{
	struct sockaddr_in6 at = { .sin6_family = AF_INET6 };
	socklen_t len = sizeof(at);
	int fd = socket(AF_INET6, type, 0), connection;

	need(!bind(fd, (void *)&at, len) && !getsockname(fd, (void *)&at, &len), "bind");
	need(type != SOCK_STREAM || !listen(fd, 1), "listen");
	printf("%d\n", ntohs(at.sin6_port));
	fflush(stdout);
	if (type == SOCK_DGRAM) {
		answer(fd, bytes);
		return;
	}
	connection = accept(fd, NULL, NULL);
	need(connection >= 0, "accept");
	take(connection, bytes);
	give(connection, bytes / 2);
}

static int connected(int type, const char *address, const char *port)
{
	struct sockaddr_in v4 = { .sin_family = AF_INET, .sin_port = htons((in_port_t)atoi(port)) };
	struct sockaddr_in6 v6 = { .sin6_family = AF_INET6, .sin6_port = v4.sin_port };
	int is_v4 = inet_pton(AF_INET, address, &v4.sin_addr) == 1;
	int fd = socket(is_v4 ? AF_INET : AF_INET6, type, 0);

	need(is_v4 || inet_pton(AF_INET6, address, &v6.sin6_addr) == 1, address);
	need(!connect(fd, is_v4 ? (void *)&v4 : (void *)&v6, is_v4 ? sizeof(v4) : sizeof(v6)),
	     "connect");
	return fd;
}

static void fetch(int type, int fd, unsigned long bytes)
{
	struct tcp_info info;
	socklen_t len = sizeof(info);
	char line;

	need(read(STDIN_FILENO, &line, 1) == 1, "stdin");
	if (type == SOCK_DGRAM) {
		for (unsigned long left = bytes; left; left -= PIECE) {
			give(fd, PIECE);
			take(fd, PIECE / 2);
		}
		return;
	}
	give(fd, bytes);
	take(fd, bytes / 2);
	need(!getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len), "TCP_INFO");
	printf("~ %u\n", info.tcpi_total_retrans);
}

int main(int argc, char **argv)
{
	int type = argc > 2 && strcmp(argv[2], "udp") == 0 ? SOCK_DGRAM : SOCK_STREAM;

	if (argc == 4)
		serve(type, strtoul(argv[3], NULL, 10));
	else if (argc == 6)
		fetch(type, connected(type, argv[3], argv[4]), strtoul(argv[5], NULL, 10));
	else
		return 2;
	printf("%d %lu %lu\n", getpid(), rx_bytes, tx_bytes);
	return 0;
}
