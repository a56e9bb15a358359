// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from "preact/hooks";
import { logOut, whenLoggedOut } from "./lib/api";
import { ComparePage } from "./pages/tune/compare";
import { CostPage } from "./pages/cost/cost";
import { HostPage } from "./pages/host";
import { HostsPage } from "./pages/hosts";
import { start, stop, useLive } from "./lib/live";
import type { Link } from "./lib/live";
import { followLinks, useRoute } from "./lib/route";
import type { Route } from "./lib/route";
import { RunPage } from "./pages/run";
import { RunsPage } from "./pages/runs";
import { PipelinePage } from "./pages/tune/pipeline";
import { StepPage } from "./pages/tune/step_history";
import { RecommendPage } from "./pages/waste/recommend";
import { WastePage } from "./pages/waste/waste";

const LINKS: Record<Link, string> = {
	connecting: "connecting",
	live: "live",
	broken: "reconnecting",
};

/** Pages that are reached from another one. */
const WITHIN: Record<string, string> = { recommend: "waste" };

function Header({ route, loggedIn }: { route: Route; loggedIn: boolean }) {
	const { link } = useLive();
	const [failed, setFailed] = useState(false);
	const leave = () => logOut().catch(() => setFailed(true));
	const section = route.path[0] ?? "runs";
	const item = (name: string, address: string, title: string) => (
		<a href={address} aria-current={(WITHIN[section] ?? section) === name ? "page" : undefined}>
			{title}
		</a>
	);
	return (
		<header class="top">
			<a class="brand" href="/" aria-label="Tracer, all runs">
				<svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
					<rect width="32" height="32" rx="7" class="brand-box" />
					<path d="M8 10h8M12 16h12M18 22h4" class="brand-lines" />
				</svg>
				Tracer
			</a>
			<nav aria-label="Main">
				{item("runs", "/", "Runs")}
				{item("hosts", "/hosts", "Hosts")}
				{item("cost", "/cost", "Cost")}
				{item("waste", "/waste", "Waste")}
			</nav>
			{loggedIn && (
				<span class={`link is-${link}`} role="status" title="Runs are sent to this page as they change">
					<i aria-hidden="true" />
					{LINKS[link]}
				</span>
			)}
			{loggedIn && (
				<button type="button" class="log-out" onClick={leave} title={failed ? "The lake did not answer: try again" : undefined}>
					{failed ? "Log out: try again" : "Log out"}
				</button>
			)}
		</header>
	);
}

function LoggedOut() {
	return (
		<section class="logged-out" data-page="logged-out">
			<h1>You are not logged in</h1>
			<p>
				Open the link that <code>tracer up</code> printed, or run <code>tracer up</code> again: it prints a new
				one. A link works once, and the browser stays logged in after it.
			</p>
			<pre class="code">sudo tracer up</pre>
			<button type="button" onClick={() => location.reload()}>
				I have logged in: try again
			</button>
		</section>
	);
}

function Missing() {
	return (
		<section class="empty" data-page="missing">
			<h1>There is no such page</h1>
			<p>
				<a href="/">All runs</a>
			</p>
		</section>
	);
}

function StepsPage({ query, id }: { query: URLSearchParams; id: string | undefined }) {
	const [pipeline, step] = [query.get("pipeline"), query.get("step")];
	if (!pipeline || id !== undefined) return <Missing />;
	return step ? <StepPage key={`${pipeline} ${step}`} {...{ pipeline, step, query }} /> : <PipelinePage key={pipeline} {...{ pipeline, query }} />;
}

function Content({ route }: { route: Route }) {
	const [section, id, ...more] = route.path;
	if (more.length > 0) return <Missing />;
	if (section === undefined || (section === "runs" && id === undefined)) return <RunsPage query={route.query} />;
	if (section === "runs" && id !== undefined) return <RunPage key={id} id={id} query={route.query} />;
	if (section === "steps") return <StepsPage query={route.query} id={id} />;
	if (section === "compare" && id === undefined) return <ComparePage query={route.query} />;
	if (section === "cost" && id === undefined) return <CostPage query={route.query} />;
	if (section === "waste" && id === undefined) return <WastePage query={route.query} />;
	if (section === "recommend" && id === undefined) return <RecommendPage query={route.query} />;
	if (section === "hosts") return id === undefined ? <HostsPage query={route.query} /> : <HostPage key={id} id={id} query={route.query} />;
	return <Missing />;
}

export function App() {
	const route = useRoute();
	const [loggedIn, setLoggedIn] = useState(true);
	useEffect(() => {
		whenLoggedOut(() => setLoggedIn(false));
		document.addEventListener("click", followLinks);
		return () => document.removeEventListener("click", followLinks);
	}, []);
	useEffect(() => {
		if (loggedIn) start();
		else stop();
	}, [loggedIn]);
	return (
		<>
			<a class="skip" href="#content">
				Skip to the content
			</a>
			<Header route={route} loggedIn={loggedIn} />
			<main id="content" tabIndex={-1}>
				{loggedIn ? <Content route={route} /> : <LoggedOut />}
			</main>
		</>
	);
}
