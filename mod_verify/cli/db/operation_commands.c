/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command/command.h"

#include "store/db/schema.h"

/* Maintenance of the service: the schema. */

IDV_COMMAND(migrate)
{
    apr_array_header_t *applied;
    json_t *names = json_array();
    idv_migration_t run = {.directory = call->migrations, .db = call->db};
    int version;

    *answer = json_pack("{s:o}", "applied", names);
    IDV_TRY(idv_call_connect(call, &run.turn));
    IDV_TRY(idv_migration_apply(&run, &applied, &version, call->pool));
    for (int i = 0; i < applied->nelts; i++)
        json_array_append_new(
            names, json_string(APR_ARRAY_IDX(applied, i, const char *)));
    json_object_set_new(*answer, "version", json_integer(version));
    return NULL;
}

const idv_command_t idv_operation_commands[] = {
    {.noun = "migrate",
     .accepts_any_schema = 1,
     .run = migrate,
     .help = "apply pending migrations; safe to run twice and from two nodes"},
    {0},
};
