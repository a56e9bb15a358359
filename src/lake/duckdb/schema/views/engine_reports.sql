-- SPDX-License-Identifier: Apache-2.0
-- The status of a task in engine reports only grows.
CREATE OR REPLACE MACRO engine_report_rank(status) AS
	coalesce(list_position(['queued', 'running', 'ended', 'cached'], status), 0);

-- The command of a job of Snakemake in the `SHELL -c TEXT` that runs it, without the text that Snakemake puts in front.
CREATE OR REPLACE MACRO job_text(text) AS trim(
	CASE WHEN contains(text, 'set -euo pipefail;') THEN substr(text, strpos(text, 'set -euo pipefail;') + 18) ELSE text END,
	' ' || chr(9) || chr(10) || chr(13));
CREATE OR REPLACE MACRO job_command(argv) AS CASE WHEN argv[-2] = '-c' THEN job_text(argv[-1]) END;

-- The name that a command line gives a run, as `nextflow run -name NAME` does; else NULL.
CREATE OR REPLACE MACRO name_option(engine, command) AS CASE WHEN engine = 'nextflow' THEN
	nullif(regexp_extract(command, '\s-name\s+(\S+)', 1), '') END;

-- The request of a task: that of its script or of `tracer run`, else the one that its engine reported, else the limit of a cgroup.
CREATE OR REPLACE MACRO asked_for(own, own_by, reported) AS
	coalesce(CASE WHEN own_by <> 'cgroup' THEN nullif(own, 0) END, nullif(reported, 0), own);
CREATE OR REPLACE MACRO asked_by(own_by, engine, reported) AS
	CASE WHEN own_by IN ('', 'cgroup') AND reported > 0 THEN engine ELSE own_by END;
