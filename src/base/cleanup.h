/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdio.h>
#include <stdlib.h>

/*
 * Ownership by scope. Each variable that owns something is tagged CLEANUP(noun_freep), and gives it
 * away only by TAKE_PTR or TAKE_FD.
 */
#define CLEANUP(function) __attribute__((cleanup(function)))

/*
 * For the rest of a file: GCC 12's -fanalyzer reports memory as leaked that a function stores
 * through a pointer parameter, such as a text of a message. (The tests run under LeakSanitizer.)
 */
#if defined(__GNUC__) && !defined(__clang__)
#define NO_LEAK_ANALYSIS _Pragma("GCC diagnostic ignored \"-Wanalyzer-malloc-leak\"")
#else
#define NO_LEAK_ANALYSIS
#endif

#define TAKE_PTR(pointer)                               \
	({                                              \
		__typeof__(pointer) taken_ = (pointer); \
		(pointer) = NULL;                       \
		taken_;                                 \
	})

#define TAKE_FD(fd)                \
	({                         \
		int taken_ = (fd); \
		(fd) = -1;         \
		taken_;            \
	})

/* Defines `noun_freep(TYPE *)` for CLEANUP from a destructor that takes NULL. */
#define DEFINE_CLEANUP(type, destructor)                                      \
	static inline void destructor##p(                                     \
		type *owned) /* NOLINT(bugprone-macro-parentheses): a type */ \
	{                                                                     \
		if (*owned)                                                   \
			destructor(*owned);                                   \
		*owned = NULL;                                                \
	}

/* free() of a pointer variable of any type. Inline, so that static analysis sees what it frees. */
static inline void freep(void *pointer_to_pointer)
{
	free(*(void **)pointer_to_pointer);
	*(void **)pointer_to_pointer = NULL;
}
/* close() of a descriptor variable that is not -1. Keeps errno. */
void closep(int *fd);
/* fclose() of a FILE * variable. */
void fclosep(FILE **file);
