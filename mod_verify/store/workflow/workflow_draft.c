/* SPDX-License-Identifier: Apache-2.0 */
#include "store/workflow/workflow_draft.h"

#include <string.h>

#include <apr_strings.h>

#include "domain/workflow/workflow_compile.h"

/* --- what a draft is --- */

const char *idv_workflow_draft_tag(const idv_workflow_draft_t *draft,
                                   apr_pool_t *pool)
{
    return apr_psprintf(pool, "\"%d\"", draft->revision);
}

static json_t *text_or_null(const char *text)
{
    return text ? json_string(text) : json_null();
}

/* Whether a draft of a published workflow would replace what it was begun with;
 * null for a new one. */
static json_t *base_is_live(const idv_workflow_draft_t *draft)
{
    if (!draft->base_version_id || !draft->live_version_id)
        return json_null();
    return json_boolean(strcmp(draft->base_version_id, draft->live_version_id)
                        == 0);
}

static int has_no_faults(const json_t *definition, apr_pool_t *pool)
{
    apr_array_header_t *faults;
    idv_workflow_t *workflow;

    idv_workflow_compile(definition, &workflow, &faults, pool);
    return workflow != NULL;
}

json_t *idv_workflow_draft_json(const idv_workflow_draft_t *draft,
                                apr_pool_t *pool)
{
    json_t *object = json_pack(
        "{s:s, s:s, s:s, s:s, s:b, s:o, s:o, s:o, s:o, s:s, s:s, s:s, s:I, "
        "s:I}",
        "id", draft->id, "object", "workflow_draft", "organization_id",
        draft->organization_id, "workflow_id", draft->workflow_id, "is_new",
        draft->is_new, "application_id", text_or_null(draft->application_id),
        "base_version_id", text_or_null(draft->base_version_id), "base_is_live",
        base_is_live(draft), "name", text_or_null(draft->name), "etag",
        idv_workflow_draft_tag(draft, pool), "created_by", draft->created_by,
        "updated_by", draft->updated_by, "created",
        (json_int_t)idv_time_seconds(draft->created), "updated",
        (json_int_t)idv_time_seconds(draft->updated));

    idv_json_own(object, pool);
    if (draft->definition) {
        json_object_set_new(
            object, "valid",
            json_boolean(has_no_faults(draft->definition, pool)));
        json_object_set(object, "definition", draft->definition);
    }
    return object;
}

idv_error_t *idv_workflow_draft_check_size(const json_t *definition,
                                           apr_pool_t *pool)
{
    idv_error_t *error;

    if (strlen(idv_json_text(definition, pool)) <= IDV_WORKFLOW_DRAFT_SIZE_MAX)
        return NULL;
    error = idv_error_new(IDV_E_BODY_TOO_LARGE, pool);
    error->param = "definition";
    error->message =
        apr_psprintf(pool, "must have at most %d KiB, written without blanks.",
                     IDV_WORKFLOW_DRAFT_SIZE_MAX / 1024);
    return error;
}

static const char *name_in(const json_t *definition)
{
    return json_string_value(json_object_get(definition, "name"));
}

/* --- finding --- */

/* The draft in a row of sql/fragments/workflow_draft_columns.sql. */
static void read_draft(const idv_db_result_t *rows, int row,
                       const char *organization_id, idv_workflow_draft_t *draft,
                       apr_pool_t *pool)
{
    *draft = (idv_workflow_draft_t){
        .organization_id = organization_id,
        .id = idv_db_get_text(rows, row, 0),
        .workflow_id = idv_db_get_text(rows, row, 1),
        .application_id = idv_db_get_text(rows, row, 2),
        .base_version_id = idv_db_get_text(rows, row, 3),
        .live_version_id = idv_db_get_text(rows, row, 4),
        .is_new = idv_db_get_bool(rows, row, 5),
        .revision = (int)idv_db_get_int(rows, row, 6),
        .editors = idv_db_get_texts(rows, row, 7, pool),
        .created_by = idv_db_get_text(rows, row, 8),
        .updated_by = idv_db_get_text(rows, row, 9),
        .created = idv_db_get_int(rows, row, 10),
        .updated = idv_db_get_int(rows, row, 11),
        .name = idv_db_get_text(rows, row, 12),
    };
}

