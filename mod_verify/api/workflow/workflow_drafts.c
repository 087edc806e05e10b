/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /dashboard/v1/organizations/:org/workflow_drafts: definitions in progress,
 * and their publication. Requests that change, delete or publish a draft name
 * the state that they are based on in If-Match. The rules are in
 * store/workflow/workflow_draft.h and store/transaction/workflow_release.h.
 */
#include <string.h>

#include "api/http/response.h"
#include "api/http/write.h"
#include "api/workflow/workflow_subject.h"
#include "store/transaction/workflow_release.h"
#include "store/workflow/workflow_draft.h"

/* The initial definition of a new workflow: one document, to check an age. */
static const char template[] =
    "{\"name\":\"New workflow\",\"session_types\":[\"age\"],\"start\":\"id\","
    "\"nodes\":{\"id\":{\"type\":\"methods\",\"mode\":\"any_of\","
    "\"methods\":[\"document_capture\"],\"max_attempts\":3,"
    "\"next\":{\"passed\":\"granted\",\"exhausted\":\"denied\"}},"
    "\"granted\":{\"type\":\"outcome\",\"status\":\"verified\"},"
    "\"denied\":{\"type\":\"outcome\",\"status\":\"failed\"}}}";

/* The state of these routes. */
typedef struct {
    idv_request_t *request;
    idv_scope_t scope;
    const char *id;  /* of the draft in the path; NULL: none */
    const char *tag; /* If-Match; NULL: none */
    idv_workflow_draft_t *draft;
} draft_work_t;

static draft_work_t make_work(idv_request_t *request)
{
    return (draft_work_t){
        .request = request,
        .scope = idv_request_scope(request),
        .id = idv_request_path(request, "id"),
        .tag = apr_table_get(request->r->headers_in, "If-Match"),
    };
}

static const char *draft_text(const idv_workflow_draft_t *draft,
                              apr_pool_t *pool)
{
    return idv_json_text(idv_workflow_draft_json(draft, pool), pool);
}

static void set_tag(const draft_work_t *work)
{
    idv_respond_header(
        work->request, "ETag",
        idv_workflow_draft_tag(work->draft, work->request->pool));
}

static idv_error_t *lock(idv_db_t *db, draft_work_t *work, apr_pool_t *pool)
{
    const idv_workflow_draft_t wanted = {
        .organization_id = work->scope.organization_id, .id = work->id};

    return idv_workflow_draft_lock(db, &wanted, work->tag, &work->draft, pool);
}

/* --- showing --- */

typedef struct {
    idv_page_t page;
    const char *workflow_id;
} list_input_t;

static const idv_parameter_t list_parameters[] = {
    IDV_PAGE_PARAMETERS(list_input_t, IDV_ID_WORKFLOW_DRAFT),
    IDV_PARAMETER(ID, list_input_t, workflow_id, 0, IDV_ID_WORKFLOW, 0),
    {0},
};

typedef struct {
    idv_workflow_draft_filter_t filter;
    apr_array_header_t *items;
    int has_more;
} listing_t;

static idv_error_t *list(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    listing_t *listing = baton;

    return idv_workflow_draft_page(db, &listing->filter, &listing->items,
                                   &listing->has_more, pool);
}

idv_error_t *idv_workflow_draft_api_list(idv_request_t *request)
{
    list_input_t input = {.page = IDV_PAGE_DEFAULT};
    listing_t listing = {0};

    IDV_TRY(idv_request_parameters(request, list_parameters, &input, NULL));
    IDV_TRY(idv_page_check(&input.page, request->pool));
    listing.filter = (idv_workflow_draft_filter_t){
        .organization_id = request->organization_id,
        .workflow_id = input.workflow_id,
        .cursor = idv_page_cursor(&input.page),
    };
    IDV_TRY(idv_request_with_database(request, list, &listing));
    return idv_page_respond(request, listing.items, listing.has_more);
}

static idv_error_t *find(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    draft_work_t *work = baton;

    return idv_workflow_draft_find(db, work->scope.organization_id, work->id,
                                   &work->draft, pool);
}

idv_error_t *idv_workflow_draft_api_retrieve(idv_request_t *request)
{
    draft_work_t work = make_work(request);

    IDV_TRY(idv_request_no_parameters(request));
    IDV_TRY(idv_request_with_database(request, find, &work));
    set_tag(&work);
    return idv_respond_text(request, HTTP_OK,
                            draft_text(work.draft, request->pool));
}

/* --- creating a draft --- */

typedef struct {
    const char *workflow_id;
    const char *version_id;
    const char *application_id;
    const json_t *definition;
} create_input_t;

