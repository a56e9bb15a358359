// SPDX-License-Identifier: Apache-2.0
import { plain } from "./format";

/** The parts of a text, every second of which was between backticks. One without a partner is a character like others. Pure. */
export function spans(text: string): string[] {
	const parts = plain(text).split("`");
	if (parts.length % 2 === 1) return parts;
	const last = parts.pop() ?? "";
	const before = parts.pop() ?? "";
	return [...parts, `${before}\`${last}`];
}

/** A sentence of the lake: what it has between backticks is code. */
export const Prose = ({ text }: { text: string }) => (
	<>{spans(text).map((part, n) => (n % 2 === 1 ? <code key={n}>{part}</code> : part))}</>
);

/** The same, of several lines. */
export const ProseLines = ({ text }: { text: string }) => (
	<>
		{text.split("\n").map((line, n) => (
			<span class="line" key={n}>
				<Prose text={line} />
			</span>
		))}
	</>
);
