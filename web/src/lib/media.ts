// SPDX-License-Identifier: Apache-2.0
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";

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

/** The width of an element, before it is known `first`. */
export function useWidth(box: RefObject<HTMLElement>, first = 900): number {
	const [width, setWidth] = useState(first);
	useLayoutEffect(() => {
		const element = box.current;
		if (!element) return;
		const observer = new ResizeObserver(() => setWidth(element.clientWidth));
		setWidth(element.clientWidth);
		observer.observe(element);
		return () => observer.disconnect();
	}, []);
	return width;
}