static const idv_parameter_t create_parameters[] = {
    IDV_PARAMETER(ID, create_input_t, workflow_id, 0, IDV_ID_WORKFLOW, 0),
    IDV_PARAMETER(ID, create_input_t, version_id, 0, IDV_ID_WORKFLOW_VERSION,
                  0),
    IDV_PARAMETER(ID, create_input_t, application_id, 0, IDV_ID_APPLICATION, 0),
    IDV_PARAMETER(OBJECT, create_input_t, definition, 0, 0,
                  IDV_SUBJECT_MEMBERS_MAX),
    {0},
};

typedef struct {
    draft_work_t work;
    const create_input_t *input;
} creation_t;

static idv_error_t *check_creation(const create_input_t *input,
                                   apr_pool_t *pool)
{
    if (input->version_id && !input->workflow_id)
        return idv_error_param(pool, "version_id",
                               "is only for a draft of a published workflow. "
                               "Pass `workflow_id` too.");
    if (input->version_id && input->definition)
        return idv_error_param(pool, "version_id",
                               "excludes `definition`. Pass one of them.");
    if (input->application_id && input->workflow_id)
        return idv_error_param(pool, "application_id",
                               "is only for a new workflow. Omit it: a "
                               "published workflow has its application.");
    return NULL;
}

/* The version of the workflow that the draft starts from, unless the request
 * has a definition. */
static idv_error_t *find_beginning(idv_db_t *db, const creation_t *creation,
                                   const char *live, json_t **definition,
                                   apr_pool_t *pool)
{
    const create_input_t *input = creation->input;
    const char *wanted = input->version_id ? input->version_id : live;
    idv_error_t *error;
    json_t *version;

    error = idv_workflow_version_find(db, &creation->work.scope, wanted,
                                      &version, pool);
    if (!error
        && strcmp(input->workflow_id,
                  json_string_value(json_object_get(version, "workflow_id"))))
        error = idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    if (error && error->code == IDV_E_RESOURCE_MISSING)
        return idv_error_param(pool, "version_id",
                               "must be the id of a version of this workflow.");
    IDV_TRY(error);
    *definition = json_object_get(version, "definition");
    return NULL;
}

static idv_error_t *find_base(idv_db_t *db, const creation_t *creation,
                              idv_workflow_draft_t *draft, apr_pool_t *pool)
{
    const create_input_t *input = creation->input;
    json_t *workflow;

    IDV_TRY(idv_workflow_find(db, &creation->work.scope, input->workflow_id,
                              &workflow, pool));
    draft->workflow_id = input->workflow_id;
    draft->base_version_id =
        json_string_value(json_object_get(workflow, "version_id"));
    return input->definition
             ? NULL
             : find_beginning(db, creation, draft->base_version_id,
                              &draft->definition, pool);
}

static idv_error_t *create(idv_db_t *db, void *baton, const char **answer,
                           apr_pool_t *pool)
{
    creation_t *creation = baton;
    const idv_request_t *request = creation->work.request;
    const create_input_t *input = creation->input;
    idv_workflow_draft_t *draft = apr_pcalloc(pool, sizeof(*draft));

    *draft = (idv_workflow_draft_t){
        .organization_id = request->organization_id,
        .application_id = input->application_id,
        .definition = (json_t *)input->definition,
        .created_by = request->operator->user,
        .created = request->now,
    };
    if (input->workflow_id)
        IDV_TRY(find_base(db, creation, draft, pool));
    else if (!input->definition)
        draft->definition = idv_json_load(template, pool);
    IDV_TRY(idv_workflow_draft_create(db, draft, pool));
    creation->work.draft = draft;
    *answer = draft_text(draft, pool);
    return NULL;
}

idv_error_t *idv_workflow_draft_api_create(idv_request_t *request)
{
    create_input_t input = {0};
    creation_t creation = {.work = make_work(request), .input = &input};
    const idv_write_t write = {
        .status = HTTP_CREATED, .work = create, .baton = &creation};

    IDV_TRY(idv_request_parameters(request, create_parameters, &input, NULL));
    IDV_TRY(check_creation(&input, request->pool));
    IDV_TRY(idv_write(request, &write));
    /* A replay answers with the draft as created, and so with its first tag. */
    idv_respond_header(
        request, "ETag",
        idv_workflow_draft_tag(&(idv_workflow_draft_t){.revision = 1},
                               request->pool));
    return NULL;
}

/* --- changing and deleting --- */

typedef struct {
    const json_t *definition;
} save_input_t;

static const idv_parameter_t save_parameters[] = {
    IDV_PARAMETER(OBJECT, save_input_t, definition, IDV_REQUIRED, 0,
                  IDV_SUBJECT_MEMBERS_MAX),
    {0},
};

