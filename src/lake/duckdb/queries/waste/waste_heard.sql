-- SPDX-License-Identifier: Apache-2.0
-- When the lake took a batch last before $before_at (NULL: now): until then, at least, it was up.
SELECT max(received_at) AS heard_until FROM ledger WHERE received_at < coalesce($before_at::TIMESTAMP, now_at());
