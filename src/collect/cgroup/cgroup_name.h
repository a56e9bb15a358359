/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * What the path of a cgroup says: which runtime made it, and for which container or job. Pure, by a
 * table of the paths that runtimes, schedulers and systemd make (docs/signal.md lists them). Every
 * text is "" where the path does not say, valid UTF-8 without control characters whatever the path
 * holds, and cut at its room.
 */
struct cgroup_name {
	const char *runtime;    /* docker containerd cri-o podman kubernetes ecs slurm lxc … */
	char container_id[128]; /* of the innermost; a job's or a unit's name where there is none */
	char pod[72];           /* a pod's uid, with '-'; podman's own id of its pod */
	char qos[16];           /* of a Kubernetes pod: guaranteed burstable besteffort */
	char job_id[64];        /* of Slurm (also as SLUID), of an ECS or AWS Batch task */
	char step_id[32];       /* of a Slurm job: 0 batch extern interactive */
	char node[64];          /* where several slurmd share a host: which of them */
	char unit[128];         /* the innermost unit of systemd: x.service, x.scope */
};

void cgroup_name(const char *path, struct cgroup_name *ret);
