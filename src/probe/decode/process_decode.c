/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/abi/process.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "probe/load/probe_private.h"

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

uint64_t process_resident(const struct process_consumed *consumed)
{
	return consumed->pages[MEMORY_FILE] + consumed->pages[MEMORY_ANON] +
	       consumed->pages[MEMORY_SHMEM];
}

void process_figures(struct probe_figures *ret, const struct process_consumed *consumed,
		     unsigned page_shift)
{
	const struct process_counts *counts = &consumed->counts;
	unsigned __int128 ticks = (unsigned __int128)counts->user_ticks + counts->kernel_ticks;
	unsigned __int128 user = (unsigned __int128)counts->cpu_ns * counts->user_ticks;

	*ret = (struct probe_figures){
		.user_ns = ticks ? (uint64_t)(user / ticks) : counts->cpu_ns,
		.runnable_ns = counts->runnable_ns,
		.disk_ns = counts->waits_ns[WAIT_DISK],
		.paging_ns = counts->waits_ns[WAIT_PAGING],
		.network_ns = counts->waits_ns[WAIT_NETWORK],
		.pipe_read_ns = counts->waits_ns[WAIT_PIPE_READ],
		.pipe_write_ns = counts->waits_ns[WAIT_PIPE_WRITE],
		.lock_ns = counts->waits_ns[WAIT_LOCK],
		.child_ns = counts->waits_ns[WAIT_CHILD],
		.sleep_ns = counts->waits_ns[WAIT_SLEEP],
		.poll_ns = counts->waits_ns[WAIT_POLL],
		.other_ns = counts->waits_ns[WAIT_OTHER],
		.threads_ns = counts->threads_ns,
		.disk_shared_ns = counts->disk_shared_ns,
		.disk_fuse_ns = counts->disk_fuse_ns,
		.poll_network_ns = consumed->woken_ns[WAIT_WOKE_NETWORK],
		.poll_pipe_ns = consumed->woken_ns[WAIT_WOKE_PIPE],
		.poll_timer_ns = consumed->woken_ns[WAIT_WOKE_TIMER],
		.minor_faults = counts->minor_faults,
		.major_faults = counts->major_faults,
		.ctx_voluntary = counts->ctx_voluntary,
		.ctx_involuntary = counts->ctx_involuntary,
		.read_chars_bytes = counts->read_chars_bytes,
		.write_chars_bytes = counts->write_chars_bytes,
		.disk_read_bytes = counts->disk_read_bytes,
		.disk_write_bytes = counts->disk_write_bytes,
		.rss_bytes = process_resident(consumed) << page_shift,
		.rss_anon_bytes = consumed->pages[MEMORY_ANON] << page_shift,
		.rss_file_bytes = consumed->pages[MEMORY_FILE] << page_shift,
		.rss_shmem_bytes = consumed->pages[MEMORY_SHMEM] << page_shift,
		.swap_bytes = consumed->pages[MEMORY_SWAP] << page_shift,
		.files_opened = consumed->files_opened,
		.files_failed = consumed->files_failed,
		.rss_peak_bytes = consumed->peak_pages << page_shift,
		.threads = consumed->threads,
		.threads_peak = consumed->threads_peak,
		.peak_exact = consumed->peak_exact,
		.baseline_known = consumed->base_known,
	};
	ret->kernel_ns = counts->cpu_ns - ret->user_ns;
	network_figures(ret, &consumed->network);
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

static void tell_fork(const struct process_head *head, const struct process_birth *birth,
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
	tell_fork(&record->head, &record->birth, record->head.image_seq, handler);
	return 0;
}

int process_decode_path(char *text, const char *parts, size_t len, bool cut)
{
	size_t end = len, used = 0;

	if (len > PROCESS_PATH_MAX || (len && parts[len - 1]))
		return -EBADMSG;
	if (cut)
		used = (size_t)(stpcpy(text, "…") - text);
	while (end) {
		size_t begin = end - 1;

		while (begin && parts[begin - 1])
			begin--;
		text[used++] = '/';
		memcpy(text + used, parts + begin, end - 1 - begin);
		used += end - 1 - begin;
		end = begin;
	}
	if (!used)
		text[used++] = '/';
	text[used] = '\0';
	return 0;
}

/* Splits at NULs; what was cut amid a text is one that ends there. Returns their number. */
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
	if (process_decode_path(decoder->exe, record->bytes, record->exe_len, record->exe_cut))
		return -EBADMSG;
	return process_decode_path(decoder->cwd, cwd, record->cwd_len, record->cwd_cut);
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
	if (record->birth.unborn)
		tell_fork(&record->head, &record->birth, record->replaced_image_seq, handler);
	if (image.replaced)
		process_figures(&image.replaced_figures, &record->consumed, decoder->page_shift);
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
		.left = record->head.kind == PROCESS_LEFT,
	};
	process_figures(&end.figures, &record->consumed, decoder->page_shift);
	if (record->birth.unborn)
		tell_fork(&record->head, &record->birth, record->head.image_seq, handler);
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
	process_figures(&residual.figures, &record->consumed, decoder->page_shift);
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

static int decode_file(struct process_decoder *decoder, const void *bytes, size_t size,
		       const struct probe_handler *handler)
{
	return file_decode(decoder->exe, bytes, size, handler);
}

typedef int decode_function(struct process_decoder *decoder, const void *bytes, size_t size,
			    const struct probe_handler *handler);

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
	[PROCESS_LEFT] = decode_exit,
	[PROCESS_SYSCALL] = syscall_decode,
	[PROCESS_FOLDER] = folder_decode,
};

int process_decode(struct process_decoder *decoder, const void *bytes, size_t size,
		   const struct probe_handler *handler)
{
	const struct process_head *head = bytes;

	if (size < sizeof(*head) || head->kind >= PROCESS_KINDS || !functions[head->kind])
		return -EBADMSG;
	return functions[head->kind](decoder, bytes, size, handler);
}
