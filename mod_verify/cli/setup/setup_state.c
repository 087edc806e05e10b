/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/setup/setup_state.h"

#include <stdlib.h>
#include <string.h>

#include <apr_encode.h>
#include <apr_strings.h>

#include "cli/setup/setup_run.h"
#include "store/account/organization.h"
#include "store/trust/trust_list.h"

#define PAGE 1000

/* --- references --- */

idv_setup_scope_t *idv_setup_scope(const idv_call_t *call,
                                   const char *organization_id)
{
    idv_setup_scope_t *scope = apr_pcalloc(call->pool, sizeof(*scope));

    scope->call = call;
    scope->organization_id = organization_id;
    scope->objects = apr_hash_make(call->pool);
    scope->ids = apr_hash_make(call->pool);
    return scope;
}

void idv_setup_note(idv_setup_scope_t *scope, const idv_setup_kind_t *kind,
                    const char *name, const char *id)
{
    apr_pool_t *pool = scope->call->pool;

    apr_hash_set(scope->ids, apr_pstrcat(pool, kind->name, "/", name, NULL),
                 APR_HASH_KEY_STRING, apr_pstrdup(pool, id));
    apr_hash_set(scope->objects, apr_pstrdup(pool, id), APR_HASH_KEY_STRING,
                 apr_pstrdup(pool, name));
}

const char *idv_setup_id(const idv_setup_scope_t *scope, const char *list,
                         const char *name)
{
    return apr_hash_get(scope->ids,
                        apr_pstrcat(scope->call->pool, list, "/", name, NULL),
                        APR_HASH_KEY_STRING);
}

/* --- fields --- */

/* The member at PATH, with dots between its steps; NULL: none. */
static json_t *member(const json_t *object, const char *path, apr_pool_t *pool)
{
    char *copy = apr_pstrdup(pool, path), *state;
    json_t *value = (json_t *)object;

    for (char *step = apr_strtok(copy, ".", &state); step;
         step = apr_strtok(NULL, ".", &state))
        value = json_object_get(value, step);
    return value;
}

/* The name of the object with the id VALUE, or null. New reference. */
static json_t *name_of(const idv_setup_scope_t *scope, const json_t *value)
{
    const char *id = json_string_value(value);
    const char *name =
        id ? apr_hash_get(scope->objects, id, APR_HASH_KEY_STRING) : NULL;

    return name ? json_string(name) : json_null();
}

/* The value of FIELD in LISTED, an answer. New reference. */
static json_t *field_value(const idv_setup_scope_t *scope,
                           const idv_setup_field_t *field,
                           const json_t *listed)
{
    json_t *value = member(listed, field->source, scope->call->pool);
    const char *text = json_string_value(value);

    switch (field->type) {
    case IDV_SETUP_VERB: /* a time, or the status of an endpoint */
        return json_boolean(text ? strcmp(text, "disabled") == 0
                                 : json_is_integer(value));
    case IDV_SETUP_APPLICATION:
    case IDV_SETUP_WORKFLOW:
        return name_of(scope, value);
    default:
        return value ? json_incref(value) : json_null();
    }
}

static json_t *form_of(const idv_setup_scope_t *scope,
                       const idv_setup_kind_t *kind, const json_t *listed)
{
    json_t *form = idv_json_own(json_object(), scope->call->pool);

    for (const idv_setup_field_t *field = kind->fields; field->name; field++)
        if (!(field->flags & IDV_SETUP_SAID))
            json_object_set_new(form, field->name,
                                field_value(scope, field, listed));
    return form;
}

/* --- what the lists lack --- */

static const char *base64(idv_bytes_t bytes, apr_pool_t *pool)
{
    return apr_pencode_base64_binary(pool, bytes.data,
                                     (apr_ssize_t)bytes.length,
                                     APR_ENCODE_NONE, NULL);
}

/* The certificates of the plain list LISTED; null for a signed one, whose file
 * is not kept. New reference. */
