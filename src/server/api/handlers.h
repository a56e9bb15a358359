/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "server/http/reply.h"
#include "server/http/request.h"

/* The handlers of routes.c, by the file that holds them. */

/* health.c */
int get_healthz(struct request *request, struct reply *reply);
int get_readyz(struct request *request, struct reply *reply);
int get_metrics(struct request *request, struct reply *reply);
int get_lake(struct request *request, struct reply *reply);
/* ingest.c */
int post_ingest(struct request *request, struct reply *reply);
/* login.c */
int get_login(struct request *request, struct reply *reply);
int post_logout(struct request *request, struct reply *reply);
int post_login_links(struct request *request, struct reply *reply);
/* jobs.c */
int post_jobs(struct request *request, struct reply *reply);
int get_jobs(struct request *request, struct reply *reply);
/* page.c */
int get_page(struct request *request, struct reply *reply);
/* runs.c */
int get_runs(struct request *request, struct reply *reply);
int get_live(struct request *request, struct reply *reply);
/* run.c */
int get_run(struct request *request, struct reply *reply);
/* run_lists.c */
int get_run_list(struct request *request, struct reply *reply); /* of the route's query */
int get_run_tasks(struct request *request, struct reply *reply);
int get_run_events(struct request *request, struct reply *reply);
/* run_dataflow.c */
int get_run_dataflow(struct request *request, struct reply *reply);
/* run_whatif.c */
int get_run_whatif(struct request *request, struct reply *reply);
/* recommend.c */
int get_recommend(struct request *request, struct reply *reply);
/* run_diff.c */
int get_run_diff(struct request *request, struct reply *reply);
/* run_recording.c */
int get_run_recording(struct request *request, struct reply *reply);
/* run_samples.c */
int get_run_samples(struct request *request, struct reply *reply);
int get_run_gpus(struct request *request, struct reply *reply);
/* findings.c */
int get_run_findings(struct request *request, struct reply *reply);
/* run_sizes.c */
int get_run_sizes(struct request *request, struct reply *reply);
/* run_expected.c */
int get_run_expected(struct request *request, struct reply *reply);
/* steps.c */
int get_steps(struct request *request, struct reply *reply);
/* hosts.c */
int get_hosts(struct request *request, struct reply *reply);
int get_host(struct request *request, struct reply *reply);
int get_host_untracked(struct request *request, struct reply *reply);
/* waste/waste.c */
int get_waste(struct request *request, struct reply *reply);
/* receive.c */
int post_weblog(struct request *request, struct reply *reply);
int post_tower_create(struct request *request, struct reply *reply);
int put_tower(struct request *request, struct reply *reply);
int put_tower_alive(struct request *request, struct reply *reply);
int get_wms_info(struct request *request, struct reply *reply);
int get_wms_create(struct request *request, struct reply *reply);
int post_wms_update(struct request *request, struct reply *reply);
/* audit_log.c */
int get_audit(struct request *request, struct reply *reply);
/* cost_focus.c */
int get_cost_focus(struct request *request, struct reply *reply);
/* budgets.c */
int get_budgets(struct request *request, struct reply *reply);
/* bill/bills.c, bill/bill_import.c */
int get_bills(struct request *request, struct reply *reply);
int get_bill(struct request *request, struct reply *reply);
int post_bills(struct request *request, struct reply *reply);
/* prices.c */
int get_prices(struct request *request, struct reply *reply);
int post_prices(struct request *request, struct reply *reply);
int post_host_price(struct request *request, struct reply *reply);
/* cost.c */
int get_cost(struct request *request, struct reply *reply);
int get_cost_csv(struct request *request, struct reply *reply);
