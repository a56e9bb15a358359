/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A 32-bit program without a library: sleeps for 300 ms by its own system call numbers, and ends.
 * Its number of nanosleep is that of sync in 64-bit programs: a tracer that mistakes one for the
 * other reports a wait for the disk.
 */
#define NANOSLEEP 162
#define EXIT      1

struct time {
	long seconds, ns;
};

static long call(long number, long first, long second)
{
	long result;

	__asm__ volatile("int $0x80"
			 : "=a"(result)
			 : "a"(number), "b"(first), "c"(second)
			 : "memory");
	return result;
}

void _start(void)
{
	struct time how_long = { 0, 300000000 };

	call(EXIT, call(NANOSLEEP, (long)&how_long, 0) != 0, 0);
	__builtin_unreachable();
}
