-- SPDX-License-Identifier: Apache-2.0
-- What an engine tells of a task only goes this way.
CREATE OR REPLACE MACRO told_rank(status) AS
	coalesce(list_position(['queued', 'running', 'ended', 'cached'], status), 0);

-- The command of a job of Snakemake's in the `SHELL -c TEXT` that runs it, without what Snakemake writes before it.
CREATE OR REPLACE MACRO job_text(text) AS trim(
	CASE WHEN contains(text, 'set -euo pipefail;') THEN substr(text, strpos(text, 'set -euo pipefail;') + 18) ELSE text END,
	' ' || chr(9) || chr(10) || chr(13));
CREATE OR REPLACE MACRO job_command(argv) AS CASE WHEN argv[-2] = '-c' THEN job_text(argv[-1]) END;

-- The name that a command line gives a run, as `nextflow run -name NAME` does; else NULL.
CREATE OR REPLACE MACRO name_option(engine, command) AS CASE WHEN engine = 'nextflow' THEN
	nullif(regexp_extract(command, '\s-name\s+(\S+)', 1), '') END;

-- What a task asked for: what its script or `tracer run` did stands above what its engine told, that above a cgroup's limit.
CREATE OR REPLACE MACRO asked_for(own, own_by, told) AS
	coalesce(CASE WHEN own_by <> 'cgroup' THEN nullif(own, 0) END, nullif(told, 0), own);
CREATE OR REPLACE MACRO asked_by(own_by, engine, told) AS
	CASE WHEN own_by IN ('', 'cgroup') AND told > 0 THEN engine ELSE own_by END;
