// SPDX-License-Identifier: Apache-2.0
import { setQuery } from "../../lib/route";
import type { SettingsOf, Sizes } from "../../lib/tune/model_sizes";
import { settingsOf } from "../../lib/tune/sizes";
import { Choice, Copy } from "../../lib/widgets";

// What is advised, as settings of a workflow engine to copy.

const ENGINES: readonly (readonly [SettingsOf, string])[] = [
	["nextflow", "Nextflow"],
	["snakemake", "Snakemake"],
	["snakemake7", "Snakemake 7"],
	["slurm", "Slurm"],
];

const PLACES: Record<SettingsOf, string> = {
	nextflow: "Save it as tracer.config and run with -c tracer.config.",
	snakemake: "Save it as config.yaml in a folder and run version 8 or later with --profile FOLDER.",
	snakemake7: "Save it as config.yaml in a folder and run version 7 with --profile FOLDER.",
	slurm: "Lines for the scripts that sbatch is given.",
};

export function Settings({ sizes, asked }: { sizes: Sizes; asked: string | null }) {
	const engine = settingsOf(asked, sizes);
	const text = sizes.settings?.[engine] ?? "";
	return (
		<section class="settings" aria-label="Settings to copy" data-settings={engine}>
			<div class="tools-row">
				<h2>Settings to copy</h2>
				<Choice label="Engine" options={ENGINES} value={engine} onChange={(value) => setQuery({ for: value })} />
				{text !== "" && (
					<>
						<Copy text={text} />
						<span class="muted">{PLACES[engine]}</span>
					</>
				)}
			</div>
			{text !== "" ? (
				<pre class="code" tabIndex={0}>
					{text}
				</pre>
			) : (
				<p class="muted">There are no settings for this engine: nothing is advised that differs from what is requested, or the history is not enough.</p>
			)}
		</section>
	);
}
