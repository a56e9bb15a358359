// SPDX-License-Identifier: Apache-2.0
import { useEffect, useMemo } from "preact/hooks";
import { FrontPlotChart } from "../../charts/front_plot";
import { address, useKept } from "../../lib/api";
import { count, duration, exact, plain, usd } from "../../lib/format";
import { useNow } from "../../lib/live";
import { Prose } from "../../lib/prose";
import { pipelineAddress, runAddress, setQuery } from "../../lib/route";
import { plotOf } from "../../lib/waste/front";
import type { Candidate, RecommendAnswer } from "../../lib/waste/model_recommend";
import { askedOf, changeText, choicesText, chosen, hostsText, keyOf, limitsOf, machineText, recommendPath } from "../../lib/waste/recommend";
import type { Asked } from "../../lib/waste/recommend";
import { Failure, Loading, Tile, Unknown } from "../../lib/widgets";
import { Form, Unlimited } from "./recommend_form";
import { CandidateTable } from "./recommend_table";
import { Sections } from "./sections";

// What to rent instead: the measured tasks of a run, of a pipeline or of all hosts, replayed on the machines that can be rented.

function ChoiceTile({ one, answer }: { one: Candidate; answer: RecommendAnswer }) {
	const cost = changeText(answer.measured?.cost_usd, one.cost_usd);
	return (
		<Tile title={choicesText(one)} exact={exact.usd(one.cost_usd)} note={plain(machineText(one))}>
			{usd(one.cost_usd)}{" "}
			<span class="tile-aside">
				{duration(one.wall_s)}
				{cost && `, ${cost}`}
			</span>
		</Tile>
	);
}

function Figures({ answer }: { answer: RecommendAnswer }) {
	const { measured } = answer;
	return (
		<div class="tiles recommend-tiles" data-choices={chosen(answer).length}>
			{measured && (
				<Tile title="Measured" exact={exact.usd(measured.cost_usd)} note={[hostsText(measured), measured.region].map(plain).filter((text) => text !== "").join(", ")}>
					{measured.cost_usd === null ? <Unknown why="no price is known for its hosts" /> : usd(measured.cost_usd)}{" "}
					<span class="tile-aside">{duration(measured.wall_s)}</span>
				</Tile>
			)}
			{chosen(answer).map((one) => (
				<ChoiceTile key={keyOf(one)} {...{ one, answer }} />
			))}
		</div>
	);
}

/** What it is about. */
function About({ answer, asked }: { answer: RecommendAnswer | null; asked: Asked }) {
	const run = answer?.run ?? null;
	const pipeline = answer?.pipeline ?? asked.pipeline;
	if (asked.run !== null) {
		return (
			<p class="run-facts recommend-about">
				<span>
					Run <a href={runAddress(run?.id ?? asked.run)}>{plain(run?.name) || plain(asked.run)}</a>
				</span>
				{run?.pipeline && (
					<span>
						of <a href={pipelineAddress(run.pipeline)}>{plain(run.pipeline)}</a>
					</span>
				)}
			</p>
		);
	}
	const runs = answer?.runs ?? null;
	if (pipeline) {
		return (
			<p class="run-facts recommend-about">
				<span>
					{run && (
						<>
							<a href={runAddress(run.id)}>{plain(run.name) || run.id}</a>, the run with the median wall time of{" "}
						</>
					)}
					{runs !== null && `${count(runs)} of `}
					<a href={pipelineAddress(pipeline)}>{plain(pipeline)}</a>
				</span>
			</p>
		);
	}
	if (run) {
		return (
			<p class="run-facts recommend-about">
				<span>
					The latest run, <a href={runAddress(run.id)}>{plain(run.name) || run.id}</a>
				</span>
			</p>
		);
	}
	return (
		<p class="run-facts">
			All tasks of the last {asked.days} days{runs !== null && `, of ${count(runs)} run${runs === 1 ? "" : "s"}`}
		</p>
	);
}

/** What was asked for and is not possible. */
function Missing({ answer, asked }: { answer: RecommendAnswer; asked: Asked }) {
	const has = (choice: string): boolean => answer.candidates.some((one) => (one.choices ?? "").split(",").includes(choice));
	const words = [
		(asked.by !== null || asked.within !== null) && !has("cheapest_in_time") && "No machine most likely ends in time.",
		asked.below !== null && !has("fastest_below") && "No machine most likely costs less than that.",
	].filter((text) => text !== false);
	if (words.length === 0 || answer.candidates.length === 0) return null;
	return (
		<div class="notice" role="status">
			{words.join(" ")}
		</div>
	);
}

function Assumptions({ answer }: { answer: RecommendAnswer }) {
	if (answer.assumptions.length === 0) return null;
	return (
		<section class="assumptions" aria-label="What is assumed">
			<h2>What is assumed, and what is not known</h2>
			<ul>
				{answer.assumptions.map(({ text }, n) => (
					<li key={n}>
						<Prose text={text} />
					</li>
				))}
			</ul>
		</section>
	);
}

const Refused = ({ why }: { why: string }) => (
	<div class="notice" role="status" data-refused>
		<b>There is no recommendation.</b> <Prose text={why} />
	</div>
);

/** The page with another candidate marked. */
function markAddress(query: URLSearchParams, mark: string): string {
	return address("/recommend", { ...Object.fromEntries(query), mark });
}

function Body({ answer, asked, query }: { answer: RecommendAnswer; asked: Asked; query: URLSearchParams }) {
	const now = useNow(60_000);
	const plot = useMemo(() => plotOf(answer), [answer]);
	if (answer.refused !== null) return <Refused why={answer.refused} />;
	return (
		<>
			<Missing {...{ answer, asked }} />
			<Figures answer={answer} />
			{plot && (
				<FrontPlotChart {...{ plot }} limits={limitsOf(asked, now)} measured={answer.measured} mark={asked.mark} addressOf={(mark) => markAddress(query, mark)} onMark={(mark) => setQuery({ mark })} />
			)}
			<CandidateTable {...{ answer, asked, query }} />
		</>
	);
}

export function RecommendPage({ query }: { query: URLSearchParams }) {
	const asked = askedOf(query);
	const path = recommendPath(asked);
	const { data: answer, error, busy, reload } = useKept<RecommendAnswer>(path);
	useEffect(() => void (document.title = "What to rent instead · Tracer"), []);
	return (
		<section data-page="recommend" data-asked={busy ? "" : path} aria-busy={busy}>
			<h1 class="unseen">What to rent instead</h1>
			<Sections here="recommend" />
			<About {...{ answer, asked }} />
			<Form {...{ asked, answer }} />
			{error && <Failure error={error} retry={reload} />}
			{error && <Unlimited asked={asked} />}
			{!answer && busy && <Loading what="the replay on other machines" />}
			{answer && (
				<div class={busy ? "waste-body is-old" : "waste-body"}>
					<Body {...{ answer, asked, query }} />
					<Assumptions answer={answer} />
				</div>
			)}
		</section>
	);
}
