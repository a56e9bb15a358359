/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/buffer.h"
#include "base/json.h"
#include "findings/failure/failure_case.h"

/* What findings about failures say again and again. Texts of the run are cut at 200 bytes. */

/* "`salmon quant` (task QUANT (A), attempt 2)"; what cannot be named is "a process". */
void words_subject(struct buffer *out, const struct failure_case *failure, size_t process);
/* "`salmon quant` (A)", for a headline. */
void words_short(struct buffer *out, const struct failure_case *failure, size_t process);
/* "`salmon quant`" */
void words_tool(struct buffer *out, const struct failure_case *failure, size_t process);
/* " after 12.0 s", of the process's life; nothing where it is not known. */
void words_after(struct buffer *out, const struct failure_case *failure, size_t process);
/* "SIGSEGV" */
const char *words_signal(int signal, char text[24]);
/* "No such file or directory"; the number where it has no text */
const char *words_errno(int error, char text[24]);
const char *name_errno(int error, char text[24]);
/* The arguments, separated by blanks, of at most 1,000 bytes. */
void words_command(struct buffer *out, const struct tree_process *process);
/* "4.0 GiB" */
void words_bytes(struct buffer *out, uint64_t bytes);
/* The name of a task: its own, else that of its step, else its id. */
const char *words_task(const struct failure_task *task);

/* A key of evidence with its value, left out where that is not known. */
void evidence_text(struct json *json, const char *key, const char *text);
void evidence_number(struct json *json, const char *key, uint64_t number);
void evidence_at(struct json *json, const char *key, int64_t at);
