-- SPDX-License-Identifier: Apache-2.0
-- The tools of a run, the busiest first. $all: 'true' or NULL.
FROM tools_of($run, $all::VARCHAR);
