// SPDX-License-Identifier: Apache-2.0
import { ago, count, exact, usd } from "../../lib/format";
import type { WasteAnswer, WasteRow } from "../../lib/waste/model_waste";
import { isLate, isOpen } from "../../lib/waste/waste";
import { Tile, Unknown } from "../../lib/widgets";

// The sums, and when the lake looked last.

const Amount = ({ of, why }: { of: number | null; why: string }) => (of === null ? <Unknown why={why} /> : <>{usd(of)}</>);

const counted = (n: number, one: string): string => `${count(n)} ${one}${n === 1 ? "" : "s"}`;
const daysWords = (days: string): string => (days === "1" ? "last day" : `last ${days} days`);

/** What ended as what was paid for is gone. */
const stopped = (rows: readonly WasteRow[]): number => rows.filter((row) => row.outcome === "stopped").length;

function Late({ answer, now }: { answer: WasteAnswer; now: number }) {
	return (
		<div class="notice" role="status">
			<b>The lake looked last {ago(answer.swept_at, now)}.</b> What is shown may have changed since then: a sweep is due each minute.{" "}
			<code>tracer doctor</code> and the log of the lake say why it is late.
		</div>
	);
}

export function WasteHead({ answer, now, days }: { answer: WasteAnswer; now: number; days: string }) {
	const open = answer.waste.filter(isOpen);
	const ended = stopped(answer.waste);
	const none = "of none a price is known";
	return (
		<>
			<div class="tiles" data-usd-hour={answer.usd_hour ?? ""}>
				<Tile title="Wasted now, an hour" exact={exact.usd(answer.usd_hour)} note={counted(open.length, "finding")}>
					<Amount of={answer.usd_hour} why={none} />
				</Tile>
				<Tile title={`Wasted, ${daysWords(days)}`} exact={exact.usd(answer.wasted_usd)} note="also by what has ended">
					<Amount of={answer.wasted_usd} why={none} />
				</Tile>
				<Tile title="Saved since acted upon" exact={exact.usd(answer.saved_usd)} note={ended > 0 ? `${counted(ended, "finding")} stopped, 30 days of each at most` : "nothing was stopped in this time"}>
					<Amount of={answer.saved_usd} why={none} />
				</Tile>
				<Tile title="Without a price" note={answer.unpriced > 0 ? "in no sum: tracer prices says why" : "all are in the sums"}>
					{count(answer.unpriced)}
				</Tile>
				<Tile title="Looked last" exact={answer.swept_at ?? "not yet"} note={`${counted(answer.hosts.length, "host")}, each minute`}>
					{answer.swept_at === null ? <Unknown why="not yet" /> : ago(answer.swept_at, now)}
				</Tile>
			</div>
			{isLate(answer, now) && <Late {...{ answer, now }} />}
		</>
	);
}
