-- SPDX-License-Identifier: Apache-2.0
INSERT INTO bills SELECT bill_id_of($hash, $batch, $parts), $hash, $name, $batch, $parts, coalesce((SELECT max(place) FROM bills), 0) + 1,
	(SELECT any_value(format) FROM import_rows), now_at(), $bytes, (SELECT count(*) FROM import_rows);
-- An account has the lines of several providers where these sell by the marketplace of one: it is of the one with most lines.
INSERT INTO bill_lines BY NAME
SELECT bill_id_of($hash, $batch, $parts) AS bill_id, p.provider, r.* EXCLUDE (format, provider, period_until)
FROM import_rows AS r JOIN (SELECT billing_account, period_since, mode(provider) AS provider FROM import_rows GROUP BY ALL) AS p
	USING (billing_account, period_since);
-- (Summed up before it is joined: else DuckDB holds all lines in memory.)
INSERT INTO bill_periods BY NAME
WITH sums AS (
	SELECT bill_id, provider, billing_account, period_since, currency, bool_and(invoice_id <> '') AS final,
		bool_and(class = 'Correction') AS corrects, count(*) AS lines, sum(billed) AS billed, sum(effective) AS effective
	FROM bill_lines WHERE bill_id = bill_id_of($hash, $batch, $parts) GROUP BY ALL
), ends AS (
	SELECT billing_account, period_since, max(period_until) AS period_until FROM import_rows GROUP BY ALL
)
SELECT * FROM sums JOIN ends USING (billing_account, period_since);
-- What was replaced is known by its sums alone.
SET VARIABLE replaced = (SELECT coalesce(list(concat_ws('|', bill_id, billing_account, period_since, currency)), [])
	FROM bill_periods_now WHERE superseded_by <> '');
DELETE FROM bill_lines WHERE list_contains(getvariable('replaced'), concat_ws('|', bill_id, billing_account, period_since, currency));
