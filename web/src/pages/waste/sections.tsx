// SPDX-License-Identifier: Apache-2.0

// Both questions about what is paid for: what of it does no work, and what would do the same for less.

const SECTIONS = [
	["waste", "/waste", "What is wasted"],
	["recommend", "/recommend", "What to rent instead"],
] as const;

export const Sections = ({ here }: { here: (typeof SECTIONS)[number][0] }) => (
	<nav class="tabs" aria-label="Waste and recommendations">
		{SECTIONS.map(([name, href, title]) => (
			<a key={name} href={href} aria-current={name === here ? "page" : undefined}>
				{title}
			</a>
		))}
	</nav>
);
