/* SPDX-License-Identifier: Apache-2.0 */
#include "server/settings.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#define OPTION(name, kind, field, preset, words)                                           \
	{                                                                                  \
		.key = (name), .type = (kind), .offset = offsetof(struct settings, field), \
		.fallback = (preset), .help = (words)                                      \
	}

const struct config_option SETTINGS_OPTIONS[] = {
	OPTION("listen", CONFIG_TEXT, listen, "127.0.0.1:8717",
	       "address and port to serve on; port 0: any free one"),
	OPTION("insecure", CONFIG_BOOL, insecure, "false",
	       "serve other hosts without TLS: tokens can be read on the way"),
	OPTION("listen-plain", CONFIG_BOOL, listen_plain, "false", "the old name of insecure"),
	OPTION("data-folder", CONFIG_TEXT, data_folder, "/var/lib/tracer/lake",
	       "where the store keeps its file"),
	OPTION("tokens-folder", CONFIG_TEXT, tokens_folder, "/var/lib/tracer/tokens",
	       "one token a file: ingest, read, admin, SCOPE-NAME"),
	OPTION("url-file", CONFIG_TEXT, url_file, "",
	       "a file that gets the server's URL once it is ready"),
	OPTION("socket", CONFIG_TEXT, socket, "",
	       "UNIX socket where each user of this host reads that user's own runs, without a "
	       "token"),
	OPTION("socket-group", CONFIG_TEXT, socket_group, "tracer",
	       "group of which the members, like root, read all runs there"),
	OPTION("tls-certificate-file", CONFIG_TEXT, tls_certificate_file, "",
	       "PEM certificate chain: serve https; read again when it changes"),
	OPTION("tls-key-file", CONFIG_TEXT, tls_key_file, "", "PEM key of the certificate"),
	OPTION("tls-client-ca-file", CONFIG_TEXT, tls_client_ca_file, "",
	       "PEM authorities: agents must have a certificate of one of them"),
	OPTION("memory-limit", CONFIG_BYTES, memory_limit, "544M",
	       "memory that the store's engine may use"),
	OPTION("keep-batches", CONFIG_BYTES, keep_batches, "256M",
	       "batches that are kept as they came, for `tracer record`; 0: none"),
	OPTION("keep-samples", CONFIG_DURATION, keep_samples_ns, "30d",
	       "how long samples stay behind the end of their run; 0s: for ever"),
	OPTION("keep-files", CONFIG_DURATION, keep_files_ns, "90d",
	       "how long the files of tasks stay; 0s: for ever"),
	OPTION("keep-processes", CONFIG_DURATION, keep_processes_ns, "90d",
	       "how long processes stay; what a page sums up stays; 0s: for ever"),
	OPTION("keep-bytes", CONFIG_BYTES, keep_bytes, "9G",
	       "from where the oldest samples, files and processes go; 0: any size"),
	OPTION("archive-folder", CONFIG_TEXT, archive_folder, "",
	       "gets what is removed for its age or size, as Parquet files"),
	/* Less than SERVER_IDLE_S: a client that waits longer is disconnected. */
	{ .key = "query-limit",
	  .type = CONFIG_DURATION,
	  .offset = offsetof(struct settings, query_limit_ns),
	  .fallback = "30s",
	  .min = 1e9,
	  .max = 50e9,
	  .help = "how long the store may look for one answer, 1s to 50s" },
	OPTION("answers-memory", CONFIG_BYTES, answers_memory, "256M",
	       "memory for all answers that are made and sent; beyond it: 503"),
	{ .key = "settle-after",
	  .type = CONFIG_DURATION,
	  .offset = offsetof(struct settings, settle_after_ns),
	  .fallback = "30s",
	  .min = 1e9,
	  .max = 86400e9,
	  .help = "how long after its last record a run that ended gets its summaries, 1s to 24h" },
	OPTION("cost-file", CONFIG_TEXT, cost_file, "/etc/tracer/cost.yaml",
	       "settings of costs (docs/cost.md); it may be absent; read at the start"),
	OPTION("waste-file", CONFIG_TEXT, waste_file, "/etc/tracer/waste.yaml",
	       "settings of sweeps (docs/sweep.md); it may be absent; read at the start"),
	OPTION("inventory-file", CONFIG_TEXT, inventory_file, "/etc/tracer/inventory.yaml",
	       "accounts of providers to list (docs/sweep.md); it may be absent; read at the "
	       "start"),
	OPTION("bill-limit", CONFIG_BYTES, bill_limit, "8G",
	       "how large a file of a bill may be; unpacked it may have four times that"),
	OPTION("thresholds", CONFIG_TEXT, thresholds, "",
	       "from where findings are worth showing: NAME=VALUE,… (docs/findings.md)"),
	OPTION("log-level", CONFIG_TEXT, log_level, "info", "error, warning, info or debug"),
};
const size_t SETTINGS_OPTIONS_COUNT = sizeof(SETTINGS_OPTIONS) / sizeof(SETTINGS_OPTIONS[0]);

