// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { lossesOf } from "../src/pages/losses";
import type { Host } from "../src/lib/model_host";

const loss = (what: string, count: number, why: string) => ({ what, count, since_at: null, until_at: null, why });
const host = (own: Partial<Host>) => own as Host;

describe("the losses of hosts", () => {
	it("stand by the host's name, those of the most records first", () => {
		const hosts = [
			host({ id: "1", hostname: "node-1", losses: [loss("hosts", 1, "rejected: more than 65,536 CPUs")] }),
			host({ id: "2", hostname: "", losses: [loss("samples", 5, "ring full"), loss("events", 0, "unknown")] }),
		];
		expect(lossesOf(hosts).map(({ host: name, loss: { what, count } }) => `${name} ${what} ${count}`)).toEqual(["2 samples 5", "node-1 hosts 1", "2 events 0"]);
	});
	it("are none where nothing was lost, or an older lake does not report losses", () =>
		expect(lossesOf([host({ id: "1", hostname: "a", losses: [] }), host({ id: "2", hostname: "b" })])).toEqual([]));
});
