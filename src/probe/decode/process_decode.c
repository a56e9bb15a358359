/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/decode/process_decode.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "probe/abi/process.h"
#include "probe/decode/cgroup_decode.h"
#include "probe/decode/connect_decode.h"
#include "probe/decode/failure_decode.h"
#include "probe/decode/figures_decode.h"
#include "probe/decode/file_decode.h"
#include "probe/decode/folder_decode.h"
#include "probe/decode/io_decode.h"
#include "probe/decode/network_decode.h"
#include "probe/decode/path_decode.h"
#include "probe/decode/syscall_decode.h"

struct process_decoder {
	unsigned page_shift;
	char exe[PATH_TEXT_SIZE], cwd[PATH_TEXT_SIZE];
	char argv_bytes[PROCESS_ARGV_MAX + 1];
	const char *argv[PROCESS_ARGV_MAX + 2];
};

struct process_decoder *process_decoder_new(unsigned page_shift)
{
	struct process_decoder *decoder = calloc(1, sizeof(*decoder));

	if (decoder)
		decoder->page_shift = page_shift;
	return decoder;
}

void process_decoder_free(struct process_decoder *decoder)
{
	free(decoder);
}

static struct probe_key key_of(const struct process_head *head)
{
	return (struct probe_key){ .pid = head->pid, .start_ns = head->start_ns };
}

static struct probe_key parent_of(const struct process_birth *birth)
{
	return (struct probe_key){ .pid = birth->origin.parent_pid,
				   .start_ns = birth->origin.parent_start_ns };
}

static void report_fork(const struct process_head *head, const struct process_birth *birth,
			uint64_t image_seq, const struct probe_handler *handler)
{
	const struct probe_fork fork = {
		.key = key_of(head),
		.parent = parent_of(birth),
		.at_ns = birth->origin.at_ns,
		.image_seq = image_seq,
		.uid = head->uid,
		.cgroup_id = head->cgroup_id,
	};

	if (handler->on_fork)
		handler->on_fork(handler->context, &fork);
}

static int decode_fork(struct process_decoder *decoder, const void *bytes, size_t size,
		       const struct probe_handler *handler)
{
	const struct process_fork_record *record = bytes;

	if (size < sizeof(*record))
		return -EBADMSG;
	report_fork(&record->head, &record->birth, record->head.image_seq, handler);
	return 0;
}

/* Splits the arguments at NULs and returns their number. The last one may be cut. */
static size_t decode_argv(struct process_decoder *decoder, const char *bytes, size_t len)
{
	size_t argc = 0;

	memcpy(decoder->argv_bytes, bytes, len);
	decoder->argv_bytes[len] = '\0';
	for (size_t at = 0; at < len; at += strlen(decoder->argv_bytes + at) + 1)
		decoder->argv[argc++] = decoder->argv_bytes + at;
	decoder->argv[argc] = NULL;
	return argc;
}

static int decode_texts(struct process_decoder *decoder, const struct process_image_record *record,
			size_t len)
{
	const char *cwd = record->bytes + record->exe_len;

	if (len != (size_t)record->exe_len + record->cwd_len + record->argv_len ||
	    record->argv_len > PROCESS_ARGV_MAX)
		return -EBADMSG;
	if (path_decode(decoder->exe, record->bytes, record->exe_len, record->exe_cut))
		return -EBADMSG;
	return path_decode(decoder->cwd, cwd, record->cwd_len, record->cwd_cut);
}

static int decode_image(struct process_decoder *decoder, const void *bytes, size_t size,
			const struct probe_handler *handler)
{
	const struct process_image_record *record = bytes;
	const size_t fixed = offsetof(struct process_image_record, bytes);
	struct probe_image image;

	if (size < fixed || decode_texts(decoder, record, size - fixed))
		return -EBADMSG;
	image = (struct probe_image){
		.key = key_of(&record->head),
		.parent = parent_of(&record->birth),
		.parent_tid = record->birth.origin.parent_tid,
		.at_ns = record->head.at_ns,
		.image_seq = record->head.image_seq,
		.exe = decoder->exe,
		.cwd = decoder->cwd,
		.argv = decoder->argv,
		.argv_missing_bytes = record->argv_missing_bytes,
		.uid = record->head.uid,
		.cgroup_id = record->head.cgroup_id,
		.pid_ns = record->pid_ns,
		.mnt_ns = record->mnt_ns,
		.pipes = { record->pipes[0], record->pipes[1] },
		.replaced = record->replaced,
		.replaced_image_seq = record->replaced_image_seq,
	};
	image.argc = decode_argv(decoder, record->bytes + record->exe_len + record->cwd_len,
				 record->argv_len);
	if (record->birth.fork_pending)
		report_fork(&record->head, &record->birth, record->replaced_image_seq, handler);
	if (image.replaced) {
		figures_decode(&image.replaced_figures, &record->consumed, decoder->page_shift);
		image.replaced_figures.ended = true;
	}
	if (handler->on_image)
		handler->on_image(handler->context, &image);
	return 0;
}