/* "HOST:PORT" or "[HOST]:PORT" into its parts. */
static int split(const char *listen, char host[64], char port[8])
{
	const char *colon = strrchr(listen, ':');
	size_t len = colon ? (size_t)(colon - listen) : 0;

	if (!len || strlen(colon + 1) > 5 || !colon[1] ||
	    strspn(colon + 1, "0123456789") != strlen(colon + 1))
		return -EINVAL;
	snprintf(port, 8, "%s", colon + 1);
	if (listen[0] == '[' && listen[len - 1] == ']') {
		listen++;
		len -= 2;
	} else if (memchr(listen, ':', len)) {
		return -EINVAL;
	}
	if (!len || len >= 64)
		return -EINVAL;
	memcpy(host, listen, len);
	host[len] = '\0';
	return strtoul(port, NULL, 10) > 65535 ? -EINVAL : 0;
}

int settings_address(const char *listen, struct sockaddr_storage *ret, socklen_t *ret_len,
		     struct error *err)
{
	struct addrinfo hints = { .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
				  .ai_socktype = SOCK_STREAM };
	struct addrinfo *found = NULL;
	char host[64], port[8];

	if (split(listen, host, port) ||
	    getaddrinfo(strcmp(host, "localhost") == 0 ? "127.0.0.1" : host, port, &hints, &found))
		return error_set(err, -EINVAL,
				 "listen: \"%s\" is not ADDRESS:PORT, as in 127.0.0.1:8717 or "
				 "[::1]:8717",
				 listen);
	memcpy(ret, found->ai_addr, found->ai_addrlen);
	*ret_len = found->ai_addrlen;
	freeaddrinfo(found);
	return 0;
}

bool settings_is_loopback(const struct sockaddr_storage *address)
{
	const struct sockaddr_in *ip4 = (const struct sockaddr_in *)address;
	const struct sockaddr_in6 *ip6 = (const struct sockaddr_in6 *)address;

	if (address->ss_family == AF_INET)
		return ntohl(ip4->sin_addr.s_addr) >> 24 == 127;
	return address->ss_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&ip6->sin6_addr);
}

static int check(const struct settings *settings, struct error *err)
{
	bool tls = *settings->tls_certificate_file != '\0';
	struct sockaddr_storage address = { 0 };
	socklen_t len = 0;
	int rc = settings_address(settings->listen, &address, &len, err);

	if (rc)
		return rc;
	if (tls != (*settings->tls_key_file != '\0'))
		return error_set(err, -EINVAL,
				 "tls-certificate-file and tls-key-file belong together: one of "
				 "them is missing");
	if (*settings->tls_client_ca_file && !tls)
		return error_set(err, -EINVAL,
				 "tls-client-ca-file needs tls-certificate-file and tls-key-file: "
				 "agents show their certificates by TLS alone");
	if (!tls && !settings->insecure && !settings->listen_plain &&
	    !settings_is_loopback(&address))
		return error_set(err, -EINVAL,
				 "listen: %s can be reached from other hosts, and without TLS "
				 "tokens can be read on the way: set tls-certificate-file and "
				 "tls-key-file (docs/operate.md), or insecure behind a TLS proxy",
				 settings->listen);
	return 0;
}

int settings_read(struct settings *settings, int argc, char **argv, struct error *err)
{
	const struct config_option *options = SETTINGS_OPTIONS;
	int rc = config_defaults(settings, options, SETTINGS_OPTIONS_COUNT);

	if (rc)
		return error_set(err, rc, "out of memory");
	rc = config_environment(settings, options, SETTINGS_OPTIONS_COUNT, err);
	if (rc == 0)
		rc = config_arguments(settings, options, SETTINGS_OPTIONS_COUNT, &argc, argv, err);
	if (rc == 0 && argc > 1)
		rc = error_set(err, -EINVAL, "\"%s\" is not an option: see tracer-lake --help",
			       argv[1]);
	return rc ? rc : check(settings, err);
}

void settings_clear(struct settings *settings)
{
	config_clear(settings, SETTINGS_OPTIONS, SETTINGS_OPTIONS_COUNT);
}
