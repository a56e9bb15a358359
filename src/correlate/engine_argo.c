#include "correlate/engine.h"

#include "correlate/run.h"

#include <string.h>

/*
 * Argo Workflows runs a node of a workflow as a pod; its main container is `argoexec emissary … --
 * CMD`, which starts CMD (docs/correlation.md). Workflow and node stand in the pod's name alone,
 * which the container's runtime tells.
 */
static bool argo_begins(const struct sight *sight)
{
	return sight->command->count > 0 && strcmp(sight->command->args[0], "emissary") == 0;
}

/* Of a workflow's pods none but their names tell whose they are. */
static void argo_describe(struct run *run, const struct sight *sight)
{
	run_set_pipeline(run, "argo", false);
}

static bool argo_is_task(const struct run *run, const struct sight *sight)
{
	return true;
}

const struct engine engine_argo = {
	.name = "argo",
	.program = "argoexec",
	.begins = argo_begins,
	.describe = argo_describe,
	.is_task = argo_is_task,
	.named_by_pod = true,
};
