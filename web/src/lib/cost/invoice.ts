// SPDX-License-Identifier: Apache-2.0
import { plain } from "../format";

// What GET /api/v1/bills and /bills/{id} answer, and an invoice as a sum of named amounts. Pure.

/** A billing period of a file of a bill. */
export interface BillPeriod {
	/** Of the file. */
	id: string;
	name: string;
	format: string;
	imported_at: string;
	/** All files of its export are here. */
	complete: boolean;
	provider: string;
	account_id: string;
	since_at: string;
	until_at: string;
	/** false: provisional. */
	final: boolean;
	corrects: boolean;
	lines: number;
	currency: string;
	/** Exact, in its currency. */
	billed: string;
	/** null: another currency. */
	billed_usd: number | null;
	effective_usd: number | null;
	superseded_by: string | null;
}

export interface Invoice {
	invoice: string;
	currency: string;
	lines: number;
	billed: string;
	effective: string;
	billed_usd: number | null;
	effective_usd: number | null;
	tasks_usd: number | null;
	engines_usd: number | null;
	unallocated_usd: number | null;
	remainder_usd: number | null;
}

export interface Remainder {
	invoice: string;
	name: string;
	title: string;
	service: string | null;
	usd: number;
}

export interface Bill {
	id: string;
	periods: BillPeriod[];
	invoices: Invoice[];
	remainder: Remainder[];
}

export interface InvoiceLine {
	title: string;
	usd: number;
	/** What agents reported; else it has only a name. */
	seen: boolean;
}

/** The amounts of which an invoice is the sum, those that agents reported first. None where it is in another currency. */
export function linesOf(bill: Bill, invoice: Invoice): InvoiceLine[] {
	if (invoice.billed_usd === null) return [];
	const seen = (title: string, usd: number | null): InvoiceLine => ({ title, usd: usd ?? 0, seen: true });
	const named = bill.remainder
		.filter((one) => one.invoice === invoice.invoice)
		.map((one) => ({ title: one.service ? `${plain(one.title)}: ${plain(one.service)}` : plain(one.title), usd: one.usd, seen: false }));
	return [seen("tasks", invoice.tasks_usd), seen("engines and shells", invoice.engines_usd), seen("hosts without tasks", invoice.unallocated_usd), ...named];
}

/** The file to look at: the one that is asked for (or begins so), else the last one that counts. */
export function chosenBill(bills: readonly BillPeriod[], asked: string | null): string | null {
	const own = asked ? bills.find((bill) => bill.id.startsWith(asked)) : undefined;
	return (own ?? bills.find((bill) => bill.complete && bill.superseded_by === null) ?? bills[0])?.id ?? null;
}

/** A name for each file: what it is called, of which account and months. */
export function billNames(bills: readonly BillPeriod[]): [string, string][] {
	const files = new Map<string, BillPeriod[]>();
	for (const bill of bills) files.set(bill.id, [...(files.get(bill.id) ?? []), bill]);
	return [...files].map(([id, own]) => {
		const months = [...new Set(own.map((bill) => bill.since_at.slice(0, 7)))].sort();
		const time = months.length > 1 ? `${months[0]} to ${months[months.length - 1]}` : (months[0] ?? "");
		return [id, [plain(own[0]?.name), plain(own[0]?.provider), time].filter((text) => text !== "").join(", ")];
	});
}

/** What there is to know about a file, besides its amounts. */
export function stateText(bill: BillPeriod): string {
	if (!bill.complete) return "not all files of its export are here: it does not count yet";
	if (bill.superseded_by !== null) return "replaced by a later file";
	if (bill.corrects) return "corrections";
	return bill.final ? "final" : "provisional";
}
