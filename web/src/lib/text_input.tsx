// SPDX-License-Identifier: Apache-2.0
import type { ComponentProps } from "preact";
import { useEffect, useState } from "preact/hooks";

type Props = Omit<ComponentProps<"input">, "value" | "onInput" | "onChange"> & {
	value: string;
	/** Once the reader leaves it, or presses Enter. */
	onDone: (text: string) => void;
};

/** An input of which what is typed stays when the page is drawn again meanwhile, as each new answer does. */
export function TextInput({ value, onDone, ...rest }: Props) {
	const [typed, setTyped] = useState(value);
	useEffect(() => setTyped(value), [value]);
	return <input {...rest} value={typed} onInput={(event) => setTyped(event.currentTarget.value)} onChange={(event) => onDone(event.currentTarget.value)} />;
}
