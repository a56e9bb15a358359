-- SPDX-License-Identifier: Apache-2.0
-- From when to when a run was, by its id; until now, while it runs.
FROM span_of($run);
