/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "sweep/host/host_command.h"

/* What people are shown to paste. NULL: there is no command. */
static const struct {
	struct sweep_host host;
	const char *stop, *drain;
} cases[] = {
	{ { .hostname = "node-7" }, "ssh node-7 sudo shutdown -h now", NULL },
	{ { .hostname = "node-7", .provider = "aws", .instance_id = "i-1", .region = "eu-west-1" },
	  "aws ec2 stop-instances --instance-ids i-1 --region eu-west-1",
	  NULL },
	{ { .hostname = "node-7", .provider = "aws", .instance_id = "i-1", .purchase = "spot" },
	  "aws ec2 terminate-instances --instance-ids i-1",
	  NULL },
	{ { .hostname = "node-7.internal", .provider = "gcp", .zone = "europe-west4-a" },
	  "gcloud compute instances stop node-7 --zone europe-west4-a",
	  NULL },
	{ { .hostname = "n", .worker = WORKER_SLURM, .node = "" },
	  "ssh n sudo shutdown -h now",
	  "scontrol update nodename=n state=drain reason=idle" },
	{ { .hostname = "n.x", .worker = WORKER_SLURM, .node = "n" },
	  "ssh n.x sudo shutdown -h now",
	  "scontrol update nodename=n state=drain reason=idle" },
	{ { .hostname = "n", .worker = WORKER_KUBERNETES },
	  "ssh n sudo shutdown -h now",
	  "kubectl drain n --ignore-daemonsets" },
	{ { .hostname = "n", .worker = WORKER_OTHER },
	  "ssh n sudo shutdown -h now",
	  "ssh n sudo shutdown -h now" },
	{ { .provider = "aws", .instance_id = "i-1", .worker = WORKER_ECS },
	  "aws ec2 stop-instances --instance-ids i-1",
	  "aws ec2 stop-instances --instance-ids i-1" },
	{ { .provider = "aws",
	    .instance_id = "i-1",
	    .worker = WORKER_ECS,
	    .cluster = "c",
	    .region = "r" },
	  "aws ec2 stop-instances --instance-ids i-1 --region r",
	  "aws ecs update-container-instances-state --status DRAINING --cluster c --region r "
	  "--container-instances $(aws ecs list-container-instances --cluster c --region r "
	  "--filter 'ec2InstanceId == i-1' --query containerInstanceArns --output text)" },
	/* what is not known */
	{ { .hostname = "" }, NULL, NULL },
	{ { .hostname = NULL }, NULL, NULL },
	{ { .hostname = "n", .provider = "aws" }, NULL, NULL },
	{ { .hostname = NULL, .worker = WORKER_SLURM }, NULL, NULL },
	{ { .hostname = "n", .worker = WORKER_ECS, .cluster = "c" },
	  "ssh n sudo shutdown -h now",
	  NULL },
	/* hostile names */
	{ { .hostname = "-oProxyCommand=reboot" }, NULL, NULL },
	{ { .hostname = "$(reboot)", .worker = WORKER_KUBERNETES },
	  "ssh '$(reboot)' sudo shutdown -h now",
	  "kubectl drain '$(reboot)' --ignore-daemonsets" },
	{ { .hostname = "a;reboot", .provider = "gcp", .zone = "z'z" },
	  "gcloud compute instances stop 'a;reboot' --zone 'z'\\''z'",
	  NULL },
	{ { .hostname = "a\033[1m" },
	  "ssh \"$(printf 'a\\033\\1331m')\" sudo shutdown -h now",
	  NULL },
	{ { .hostname = "a\n" }, NULL, NULL },
	{ { .provider = "aws", .instance_id = "--all" }, NULL, NULL },
	{ { .provider = "aws", .instance_id = "i-1", .region = "-x" }, NULL, NULL },
	{ { .hostname = "n[1-99]", .worker = WORKER_SLURM },
	  "ssh 'n[1-99]' sudo shutdown -h now",
	  NULL },
	{ { .hostname = "a,b", .worker = WORKER_SLURM }, "ssh a,b sudo shutdown -h now", NULL },
	{ { .hostname = "all", .worker = WORKER_SLURM }, "ssh all sudo shutdown -h now", NULL },
	{ { .provider = "aws", .instance_id = "x' y", .worker = WORKER_ECS, .cluster = "c" },
	  "aws ec2 stop-instances --instance-ids 'x'\\'' y'",
	  "aws ecs update-container-instances-state --status DRAINING --cluster c "
	  "--container-instances $(aws ecs list-container-instances --cluster c "
	  "--filter 'ec2InstanceId == x'\\'' y' --query containerInstanceArns --output text)" },
};

static void expect(const char *command, const char *expected)
{
	if (!command || !expected)
		assert_ptr_equal(command, expected);
	else
		assert_string_equal(command, expected);
}

static void commands_are_as_the_table_says(void **state)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CLEANUP(freep) char *stop = host_stop_command(&cases[i].host);
		CLEANUP(freep) char *drain = host_drain_command(&cases[i].host);

		expect(stop, cases[i].stop);
		if (cases[i].host.worker != WORKER_NONE)
			expect(drain, cases[i].drain);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(commands_are_as_the_table_says) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
