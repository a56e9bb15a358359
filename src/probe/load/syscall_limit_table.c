/* SPDX-License-Identifier: Apache-2.0 */
#include <asm/unistd.h>
#include <stddef.h>
#include <string.h>

#include "probe/load/syscall_wait_table.h"

/* Calls that may wait for a limited time (their manual pages, section 2). futex(2): of its
 * operations that wait, each has the timeout as its fourth argument. */
static const struct {
	uint16_t number;
	uint8_t limit;
} rows[] = {
	{ __NR_nanosleep, WAIT_LIMIT_ALWAYS },       { __NR_clock_nanosleep, WAIT_LIMIT_ALWAYS },
	{ __NR_restart_syscall, WAIT_LIMIT_ALWAYS }, /* only of calls with a timeout */
	{ __NR_futex, WAIT_LIMIT_FOURTH },           { __NR_futex_waitv, WAIT_LIMIT_FOURTH },
	{ __NR_semtimedop, WAIT_LIMIT_FOURTH },      { __NR_ppoll, WAIT_LIMIT_THIRD },
	{ __NR_pselect6, WAIT_LIMIT_FIFTH },         { __NR_epoll_pwait, WAIT_LIMIT_FOURTH_MS },
	{ __NR_epoll_pwait2, WAIT_LIMIT_FOURTH },    { __NR_rt_sigtimedwait, WAIT_LIMIT_THIRD },
	{ __NR_recvmmsg, WAIT_LIMIT_FIFTH },         { __NR_mq_timedsend, WAIT_LIMIT_FIFTH },
	{ __NR_mq_timedreceive, WAIT_LIMIT_FIFTH },  { __NR_io_getevents, WAIT_LIMIT_FIFTH },
	{ __NR_io_pgetevents, WAIT_LIMIT_FIFTH },
#ifdef __NR_poll /* which arm64 never had */
	{ __NR_poll, WAIT_LIMIT_THIRD_MS },          { __NR_select, WAIT_LIMIT_FIFTH },
	{ __NR_epoll_wait, WAIT_LIMIT_FOURTH_MS },
#endif
};

void syscall_limit_table_fill(uint8_t limits[WAIT_CALLS])
{
	memset(limits, WAIT_LIMIT_NONE, WAIT_CALLS);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		limits[rows[i].number % WAIT_CALLS] = rows[i].limit;
}
