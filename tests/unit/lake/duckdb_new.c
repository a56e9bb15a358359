/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <stdlib.h>

/*
 * C++'s operators new and delete, of libc instead of AddressSanitizer. DuckDB, which is built
 * without it, is the only C++ in programs that link this, and makes so many objects that ASan takes
 * two thirds of the time of such a test. What C allocates is checked as ever. A linker takes the
 * definitions of a program before those of a library. Names: Itanium C++ ABI, 5.1.
 */
void *__libc_malloc(size_t size);
void __libc_free(void *memory);

void *_Znwm(size_t size)
{
	void *memory = __libc_malloc(size ? size : 1);

	if (!memory)
		abort();
	return memory;
}

void *_Znam(size_t size)
{
	return _Znwm(size);
}

void *_ZnwmRKSt9nothrow_t(size_t size, const void *nothrow)
{
	return __libc_malloc(size ? size : 1);
}

void *_ZnamRKSt9nothrow_t(size_t size, const void *nothrow)
{
	return _ZnwmRKSt9nothrow_t(size, nothrow);
}

void _ZdlPv(void *memory)
{
	__libc_free(memory);
}

void _ZdlPvm(void *memory, size_t size)
{
	__libc_free(memory);
}

void _ZdaPv(void *memory)
{
	__libc_free(memory);
}

void _ZdaPvm(void *memory, size_t size)
{
	__libc_free(memory);
}
