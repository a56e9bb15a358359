-- SPDX-License-Identifier: Apache-2.0
-- Which task fed which in $run, at most $limit pairs.
FROM dataflow_of($run, $limit);
