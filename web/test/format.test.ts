// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { byName, bytes, commandLine, count, cpus, DASH, duration, ending, exact, instant, label, nanoseconds, percent, plain, positive, short, ticking, trimmed, usd } from "../src/lib/format";

describe("unknown figures", () => {
	it("are a dash, never 0", () => {
		for (const text of [bytes(null), duration(undefined), nanoseconds(null), usd(null), count(null), percent(NaN), cpus(null)]) {
			expect(text).toBe(DASH);
		}
		expect(exact.bytes(null)).toBe("unknown");
		expect(byName("saves_usd", null)).toBe(DASH);
	});
	it("0 is unknown only where it cannot be the value", () => {
		expect(positive(0)).toBeNull();
		expect(positive(5)).toBe(5);
		expect(bytes(0)).toBe("0 B");
		expect(usd(0)).toBe("$0.00");
	});
});

describe("bytes", () => {
	it.each([
		[1, "1 B"],
		[1023, "1023 B"],
		[1024, "1.00 KiB"],
		[1536, "1.50 KiB"],
		[10 * 1024 ** 2, "10.0 MiB"],
		[8 * 1024 ** 3, "8.00 GiB"],
		[123.4 * 1024 ** 4, "123 TiB"],
	])("%d is %s", (n, text) => expect(bytes(n)).toBe(text));
});

describe("durations", () => {
	it.each([
		[0, "0 s"],
		[0.0003, "300 µs"],
		[0.012, "12.0 ms"],
		[0.9999, "1.00 s"],
		[3.214, "3.21 s"],
		[59.97, "1m 00s"],
		[245, "4m 05s"],
		[3599.6, "1h 00m"],
		[7380, "2h 03m"],
		[86399, "1d 00h"],
		[4 * 86400 + 3600 * 5, "4d 05h"],
	])("%d s is %s", (s, text) => expect(duration(s)).toBe(text));
	it("tick in whole seconds", () => expect(ticking(12.9)).toBe("12 s"));
});

describe("money", () => {
	it.each([
		[0.0000000004, "< $0.000001"],
		[0.0000421, "$0.000042"],
		[0.0042, "$0.0042"],
		[0.1234, "$0.123"],
		[1234.5, "$1,234.50"],
	])("%d is %s", (n, text) => expect(usd(n)).toBe(text));
	it("is exact in the title", () => expect(exact.usd(0.012345678)).toBe("$0.012345678"));
});

describe("instants", () => {
	it("keep their microseconds", () => {
		const a = instant("2026-11-21T06:45:00.000001Z") ?? 0;
		const b = instant("2026-11-21T06:45:00.000301Z") ?? 0;
		expect(b - a).toBeCloseTo(0.3, 2);
		expect(instant("2026-11-21T06:45:00Z")).toBe(Date.UTC(2026, 10, 21, 6, 45));
	});
	it("are null when there is none", () => {
		expect(instant(null)).toBeNull();
		expect(instant("nonsense")).toBeNull();
	});
});

describe("text from processes", () => {
	it("stays on one line and hides nothing", () => {
		expect(plain("a\nb\x00c\x1b[31m\t")).toBe("a↵b⟨U+0000⟩c⟨U+001B⟩[31m⇥");
		expect(plain("\u202egnp.exe")).toBe("⟨U+202E⟩gnp.exe");
		expect(plain("\u200b")).toBe("⟨U+200B⟩");
	});
	it("leaves other scripts and emoji alone", () => expect(plain("éß日本 🧬")).toBe("éß日本 🧬"));
	it("is quoted as a shell would need it", () => {
		expect(commandLine(["bwa", "mem", "-R", "@RG\\tID:a b", "it's"])).toBe(`bwa mem -R '@RG\\tID:a b' 'it'\\''s'`);
		expect(commandLine(["sh", "-c", "a 'b'\n\x01\u202e"])).toBe("sh -c $'a \\'b\\'\\n\\x01\\u202e'");
	});
});

describe("words", () => {
	it("say how it ended", () => {
		expect(ending(0, 0)).toBe("exit 0");
		expect(ending(0, 9)).toBe("SIGKILL");
		expect(ending(0, 40)).toBe("signal 40");
		expect(ending(null, null)).toBe("");
	});
	it("follow the unit in a figure's name", () => {
		expect(byName("memory_requested_bytes", 2 ** 33)).toBe("8.00 GiB");
		expect(byName("cpu_ns", 2.5e9)).toBe("2.50 s");
		expect(byName("used_share", 0.034)).toBe("3.4 %");
		expect(byName("tasks", 1200)).toBe("1,200");
		expect(byName("hosts", ["a\nb"])).toBe('["a\\nb"]');
		expect(byName("memory_peak_bytes_of_step", 2048)).toBe("2.00 KiB");
		expect(label("memory_requested_bytes")).toBe("memory requested");
		expect(label("memory_peak_bytes_of_step")).toBe("memory peak of step");
		expect(label("price_usd_hour")).toBe("price an hour");
	});
	it("lose the noughts of an axis", () => expect(["4.00", "8.00 MiB", "2.50", "100 B", "0"].map(trimmed)).toEqual(["4", "8 MiB", "2.5", "100 B", "0"]));
	it("shorten large counts", () => expect(short(1234567)).toBe("1.23 M"));
});