static idv_error_t *read_certificates(const idv_setup_scope_t *scope,
                                      const json_t *listed, json_t **list)
{
    const char *id = json_string_value(json_object_get(listed, "id"));
    int kind = idv_trust_kind_parse(
        json_string_value(json_object_get(listed, "kind")));
    idv_trust_anchors_t *anchors;

    *list = json_null();
    if (kind < 0 || !idv_trust_kind_is_plain((idv_trust_kind_t)kind))
        return NULL;
    IDV_TRY(idv_trust_anchors_find(
        scope->call->db, scope->organization_id,
        idv_trust_kind_purpose((idv_trust_kind_t)kind), &anchors,
        scope->call->pool));
    *list = json_array();
    for (int i = 0; i < anchors->entry_count; i++)
        if (strcmp(anchors->entries[i].version->list_id, id) == 0)
            json_array_append_new(
                *list,
                json_string(base64(anchors->entries[i].trusted.certificate,
                                   scope->call->pool)));
    return NULL;
}

/* Adds to LISTED what another command tells about it. */
static idv_error_t *add_details(const idv_setup_scope_t *scope,
                                const idv_setup_kind_t *kind, json_t *listed)
{
    idv_setup_call_t of = {
        .argument = json_string_value(json_object_get(listed, "id")),
        .organization_id = scope->organization_id,
    };
    json_t *answer;

    if (kind == idv_setup_trust_lists) {
        IDV_TRY(read_certificates(scope, listed, &answer));
        json_object_set_new(listed, "certificates", answer);
    } else if (strcmp(kind->name, "applications") == 0) {
        of.words = "app reuse";
        IDV_TRY(idv_setup_run(scope->call, &of, &answer));
        json_object_set(listed, "reuse", answer);
    } else if (strcmp(kind->name, "workflows") == 0) {
        of.words = "workflow export";
        IDV_TRY(idv_setup_run(scope->call, &of, &answer));
        json_object_set(listed, "definition", answer);
    }
    return NULL;
}

/* --- objects --- */

static int is_left_out(const idv_setup_scope_t *scope,
                       const idv_setup_kind_t *kind, const json_t *listed)
{
    const char *owner =
        json_string_value(json_object_get(listed, "organization_id"));

    if (json_is_integer(json_object_get(listed, "revoked_at")))
        return 1;
    return kind == idv_setup_trust_lists
        && strcmp(owner ? owner : "", scope->organization_id) != 0;
}

static idv_error_t *add_object(idv_setup_scope_t *scope,
                               const idv_setup_kind_t *kind, json_t *listed,
                               apr_array_header_t *objects)
{
    const char *name =
        json_string_value(json_object_get(listed, kind->name_source));
    const char *url = json_string_value(json_object_get(listed, "url"));

    if (is_left_out(scope, kind, listed))
        return NULL;
    IDV_TRY(add_details(scope, kind, listed));
    APR_ARRAY_PUSH(objects, idv_setup_object_t) = (idv_setup_object_t){
        .id = json_string_value(json_object_get(listed, "id")),
        .name = name ? name : url ? url : "",
        .is_named = name != NULL,
        .form = form_of(scope, kind, listed),
        .is_retired =
            json_is_integer(json_object_get(listed, "retired_at")),
        .listed = listed,
    };
    return NULL;
}

/* How many objects have a name. */
typedef struct {
    int all;
    int in_use;
} bearers_t;

static bearers_t *bearers_of(apr_hash_t *names, const char *name,
                             apr_pool_t *pool)
{
    bearers_t *bearers = apr_hash_get(names, name, APR_HASH_KEY_STRING);

    if (!bearers) {
        bearers = apr_pcalloc(pool, sizeof(*bearers));
        apr_hash_set(names, name, APR_HASH_KEY_STRING, bearers);
    }
    return bearers;
}

