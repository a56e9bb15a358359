// SPDX-License-Identifier: Apache-2.0
import { ago, count, exact, usd } from "../../lib/format";
import type { WasteAnswer, WasteRow } from "../../lib/waste/model_waste";
import { isLate, isOpen, sumOf } from "../../lib/waste/waste";
import { Tile, Unknown } from "../../lib/widgets";

// The sums, and when the lake looked last.

const Amount = ({ of, why }: { of: number | null; why: string }) => (of === null ? <Unknown why={why} /> : <>{usd(of)}</>);

const counted = (n: number, one: string): string => `${count(n)} ${one}${n === 1 ? "" : "s"}`;
const daysWords = (days: string): string => (days === "1" ? "last day" : `last ${days} days`);

/** What was paid for is gone. */
const isStopped = (row: WasteRow): boolean => row.outcome === "stopped";

function Late({ answer, now }: { answer: WasteAnswer; now: number }) {
	return (
		<div class="notice" role="status">
			<b>The lake looked last {ago(answer.at, now)}</b> and has not answered since then: what is shown may have changed.
		</div>
	);
}

export function WasteHead({ answer, now, days }: { answer: WasteAnswer; now: number; days: string }) {
	const open = answer.waste.filter(isOpen);
	const stopped = answer.waste.filter(isStopped);
	const hour = sumOf(answer.usd_hour, open.map((row) => row.usd_hour));
	const wasted = sumOf(answer.wasted_usd, answer.waste.map((row) => row.wasted_usd));
	const saved = sumOf(answer.saved_usd, stopped.map((row) => row.saved_usd));
	const none = "of none a price is known";
	return (
		<>
			<div class="tiles" data-usd-hour={hour ?? ""}>
				<Tile title="Wasted now, an hour" exact={exact.usd(hour)} note={counted(answer.open, "finding")}>
					<Amount of={hour} why={none} />
				</Tile>
				<Tile title={`Wasted, ${daysWords(days)}`} exact={exact.usd(wasted)} note="also by what has ended">
					<Amount of={wasted} why={none} />
				</Tile>
				<Tile title="Saved since acted upon" exact={exact.usd(saved)} note={stopped.length > 0 ? `${counted(stopped.length, "finding")} stopped, 30 days of each at most` : "nothing was stopped in this time"}>
					<Amount of={saved} why={none} />
				</Tile>
				<Tile title="Without a price" note={answer.unpriced > 0 ? "in no sum" : "all are in the sums"}>
					{count(answer.unpriced)}
				</Tile>
				<Tile title="Looked last" exact={answer.at} note={`${counted(answer.hosts.length, "host")}, each minute`}>
					{ago(answer.at, now)}
				</Tile>
			</div>
			{answer.waste.length < answer.count && (
				<div class="notice">
					Of {count(answer.count)} findings {count(answer.waste.length)} are listed: what goes on first, by its price. The sums are those of all.
				</div>
			)}
			{isLate(answer, now) && <Late {...{ answer, now }} />}
		</>
	);
}
