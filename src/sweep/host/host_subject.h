/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "sweep/finder.h"

/* What findings about hosts have in common. Texts are the caller's; NULL: no memory. */

static inline bool host_text_is_known(const char *text)
{
	return text && *text;
}
/* NULL where it is not known. */
char *host_copy(const char *text);
/* As snprintf(3) would write it. */
char *host_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* For people; its id where it has no name. */
const char *host_name(const struct sweep_host *host);
/* "node-7 (m6i.2xlarge, 8 CPUs)". */
char *host_words(const struct sweep_host *host);
/* Whether a finder looks at it: it is up and known to be, not idle by design, not exempted. */
bool host_is_concerned(const struct waste_finder *finder, const struct sweep_input *input,
		       const struct sweep_host *host);
/* Calls find_on for each host that it looks at, until one fails. */
int host_each(const struct waste_finder *finder, const struct sweep_input *input,
	      int (*find_on)(const struct waste_finder *finder, const struct sweep_input *input,
			     const struct sweep_host *host, struct wastes *ret),
	      struct wastes *ret);
/* A waste about a host: with its id, name, users and price. */
struct waste host_waste(const struct sweep_host *host);

struct host_window;
/* The figures of a window: covered_share, cpu_share, cpu_peak_share, memory_peak_share,
 * disk_bytes_s, net_bytes_s. */
void host_window_evidence(const struct host_window *window, struct waste_evidence *evidence);
