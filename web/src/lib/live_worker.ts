// SPDX-License-Identifier: Apache-2.0
// The script of the shared worker.
import { ports } from "./live_ports";

interface Scope {
	onconnect: ((event: MessageEvent) => void) | null;
}

const take = ports();
(globalThis as unknown as Scope).onconnect = (event) => {
	const [port] = event.ports;
	if (port) take(port);
};