typedef struct {
    draft_work_t work;
    idv_workflow_edit_t edit;
} saving_t;

static idv_error_t *save(idv_db_t *db, void *baton, const char **answer,
                         apr_pool_t *pool)
{
    saving_t *saving = baton;

    IDV_TRY(lock(db, &saving->work, pool));
    IDV_TRY(
        idv_workflow_draft_save(db, saving->work.draft, &saving->edit, pool));
    *answer = draft_text(saving->work.draft, pool);
    return NULL;
}

idv_error_t *idv_workflow_draft_api_save(idv_request_t *request)
{
    save_input_t input = {0};
    saving_t saving = {.work = make_work(request)};
    const idv_write_t write = {
        .status = HTTP_OK, .work = save, .baton = &saving};

    IDV_TRY(idv_request_parameters(request, save_parameters, &input, NULL));
    IDV_TRY(idv_workflow_draft_check_size(input.definition, request->pool));
    saving.edit =
        (idv_workflow_edit_t){.definition = (json_t *)input.definition,
                              .editor = request->operator->user,
                              .now = request->now};
    IDV_TRY(idv_write(request, &write));
    set_tag(&saving.work);
    return NULL;
}

static idv_error_t *delete (idv_db_t *db, void *baton, const char **answer,
                            apr_pool_t *pool)
{
    draft_work_t *work = baton;

    IDV_TRY(lock(db, work, pool));
    IDV_TRY(idv_workflow_draft_remove(db, work->draft, pool));
    *answer = idv_json_text(
        idv_json_own(json_pack("{s:s, s:s, s:b}", "id", work->draft->id,
                               "object", "workflow_draft", "deleted", 1),
                     pool),
        pool);
    return NULL;
}

idv_error_t *idv_workflow_draft_api_delete(idv_request_t *request)
{
    draft_work_t work = make_work(request);
    const idv_write_t write = {
        .status = HTTP_OK, .work = delete, .baton = &work};

    IDV_TRY(idv_request_no_parameters(request));
    return idv_write(request, &write);
}

/* --- publishing --- */

typedef struct {
    const json_t *accept_changed_scenarios;
    const char *replace_version_id;
} publish_input_t;

static const idv_parameter_t publish_parameters[] = {
    IDV_PARAMETER(STRINGS, publish_input_t, accept_changed_scenarios, 0, 0,
                  IDV_WORKFLOW_SCENARIOS_MAX),
    IDV_PARAMETER(ID, publish_input_t, replace_version_id, 0,
                  IDV_ID_WORKFLOW_VERSION, 0),
    {0},
};

typedef struct {
    draft_work_t work;
    const publish_input_t *input;
} publication_t;

static idv_error_t *publish(idv_db_t *db, void *baton, const char **answer,
                            apr_pool_t *pool)
{
    publication_t *publication = baton;
    const idv_request_t *request = publication->work.request;
    const publish_input_t *input = publication->input;
    const idv_workflow_draft_t *draft;
    idv_workflow_release_t release;
    idv_workflow_t *workflow;
    idv_subject_t subject = {0};
    json_t *published;

    IDV_TRY(lock(db, &publication->work, pool));
    draft = publication->work.draft;
    subject.definition = draft->definition;
    IDV_TRY(idv_subject_compile(request, &subject, &workflow));
    release = (idv_workflow_release_t){
        .organization_id = draft->organization_id,
        .application_id = draft->is_new ? draft->application_id : NULL,
        .workflow_id = draft->workflow_id,
        .is_new = draft->is_new,
        .base_version_id = input->replace_version_id ? input->replace_version_id
                                                     : draft->base_version_id,
        .definition = draft->definition,
        .workflow = workflow,
        .publisher = request->operator->user,
        .editors = draft->editors,
        .accepted = input->accept_changed_scenarios,
        .law = {.compliance = idv_compliance_rules_look_up,
                .compliance_baton = request->services->compliance,
                .now = request->now},
        .rules = request->services->compliance,
    };
    IDV_TRY(idv_workflow_release(db, &release, &published, pool));
    IDV_TRY(idv_workflow_draft_remove(db, draft, pool));
    *answer = idv_json_text(published, pool);
    return NULL;
}

idv_error_t *idv_workflow_draft_api_publish(idv_request_t *request)
{
    publish_input_t input = {0};
    publication_t publication = {.work = make_work(request), .input = &input};
    const idv_write_t write = {
        .status = HTTP_OK, .work = publish, .baton = &publication};

    publication.work.id = idv_request_path(request, "draft");
    IDV_TRY(idv_request_parameters(request, publish_parameters, &input, NULL));
    return idv_write(request, &write);
}
