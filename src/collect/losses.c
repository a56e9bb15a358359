#include "collect/losses.h"
#include "collect/record.h"

#include <stdio.h>

#include "base/clock.h"
#include "ship/spool.h"

#define WHY_BYTES 128

static void tell(const struct losses *losses, struct outbox *outbox, const char *what,
		 uint64_t *told, uint64_t now, const char *why)
{
	if (now > *told)
		record_loss(outbox, what, now - *told, losses->checked_at, why);
	*told = now;
}

void losses_check(struct losses *losses, struct tracker *tracker, struct probe *probe)
{
	static const char full[] = "the kernel's ring was full";
	struct outbox *outbox = tracker->outbox;
	struct probe_losses now;

	if (probe_losses(probe, &now) == 0) {
		tell(losses, outbox, "fork", &losses->probe.fork, now.fork, full);
		tell(losses, outbox, "exec", &losses->probe.image, now.image, full);
		tell(losses, outbox, "exit", &losses->probe.exit, now.exit, full);
		tell(losses, outbox, "exit", &losses->probe.residual, now.residual,
		     "the kernel's ring was full; figures after the end are missing");
		tell(losses, outbox, "event", &losses->probe.failure, now.failure,
		     "the kernel's ring was full; why processes ended is missing");
		tell(losses, outbox, "files", &losses->probe.file, now.file,
		     "the kernel's ring was full, or the table of files");
		tell(losses, outbox, "syscalls", &losses->probe.syscall, now.syscall,
		     "the kernel had no room to count them, or to tell of them");
		tell(losses, outbox, "processes", &losses->probe.untracked, now.untracked,
		     "the kernel had no memory to follow them");
		tell(losses, outbox, "network", &losses->probe.network, now.network,
		     "the kernel had no room for counts of sockets");
		tell(losses, outbox, "io", &losses->probe.io, now.io,
		     "the kernel had no room for requests to disks");
	}
	tell(losses, outbox, "processes", &losses->refused, tracker->counts.refused,
	     "the process table was full: raise process-limit");
	tell(losses, outbox, "processes", &losses->tree_refused, tree_refused(tracker->tree),
	     "more runs or tasks at once than can be followed: counted in no task");
	losses->checked_at = tracker_now(tracker);
}

void losses_take_spool(struct outbox *outbox, struct spool *spool)
{
	struct spool_loss loss;

	while (spool_take_loss(spool, &loss) > 0) {
		Signal__Loss record = SIGNAL__LOSS__INIT;
		char why[WHY_BYTES];

		if (loss.records)
			(void)snprintf(why, sizeof(why), "%s: %llu records", loss.why,
				       (unsigned long long)loss.records);
		else
			(void)snprintf(why, sizeof(why), "%s", loss.why);
		record.what = (char[]){ "batches" };
		record.count = loss.batches;
		record.since_at = loss.since_at;
		record.until_at = loss.until_at;
		record.why = why;
		outbox_add(outbox, &record.base);
	}
}
