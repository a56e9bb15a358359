/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "base/config/config.h"

/* The settings of tracer-lake: /etc/tracer/lake.yaml, TRACER_KEY, --key. */
struct settings {
	char *listen;      /* "127.0.0.1:8717", "[::1]:0", "localhost:8717" */
	bool insecure;     /* serve other hosts without TLS */
	bool listen_plain; /* the name of `insecure` in older files */
	char *data_folder, *tokens_folder, *url_file;
	char *socket;       /* for the users of this host; "": none */
	char *socket_group; /* which reads all runs there */
	char *tls_certificate_file, *tls_key_file, *tls_client_ca_file;
	uint64_t memory_limit; /* bytes for the store's engine */
	uint64_t keep_batches; /* bytes of the journal */
	uint64_t query_limit_ns;
	uint64_t answers_memory;  /* bytes of all answers until they are sent */
	uint64_t settle_after_ns; /* how long nothing arrived of a run that is settled */
	/* How long rows of settled runs stay (0: for ever), and how much the lake may take. */
	uint64_t keep_samples_ns, keep_files_ns, keep_processes_ns, keep_bytes;
	char *archive_folder; /* "": none */
	char *cost_file;      /* of cost_policy_read() */
	char *waste_file;     /* of sweep_policy_read() */
	char *inventory_file; /* of inventory_settings_read() */
	uint64_t bill_limit;  /* bytes of a file */
	char *thresholds;     /* as of thresholds_set */
	char *log_level;
};

extern const struct config_option SETTINGS_OPTIONS[];
extern const size_t SETTINGS_OPTIONS_COUNT;

/* Defaults, then the file of --config, the environment, the arguments; then what only belongs
 * together is checked. -EINVAL, -ENOENT with words. */
int settings_read(struct settings *settings, int argc, char **argv, struct error *err);
void settings_clear(struct settings *settings);

/* "HOST:PORT" with a literal address or "localhost", as a socket address. */
int settings_address(const char *listen, struct sockaddr_storage *ret, socklen_t *ret_len,
		     struct error *err);
/* true for 127.0.0.0/8 and ::1. */
bool settings_is_loopback(const struct sockaddr_storage *address);
