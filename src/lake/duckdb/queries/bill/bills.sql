-- SPDX-License-Identifier: Apache-2.0
-- The files of bills, the last one first; $bill: this one alone (NULL: all). A row for each of its billing periods.
SELECT b.bill_id AS id, b.name, b.format, b.hash, b.imported_at, b.bytes, b.batch,
	(b.bill_id IN (SELECT bill_id FROM bills_complete)) AS complete,
	p.provider, p.billing_account, p.period_since, p.period_until, p.currency, p.final, p.corrects, p.lines,
	nano(p.billed) AS billed_nusd, nano(p.effective) AS effective_nusd, p.billed::VARCHAR AS billed,
	nullif(n.superseded_by, '') AS superseded_by
FROM bills AS b JOIN bill_periods AS p USING (bill_id)
LEFT JOIN bill_periods_now AS n USING (bill_id, provider, billing_account, period_since, currency)
WHERE $bill::VARCHAR IS NULL OR starts_with(b.bill_id, $bill)
ORDER BY b.place DESC, p.period_since, p.billing_account;
