/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"

#include <stdio.h>

#include <apr_file_io.h>
#include <apr_strings.h>

#include "core/id.h"
#include "domain/workflow.h"
#include "store/workflow.h"

#define MAX_DEFINITION_SIZE (1024 * 1024)

static idv_error_t *read_definition(const idv_call_t *call, json_t **definition)
{
    const char *path = call->arguments[0];
    char *text = apr_palloc(call->pool, MAX_DEFINITION_SIZE + 1);
    apr_size_t length = MAX_DEFINITION_SIZE + 1;
    apr_file_t *file;
    apr_status_t status = apr_file_open(&file, path, APR_READ, 0, call->pool);

    if (status == APR_SUCCESS)
        status = apr_file_read_full(file, text, length, &length);
    if (status != APR_SUCCESS && !APR_STATUS_IS_EOF(status))
        return idv_error_apr(call->pool, status, "%s", path);
    if (length > MAX_DEFINITION_SIZE)
        return idv_error_param(call->pool, "FILE", "Larger than %d bytes.",
                               MAX_DEFINITION_SIZE);
    return idv_json_parse(text, length, definition, call->pool);
}

/* One line for each fault, then the error that ends the program. */
static idv_error_t *refuse(const idv_call_t *call,
                           const apr_array_header_t *faults)
{
    for (int i = 0; i < faults->nelts; i++) {
        const idv_workflow_fault_t *fault =
            &APR_ARRAY_IDX(faults, i, idv_workflow_fault_t);

        fprintf(stderr, "%s: %s\n", *fault->pointer ? fault->pointer : "/",
                fault->message);
    }
    return idv_error_param(call->pool, NULL,
                           "The definition does not validate (%d faults).",
                           faults->nelts);
}

IDV_COMMAND(idv_command_workflow_publish)
{
    idv_workflow_publication_t publication = {
        .organization_id = idv_call_option(call, "org"),
        .application_id = idv_call_option(call, "app"),
        .workflow_id = idv_call_option(call, "id"),
    };
    apr_array_header_t *faults;
    idv_workflow_t *workflow;

    if (publication.workflow_id
        && !idv_id_is(IDV_ID_WORKFLOW, publication.workflow_id))
        return idv_error_param(call->pool, "id", "Not the id of a workflow.");
    IDV_TRY(read_definition(call, &publication.definition));
    idv_workflow_compile(publication.definition, idv_methods_implemented(),
                         &workflow, &faults, call->pool);
    if (!workflow)
        return refuse(call, faults);
    publication.workflow = workflow;
    IDV_TRY(idv_workflow_publish(call->db, &publication, call->pool));
    *answer = json_pack(
        "{s:s, s:s, s:s, s:s, s:o}", "id", publication.workflow_id, "object",
        "workflow", "version_id", publication.version_id, "name",
        workflow->name, "methods", idv_method_list_json(&workflow->methods));
    return NULL;
}

IDV_COMMAND(idv_command_workflow_show)
{
    return idv_workflow_show(call->db, call->arguments[0], answer, call->pool);
}

IDV_COMMAND(idv_command_workflow_list)
{
    IDV_TRY(idv_call_organization(call));
    return idv_workflow_list(call->db, idv_call_option(call, "org"), answer,
                             call->pool);
}