/* Sets why an object is not managed, for each that is not. */
static void judge(apr_array_header_t *objects, apr_pool_t *pool)
{
    idv_setup_object_t *list = (idv_setup_object_t *)objects->elts;
    apr_hash_t *names = apr_hash_make(pool);

    for (int i = 0; i < objects->nelts; i++) {
        bearers_t *bearers = bearers_of(names, list[i].name, pool);

        bearers->all++;
        bearers->in_use += !list[i].is_retired;
    }
    for (int i = 0; i < objects->nelts; i++) {
        const bearers_t *bearers = bearers_of(names, list[i].name, pool);
        int rivals = (list[i].is_retired ? bearers->all : bearers->in_use) - 1;

        list[i].unmanaged = !*list[i].name ? "it has no name"
                          : rivals         ? "another one has the same name"
                                           : NULL;
        list[i].is_managed = !list[i].unmanaged;
    }
}

static int by_id(const void *one, const void *other)
{
    return strcmp(((const idv_setup_object_t *)one)->id,
                  ((const idv_setup_object_t *)other)->id);
}

idv_error_t *idv_setup_objects(idv_setup_scope_t *scope,
                               const idv_setup_kind_t *kind,
                               apr_array_header_t **objects)
{
    const idv_setup_call_t of = {.words = kind->list,
                                 .organization_id = scope->organization_id};
    json_t *list, *listed;
    size_t i;

    *objects = apr_array_make(scope->call->pool, 8, sizeof(idv_setup_object_t));
    IDV_TRY(idv_setup_run(scope->call, &of, &list));
    json_array_foreach (list, i, listed)
        IDV_TRY(add_object(scope, kind, listed, *objects));
    qsort((*objects)->elts, (size_t)(*objects)->nelts,
          sizeof(idv_setup_object_t), by_id);
    judge(*objects, scope->call->pool);
    for (int j = 0; j < (*objects)->nelts; j++) {
        const idv_setup_object_t *object =
            &APR_ARRAY_IDX(*objects, j, idv_setup_object_t);

        if (object->is_managed)
            idv_setup_note(scope, kind, object->name, object->id);
    }
    return NULL;
}

/* --- organizations --- */

idv_error_t *idv_setup_organization_form(const idv_call_t *call,
                                         const char *id, json_t **form)
{
    static const char *const policies[] = {"passed", "undetermined"};
    idv_setup_call_t of = {.words = "org show", .argument = id};
    json_t *listed, *brand;
    int is_doubt;

    IDV_TRY(idv_setup_run(call, &of, &listed));
    of.words = "org brand";
    IDV_TRY(idv_setup_run(call, &of, &brand));
    brand = json_object_get(brand, "brand");
    json_object_set(listed, "brand",
                    json_object_size(brand) ? brand : json_null());
    IDV_TRY(idv_organization_trust_policy(call->db, id, &is_doubt,
                                          call->pool));
    json_object_set_new(listed, "trust_deviations",
                        json_string(policies[is_doubt != 0]));
    *form = form_of(idv_setup_scope(call, id), &idv_setup_organization,
                    listed);
    return NULL;
}

static void add_organizations(const char *name, const apr_array_header_t *page,
                              apr_array_header_t *objects)
{
    for (int i = 0; i < page->nelts; i++) {
        const idv_organization_t *organization =
            APR_ARRAY_IDX(page, i, idv_organization_t *);

        if (!name || strcmp(organization->name, name) == 0)
            APR_ARRAY_PUSH(objects, idv_setup_object_t) =
                (idv_setup_object_t){.id = organization->id,
                                     .name = organization->name,
                                     .is_named = 1};
    }
}

idv_error_t *idv_setup_organizations(const idv_call_t *call, const char *name,
                                     apr_array_header_t **objects)
{
    idv_organization_filter_t filter = {.search = name,
                                        .cursor = {.limit = PAGE}};
    apr_array_header_t *page;
    int has_more = 1;

    *objects = apr_array_make(call->pool, 8, sizeof(idv_setup_object_t));
    while (has_more) {
        IDV_TRY(idv_organization_page(call->db, &filter, &page, &has_more,
                                      call->pool));
        add_organizations(name, page, *objects);
        if (page->nelts)
            filter.cursor.starting_after =
                APR_ARRAY_IDX(page, page->nelts - 1, idv_organization_t *)->id;
    }
    judge(*objects, call->pool);
    return NULL;
}
