-- SPDX-License-Identifier: Apache-2.0
-- One run, by its id: its name and its engine, without any sum.
SELECT run_id AS id, name, engine FROM runs_named WHERE run_id = $run;
