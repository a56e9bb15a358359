// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { ApiError } from "./api";
import { DASH } from "./format";

// Small components that several pages and charts use.

export function Tile(props: { title: string; exact?: string | undefined; note?: ComponentChildren; children: ComponentChildren }) {
	return (
		<div class="tile">
			<div class="tile-title">{props.title}</div>
			<div class="tile-value" title={props.exact}>
				{props.children}
			</div>
			{props.note !== undefined && <div class="tile-note">{props.note}</div>}
		</div>
	);
}

export const Unknown = ({ why = "unknown" }: { why?: string }) => (
	<span class="unknown" title={why}>
		{DASH}
	</span>
);

/** What was used of what was requested: a bar within a bar. No bar where nothing was requested. */
export function Asked(props: { used: number | null; asked: number | null; text: string; title: string; judge?: boolean }) {
	const { used, asked, judge = true } = props;
	const most = Math.max(used ?? 0, asked ?? 0);
	const share = (value: number | null) => (value !== null && most > 0 ? (value / most) * 100 : 0);
	const over = judge && asked !== null && used !== null && used > asked;
	const waste = judge && asked !== null && used !== null && used < asked / 2;
	return (
		<div class="asked" title={props.title}>
			<span class="asked-text">{props.text}</span>
			{asked !== null && (
				<span class="asked-bar" aria-hidden="true">
					<span class="asked-whole" style={{ width: `${share(asked)}%` }} />
					{used !== null && (
						<span
							class={`asked-used${over ? " over" : ""}${waste ? " little" : ""}`}
							style={{ width: `${share(used)}%` }}
						/>
					)}
				</span>
			)}
		</div>
	);
}

/** The parts of a sum as a stacked bar, with a legend. */
export interface Part {
	name: string;
	value: number;
	text: string;
	exact: string;
	tone: string;
}

export function StackedBar({ parts, label }: { parts: readonly Part[]; label: string }) {
	const total = parts.reduce((sum, part) => sum + part.value, 0);
	return (
		<div class="parts" role="group" aria-label={label}>
			<div class="parts-bar" aria-hidden="true">
				{total > 0 &&
					parts.map((part) => (
						<span
							key={part.name}
							class={`tone-${part.tone}`}
							style={{ width: `${(part.value / total) * 100}%` }}
							title={`${part.name}: ${part.exact}`}
						/>
					))}
			</div>
			<ul class="parts-legend">
				{parts.map((part) => (
					<li key={part.name} title={part.exact}>
						<i class={`tone-${part.tone}`} aria-hidden="true" />
						{part.name} <b>{part.text}</b>
					</li>
				))}
			</ul>
		</div>
	);
}

/** Done, failed and running tasks of all: as a bar and as text. */
export function Progress({ all, failed, lost, running }: { all: number; failed: number; lost: number; running: number }) {
	const done = Math.max(0, all - failed - lost - running);
	const share = (n: number) => ({ width: all > 0 ? `${(n / all) * 100}%` : "0" });
	const words = [
		`${done} ended`,
		...(failed > 0 ? [`${failed} failed`] : []),
		...(lost > 0 ? [`${lost} lost`] : []),
		...(running > 0 ? [`${running} running`] : []),
	];
	return (
		<div class="progress" title={`${words.join(", ")} of ${all} tasks seen`}>
			<span class="progress-text">
				{done}
				<span class="muted">/{all}</span>
				{failed > 0 && <b class="bad"> {failed} failed</b>}
				{lost > 0 && <span class="muted"> {lost} lost</span>}
			</span>
			<span class="progress-bar" aria-hidden="true">
				<i class="tone-ok" style={share(done)} />
				<i class="tone-bad" style={share(failed)} />
				<i class="tone-run" style={share(running)} />
			</span>
		</div>
	);
}

export function Copy({ text, title = "Copy" }: { text: string; title?: string }) {
	const [copied, setCopied] = useState(false);
	const copy = async () => {
		try {
			await navigator.clipboard.writeText(text);
			setCopied(true);
			setTimeout(() => setCopied(false), 1500);
		} catch {
			setCopied(false);
		}
	};
	return (
		<button type="button" class="small" onClick={copy}>
			{copied ? "Copied" : title}
		</button>
	);
}

export function Failure({ error, retry }: { error: ApiError; retry?: () => void }) {
	return (
		<div class="notice is-bad" role="alert">
			<b>{error.title}</b>
			{error.detail && error.detail !== error.title && <p>{error.detail}</p>}
			{retry && (
				<button type="button" onClick={retry}>
					Try again
				</button>
			)}
		</div>
	);
}

export const Loading = ({ what }: { what: string }) => (
	<div class="loading" role="status">
		Loading {what} …
	</div>
);

export function Choice<T extends string>(props: {
	label: string;
	options: readonly (readonly [T, string])[];
	value: T;
	onChange: (value: T) => void;
}) {
	return (
		<div class="choice" role="group" aria-label={props.label}>
			{props.options.map(([value, title]) => (
				<button
					type="button"
					key={value}
					aria-pressed={value === props.value}
					onClick={() => props.onChange(value)}
				>
					{title}
				</button>
			))}
		</div>
	);
}
