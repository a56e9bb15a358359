-- SPDX-License-Identifier: Apache-2.0
-- What the tasks of a run used, and what its engine used.
FROM shares_of($run);
