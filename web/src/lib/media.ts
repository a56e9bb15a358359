// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from "preact/hooks";

/** Whether the window is at most so many pixels wide. */
export function useAtMost(pixels: number): boolean {
	const query = `(max-width: ${pixels}px)`;
	const [matches, setMatches] = useState(() => matchMedia(query).matches);
	useEffect(() => {
		const media = matchMedia(query);
		const update = () => setMatches(media.matches);
		update();
		media.addEventListener("change", update);
		return () => media.removeEventListener("change", update);
	}, [query]);
	return matches;
}

export const useNarrow = (): boolean => useAtMost(760);