idv_error_t *idv_workflow_draft_find(idv_db_t *db, const char *organization_id,
                                     const char *id,
                                     idv_workflow_draft_t **draft,
                                     apr_pool_t *pool)
{
    idv_db_result_t *rows;

    if (!idv_id_is(IDV_ID_WORKFLOW_DRAFT, id))
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    IDV_TRY(idv_db_query(
        db, IDV_SQL_WORKFLOW_DRAFT_FIND,
        IDV_DB_PARAMS(idv_db_text(organization_id), idv_db_text(id)), &rows,
        pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    *draft = apr_palloc(pool, sizeof(**draft));
    read_draft(rows, 0, organization_id, *draft, pool);
    (*draft)->definition = idv_db_get_json(rows, 0, 13, pool);
    return NULL;
}

/* Whether the entity tag from TEXT to END is that of REVISION. Filters that
 * compress an answer append to its tag: "7-gzip". */
static int is_tag_of(const char *text, const char *end, int revision,
                     apr_pool_t *pool)
{
    static const char *const endings[] = {"", "-gzip", "-br", "-deflate"};
    apr_size_t length = (apr_size_t)(end - text);

    for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++) {
        const char *tag = apr_psprintf(pool, "\"%d%s\"", revision, endings[i]);

        if (strlen(tag) == length && strncmp(tag, text, length) == 0)
            return 1;
    }
    return 0;
}

/* Whether one of the tags in LIST is that of REVISION; weak ones are none. */
static int matches(const char *list, int revision, apr_pool_t *pool)
{
    while (*list) {
        const char *end = list + strcspn(list, ",");
        const char *last = end;

        while (list < end && (*list == ' ' || *list == '\t'))
            list++;
        while (last > list && (last[-1] == ' ' || last[-1] == '\t'))
            last--;
        if (is_tag_of(list, last, revision, pool))
            return 1;
        list = *end ? end + 1 : end;
    }
    return 0;
}

static idv_error_t *changed_since(apr_pool_t *pool)
{
    idv_error_t *error = idv_error_new(IDV_E_PRECONDITION_FAILED, pool);

    error->message = "The draft has changed since you retrieved it. Retrieve "
                     "it again.";
    return error;
}

idv_error_t *idv_workflow_draft_lock(idv_db_t *db,
                                     const idv_workflow_draft_t *wanted,
                                     const char *tag,
                                     idv_workflow_draft_t **draft,
                                     apr_pool_t *pool)
{
    idv_db_result_t *rows;

    if (!idv_id_is(IDV_ID_WORKFLOW_DRAFT, wanted->id))
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    IDV_TRY(idv_db_query(db, IDV_SQL_WORKFLOW_DRAFT_LOCK,
                         IDV_DB_PARAMS(idv_db_text(wanted->organization_id),
                                       idv_db_text(wanted->id)),
                         &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    if (!tag || strcmp(tag, "*") == 0)
        return idv_error_new(IDV_E_IF_MATCH_REQUIRED, pool);
    if (!matches(tag, (int)idv_db_get_int(rows, 0, 0), pool))
        return changed_since(pool);
    return idv_workflow_draft_find(db, wanted->organization_id, wanted->id,
                                   draft, pool);
}

idv_error_t *idv_workflow_draft_page(idv_db_t *db,
                                     const idv_workflow_draft_filter_t *filter,
                                     apr_array_header_t **items, int *has_more,
                                     apr_pool_t *pool)
{
    const idv_cursor_t *cursor = &filter->cursor;
    idv_db_result_t *rows;
    idv_cursor_page_t page;

    if (filter->workflow_id)
        IDV_TRY(idv_db_query(
            db,
            idv_cursor_statement(cursor,
                                 IDV_SQL_WORKFLOW_DRAFT_LIST_OF_WORKFLOW,
                                 IDV_SQL_WORKFLOW_DRAFT_LIST_OF_WORKFLOW_NEWER),
            IDV_DB_PARAMS(
                idv_db_text(filter->organization_id),
                idv_db_text(filter->workflow_id),
                IDV_CURSOR_PARAMS(cursor, IDV_ID_WORKFLOW_DRAFT, pool)),
            &rows, pool));
    else
        IDV_TRY(idv_db_query(
            db,
            idv_cursor_statement(cursor, IDV_SQL_WORKFLOW_DRAFT_LIST,
                                 IDV_SQL_WORKFLOW_DRAFT_LIST_NEWER),
            IDV_DB_PARAMS(
                idv_db_text(filter->organization_id),
                IDV_CURSOR_PARAMS(cursor, IDV_ID_WORKFLOW_DRAFT, pool)),
            &rows, pool));
    page = idv_cursor_page(rows, cursor);
    *has_more = page.has_more;
    *items = apr_array_make(pool, page.count, sizeof(const char *));
    for (int i = 0; i < page.count; i++) {
        idv_workflow_draft_t draft;

        read_draft(rows, idv_cursor_row(&page, i), filter->organization_id,
                   &draft, pool);
        APR_ARRAY_PUSH(*items, const char *) =
            idv_json_text(idv_workflow_draft_json(&draft, pool), pool);
    }
    return NULL;
}

/* --- changing --- */

static idv_error_t *check_count(idv_db_t *db, const idv_workflow_draft_t *draft,
                                apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_execute(db, IDV_SQL_WORKFLOW_DRAFT_TAKE_TURNS,
                           IDV_DB_PARAMS(idv_db_text(draft->organization_id)),
                           NULL, pool));
    IDV_TRY(idv_db_query(db, IDV_SQL_WORKFLOW_DRAFT_COUNT,
                         IDV_DB_PARAMS(idv_db_text(draft->organization_id),
                                       idv_db_text(draft->workflow_id)),
                         &rows, pool));
    return idv_db_get_int(rows, 0, 0) >= IDV_ORGANIZATION_DRAFTS_MAX
                || idv_db_get_int(rows, 0, 1) >= IDV_WORKFLOW_DRAFTS_MAX
             ? idv_error_new(IDV_E_DRAFT_LIMIT_REACHED, pool)
             : NULL;
}

idv_error_t *idv_workflow_draft_create(idv_db_t *db,
                                       idv_workflow_draft_t *draft,
                                       apr_pool_t *pool)
{
    idv_workflow_draft_t *made;
    idv_db_result_t *rows;

    IDV_TRY(idv_workflow_draft_check_size(draft->definition, pool));
    draft->id = idv_id_new(IDV_ID_WORKFLOW_DRAFT, draft->created, pool);
    if (!draft->workflow_id)
        draft->workflow_id = idv_id_new(IDV_ID_WORKFLOW, draft->created, pool);
    IDV_TRY(check_count(db, draft, pool));
    IDV_TRY(idv_db_query(
        db, IDV_SQL_WORKFLOW_DRAFT_CREATE,
        IDV_DB_PARAMS(
            idv_db_text(draft->organization_id), idv_db_text(draft->id),
            idv_db_text(draft->workflow_id), idv_db_text(draft->application_id),
            idv_db_text(draft->base_version_id),
            idv_db_json(draft->definition, pool),
            idv_db_text(draft->created_by), idv_db_time(draft->created)),
        &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_param(pool, "application_id",
                               "must be the id of an application of this "
                               "organization.");
    IDV_TRY(idv_workflow_draft_find(db, draft->organization_id, draft->id,
                                    &made, pool));
    *draft = *made;
    return NULL;
}

idv_error_t *idv_workflow_draft_save(idv_db_t *db, idv_workflow_draft_t *draft,
                                     const idv_workflow_edit_t *edit,
                                     apr_pool_t *pool)
{
    const char *before = idv_json_text(draft->definition, pool);

    IDV_TRY(idv_workflow_draft_check_size(edit->definition, pool));
    if (strcmp(before, idv_json_text(edit->definition, pool)) == 0)
        return NULL;
    IDV_TRY(idv_db_execute(db, IDV_SQL_WORKFLOW_DRAFT_SAVE,
                           IDV_DB_PARAMS(idv_db_text(draft->organization_id),
                                         idv_db_text(draft->id),
                                         idv_db_json(edit->definition, pool),
                                         idv_db_text(edit->editor),
                                         idv_db_time(edit->now)),
                           NULL, pool));
    draft->definition = edit->definition;
    draft->name = name_in(edit->definition);
    draft->updated_by = edit->editor;
    draft->updated = edit->now;
    draft->revision++;
    return NULL;
}

idv_error_t *idv_workflow_draft_remove(idv_db_t *db,
                                       const idv_workflow_draft_t *draft,
                                       apr_pool_t *pool)
{
    return idv_db_execute(db, IDV_SQL_WORKFLOW_DRAFT_REMOVE,
                          IDV_DB_PARAMS(idv_db_text(draft->organization_id),
                                        idv_db_text(draft->id)),
                          NULL, pool);
}
