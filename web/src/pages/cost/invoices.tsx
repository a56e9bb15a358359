// SPDX-License-Identifier: Apache-2.0
import { useGet } from "../../lib/api";
import { billNames, chosenBill, linesOf, stateText } from "../../lib/cost/invoice";
import type { Bill, BillPeriod, Invoice } from "../../lib/cost/invoice";
import { money, moneyParts } from "../../lib/cost/money";
import { count, exact, percent, plain, when } from "../../lib/format";
import { setQuery } from "../../lib/route";
import { Failure, Loading } from "../../lib/widgets";

// Bills of providers: each invoice as the sum of what agents reported and of what has a name alone.

function Periods({ periods }: { periods: readonly BillPeriod[] }) {
	return (
		<>
			{periods.map((one, n) => (
				<p key={n} class="run-facts">
					<span>
						{plain(one.provider)} {plain(one.account_id)}
					</span>
					<span title={`${one.since_at} to ${one.until_at}`}>{one.since_at.slice(0, 7)}</span>
					<span>{plain(one.format)}</span>
					<span>{count(one.lines)} lines</span>
					<span title={one.imported_at}>imported {when(one.imported_at)}</span>
					<span class={one.complete && one.superseded_by === null ? "" : "warn"}>{stateText(one)}</span>
				</p>
			))}
		</>
	);
}

function Sum({ bill, invoice }: { bill: Bill; invoice: Invoice }) {
	const lines = linesOf(bill, invoice);
	const billed = invoice.billed_usd ?? 0;
	const amounts = moneyParts(invoice.billed_usd, lines.map((line) => line.usd));
	const name = plain(invoice.invoice);
	return (
		<div class="size-table invoice-table" tabIndex={0} role="region" aria-label={`What invoice ${name} is for`}>
			<table data-invoice={invoice.invoice}>
				<thead>
					<tr>
						<th scope="col">For</th>
						<th scope="col" class="number">Amount</th>
						<th scope="col" class="number">Share</th>
					</tr>
				</thead>
				<tbody>
					{lines.map((line, n) => (
						<tr key={n} class={line.seen ? "" : "is-named"}>
							<td>{line.title}</td>
							<td class="number" title={exact.usd(line.usd)}>{amounts[n]}</td>
							<td class="number">{billed > 0 && line.usd >= 0 ? percent(line.usd / billed) : ""}</td>
						</tr>
					))}
				</tbody>
				<tfoot>
					<tr>
						<th scope="row">the invoice</th>
						<td class="number" title={exact.usd(invoice.billed_usd)}>
							<b>{money(invoice.billed_usd)}</b>
						</td>
						<td />
					</tr>
				</tfoot>
			</table>
		</div>
	);
}

function OneInvoice({ bill, invoice }: { bill: Bill; invoice: Invoice }) {
	const name = plain(invoice.invoice);
	const foreign = invoice.billed_usd === null;
	const same = invoice.effective_usd === invoice.billed_usd;
	return (
		<section class="invoice" aria-label={`Invoice ${name}`}>
			<h3>
				{name}: {foreign ? `${plain(invoice.billed)} ${plain(invoice.currency)}` : money(invoice.billed_usd)}
			</h3>
			<p class="muted">
				{foreign
					? `In ${plain(invoice.currency)}: it is not added to costs, which are in USD.`
					: same
						? "Billed and effective cost are the same."
						: `Effectively it cost ${money(invoice.effective_usd)}: commitments are counted where they were used.`}
			</p>
			{!foreign && <Sum {...{ bill, invoice }} />}
		</section>
	);
}

function OneBill({ id }: { id: string }) {
	const answer = useGet<Bill>(`/bills/${encodeURIComponent(id)}`);
	if (answer.error && !answer.data) return <Failure error={answer.error} retry={answer.reload} />;
	if (!answer.data) return <Loading what="the bill" />;
	const bill = answer.data;
	return (
		<>
			<Periods periods={bill.periods} />
			<div class="invoice-list" data-invoices={bill.invoices.length}>
				{bill.invoices.map((invoice) => (
					<OneInvoice key={`${invoice.invoice} ${invoice.currency}`} {...{ bill, invoice }} />
				))}
			</div>
		</>
	);
}

/** Nothing where no bill was imported, and for who may not read them. */
export function Invoices({ query }: { query: URLSearchParams }) {
	const bills = useGet<{ bills: BillPeriod[] }>("/bills").data?.bills ?? [];
	const id = chosenBill(bills, query.get("bill"));
	if (id === null) return null;
	return (
		<section class="invoices" aria-label="Invoices" data-bill={id}>
			<div class="tools-row">
				<h2>Invoices</h2>
				<label class="cost-by">
					<span class="unseen">Bill</span>
					<select value={id} onChange={(event) => setQuery({ bill: event.currentTarget.value })}>
						{billNames(bills).map(([own, name]) => (
							<option key={own} value={own}>
								{name}
							</option>
						))}
					</select>
				</label>
			</div>
			<OneBill key={id} id={id} />
		</section>
	);
}
