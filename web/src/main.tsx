// SPDX-License-Identifier: Apache-2.0
import { render } from "preact";
import "uplot/dist/uPlot.min.css";
import "./style/base.css";
import "./style/widgets.css";
import "./style/table.css";
import "./style/findings.css";
import "./style/compare.css";
import "./style/gantt.css";
import "./style/states.css";
import "./style/states_table.css";
import "./style/tune.css";
import "./style/whatif.css";
import "./style/cost.css";
import "./style/waste.css";
import { App } from "./app";

const root = document.getElementById("app");
if (root) render(<App />, root);
