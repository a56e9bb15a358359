/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stddef.h>

/*
 * Options that set how much memory a program uses: a pipeline often makes them of the
 * request (java -Xmx${task.memory}, sort -S, samtools sort -m). Where there is one, a smaller
 * request changes the use. Pure.
 */
#define PROGRAM_MEMORY_SIZE 128

/* Finds the first such option in the arguments of a step_task ("sort -S 2G; java -Xmx4g -jar") and
 * writes "sort -S 2G" to ret. Returns ret, or NULL: there is none. */
const char *program_memory_find(const char *arguments, char ret[PROGRAM_MEMORY_SIZE]);
