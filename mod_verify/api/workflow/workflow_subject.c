/* SPDX-License-Identifier: Apache-2.0 */
#include "api/workflow/workflow_subject.h"

#include <apr_strings.h>

#include "store/workflow/workflow.h"
#include "store/workflow/workflow_draft.h"

typedef struct {
    const idv_request_t *request;
    const idv_subject_input_t *input;
    idv_subject_t *subject;
} search_t;

static idv_error_t *find(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    const search_t *search = baton;
    const idv_scope_t scope = idv_request_scope(search->request);
    idv_subject_t *subject = search->subject;
    idv_workflow_draft_t *draft;
    json_t *version;

    if (search->input->draft_id) {
        IDV_TRY(idv_workflow_draft_find(db, scope.organization_id,
                                        search->input->draft_id, &draft, pool));
        subject->definition = draft->definition;
        subject->workflow_id = draft->workflow_id;
        return NULL;
    }
    IDV_TRY(idv_workflow_version_find(db, &scope, search->input->version_id,
                                      &version, pool));
    subject->definition = json_object_get(version, "definition");
    subject->workflow_id =
        json_string_value(json_object_get(version, "workflow_id"));
    subject->version_id = search->input->version_id;
    return NULL;
}

idv_error_t *idv_subject_find(idv_request_t *request,
                              const idv_subject_input_t *input,
                              idv_subject_t *subject)
{
    search_t search = {request, input, subject};
    int given = (input->definition != NULL) + (input->draft_id != NULL)
              + (input->version_id != NULL);

    *subject = (idv_subject_t){.definition = input->definition};
    if (given != 1)
        return idv_error_param(request->pool, "definition",
                               "excludes `draft_id` and `version_id`. Pass "
                               "exactly one of the three.");
    return input->definition
             ? NULL
             : idv_request_with_database(request, find, &search);
}

idv_error_t *idv_subject_compile(const idv_request_t *request,
                                 const idv_subject_t *subject,
                                 idv_workflow_t **workflow)
{
    apr_array_header_t *faults;
    const idv_workflow_fault_t *first;
    idv_error_t *error;

    idv_workflow_compile(subject->definition, workflow, &faults, request->pool);
    if (*workflow)
        return NULL;
    first = &APR_ARRAY_IDX(faults, 0, idv_workflow_fault_t);
    error = idv_error_new(IDV_E_WORKFLOW_INVALID, request->pool);
    error->param = "definition";
    error->message = apr_psprintf(
        request->pool, "The definition has faults (%d); the first, at %s: %s",
        faults->nelts, *first->pointer ? first->pointer : "/", first->message);
    return error;
}
