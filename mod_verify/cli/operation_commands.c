/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"

#include "store/schema.h"
#include "store/webhook_delivery.h"

/* What keeps the service going: the schema, and webhooks that were missed. */

#define RECOVERIES_SHOWN 100

IDV_COMMAND(migrate)
{
    apr_array_header_t *applied;
    json_t *names = json_array();
    int version;

    *answer = json_pack("{s:o}", "applied", names);
    IDV_TRY(idv_migration_apply(call->db, call->migrations, &applied, &version,
                                call->pool));
    for (int i = 0; i < applied->nelts; i++)
        json_array_append_new(
            names, json_string(APR_ARRAY_IDX(applied, i, const char *)));
    json_object_set_new(*answer, "version", json_integer(version));
    return NULL;
}

/* --- webhooks --- */

static json_t *recovery_json(const idv_webhook_recovery_t *recovery)
{
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:I, s:I, s:s, s:s, s:I, s:I, s:I, s:I, s:I, "
        "s:o}",
        "id", recovery->id, "object", "webhook_recovery", "organization_id",
        recovery->organization_id, "webhook_endpoint_id", recovery->endpoint_id,
        "since", (json_int_t)idv_time_seconds(recovery->since), "until",
        (json_int_t)idv_time_seconds(recovery->until), "status",
        recovery->status, "position", recovery->position, "events_examined",
        (json_int_t)recovery->events_examined, "deliveries_requeued",
        (json_int_t)recovery->deliveries_requeued, "deliveries_created",
        (json_int_t)recovery->deliveries_created, "created",
        (json_int_t)idv_time_seconds(recovery->created), "updated",
        (json_int_t)idv_time_seconds(recovery->updated), "finished_at",
        idv_json_integer_or_null(idv_time_seconds(recovery->finished_at)));
}

/* What has not happened by now is not in any window. */
static idv_error_t *read_window(const idv_call_t *call, idv_time_t window[2])
{
    apr_int64_t bounds[2] = {0, IDV_LATEST_SECOND}, since = 0;
    idv_time_t now = idv_time_now();
    apr_int64_t until = IDV_LATEST_SECOND;

    IDV_TRY(idv_call_number(call, "since", bounds, &since));
    IDV_TRY(idv_call_number(call, "until", bounds, &until));
    window[0] = since * IDV_SECOND;
    window[1] = until * IDV_SECOND < now ? until * IDV_SECOND : now;
    if (window[0] >= window[1])
        return idv_error_param(call->pool, "since",
                               "The window is empty or in the future.");
    return NULL;
}

IDV_COMMAND(webhook_recover)
{
    idv_webhook_recovery_t *recovery;
    idv_time_t window[2];
    idv_error_t *error;

    IDV_TRY(read_window(call, window));
    error =
        idv_webhook_recovery_create(call->db, idv_call_option(call, "endpoint"),
                                    window, &recovery, call->pool);
    if (error && error->code == IDV_E_RESOURCE_MISSING)
        return idv_error_param(call->pool, "endpoint",
                               "No such endpoint, or it is disabled.");
    IDV_TRY(error);
    *answer = recovery_json(recovery);
    return NULL;
}

IDV_COMMAND(webhook_recovery_status)
{
    idv_webhook_recovery_t *recovery;

    IDV_TRY(idv_webhook_recovery_find(call->db, call->arguments[0], &recovery,
                                      call->pool));
    *answer = recovery_json(recovery);
    return NULL;
}

IDV_COMMAND(webhook_recoveries)
{
    apr_array_header_t *recoveries;

    IDV_TRY(
        idv_webhook_recovery_list(call->db, idv_call_option(call, "endpoint"),
                                  RECOVERIES_SHOWN, &recoveries, call->pool));
    *answer = json_array();
    for (int i = 0; i < recoveries->nelts; i++)
        json_array_append_new(
            *answer, recovery_json(APR_ARRAY_IDX(recoveries, i,
                                                 idv_webhook_recovery_t *)));
    return NULL;
}

const idv_command_t idv_operation_commands[] = {
    {.noun = "migrate",
     .accepts_any_schema = 1,
     .run = migrate,
     .help = "apply pending migrations; safe to run twice and from two nodes"},
    {.noun = "webhook",
     .verb = "recover",
     .changes = 1,
     .options = {"endpoint! WE_ID", "since! UNIX", "until UNIX"},
     .run = webhook_recover,
     .help = "queue again what an endpoint has missed in a window of time"},
    {.noun = "webhook",
     .verb = "recovery-status",
     .arguments = "RECOVERY_ID",
     .run = webhook_recovery_status,
     .help = "print how far a recovery has come"},
    {.noun = "webhook",
     .verb = "recoveries",
     .options = {"endpoint! WE_ID"},
     .run = webhook_recoveries,
     .help = "list the recoveries of an endpoint"},
    {0},
};