static int decode_exit(struct process_decoder *decoder, const void *bytes, size_t size,
		       const struct probe_handler *handler)
{
	const struct process_exit_record *record = bytes;
	struct probe_exit end;

	if (size < sizeof(*record))
		return -EBADMSG;
	/* The status as in <sys/wait.h>: low 7 bits the signal, bit 7 a core, then the code. */
	end = (struct probe_exit){
		.key = key_of(&record->head),
		.at_ns = record->head.at_ns,
		.image_seq = record->head.image_seq,
		.exit_code = (int)(record->code >> 8 & 0xff),
		.signal = (int)(record->code & 0x7f),
		.core_dumped = record->code & 0x80,
		.exec_excluded = record->head.kind == PROCESS_EXEC_EXCLUDED,
		.pipes = { record->pipes[0], record->pipes[1] },
	};
	figures_decode(&end.figures, &record->consumed, decoder->page_shift);
	end.figures.ended = true;
	if (record->birth.fork_pending)
		report_fork(&record->head, &record->birth, record->head.image_seq, handler);
	if (handler->on_exit)
		handler->on_exit(handler->context, &end);
	return 0;
}

static int decode_residual(struct process_decoder *decoder, const void *bytes, size_t size,
			   const struct probe_handler *handler)
{
	const struct process_exit_record *record = bytes;
	struct probe_residual residual;

	if (size < sizeof(*record))
		return -EBADMSG;
	residual = (struct probe_residual){
		.key = key_of(&record->head),
		.image_seq = record->head.image_seq,
	};
	figures_decode(&residual.figures, &record->consumed, decoder->page_shift);
	if (handler->on_residual)
		handler->on_residual(handler->context, &residual);
	return 0;
}

static int decode_kill(struct process_decoder *decoder, const void *bytes, size_t size,
		       const struct probe_handler *handler)
{
	return failure_decode_kill(bytes, size, decoder->page_shift, handler);
}

static int decode_attempt(struct process_decoder *decoder, const void *bytes, size_t size,
			  const struct probe_handler *handler)
{
	return failure_decode_attempt(bytes, size, handler);
}

static int decode_opens(struct process_decoder *decoder, const void *bytes, size_t size,
			const struct probe_handler *handler)
{
	return failure_decode_opens(bytes, size, handler);
}

static int decode_file(struct process_decoder *decoder, const void *bytes, size_t size,
		       const struct probe_handler *handler)
{
	return file_decode(decoder->exe, bytes, size, handler);
}

static decode_function *const functions[PROCESS_KINDS] = {
	[PROCESS_FORK] = decode_fork,
	[PROCESS_IMAGE] = decode_image,
	[PROCESS_EXIT] = decode_exit,
	[PROCESS_RESIDUAL] = decode_residual,
	[PROCESS_KILL] = decode_kill,
	[PROCESS_ATTEMPT] = decode_attempt,
	[PROCESS_NETWORK] = network_decode,
	[PROCESS_CGROUP_MADE] = cgroup_decode,
	[PROCESS_CGROUP_GONE] = cgroup_decode,
	[PROCESS_FILE] = decode_file,
	[PROCESS_IO] = io_decode,
	[PROCESS_EXEC_EXCLUDED] = decode_exit,
	[PROCESS_SYSCALL] = syscall_decode,
	[PROCESS_FOLDER] = folder_decode,
	[PROCESS_CONNECT] = connect_decode,
	[PROCESS_OPENS] = decode_opens,
};

int process_decode(struct process_decoder *decoder, const void *bytes, size_t size,
		   const struct probe_handler *handler)
{
	const struct process_head *head = bytes;

	if (size < sizeof(*head) || head->kind >= PROCESS_KINDS || !functions[head->kind])
		return -EBADMSG;
	return functions[head->kind](decoder, bytes, size, handler);
}
