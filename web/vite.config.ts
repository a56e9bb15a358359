// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from "vite";

// One page, served by tracer-lake under a content security policy that allows nothing but its own files:
// so nothing may be inlined, neither a script, nor a style, nor an image as data.
export default defineConfig({
	esbuild: { jsx: "automatic", jsxImportSource: "preact" },
	build: {
		target: "es2020",
		assetsInlineLimit: 0,
		modulePreload: false,
		cssCodeSplit: false,
		reportCompressedSize: false,
	},
	server: { proxy: { "/api": "http://127.0.0.1:8717" } },
});
