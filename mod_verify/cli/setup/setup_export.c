/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/setup/setup_export.h"

#include <stdlib.h>
#include <string.h>

#include <apr_strings.h>

#include "cli/setup/setup_state.h"
#include "core/terminal_text.h"

typedef struct {
    const idv_call_t *call;
    const char *owner; /* name of the organization; NULL: all */
    apr_array_header_t *remarks;
} export_t;

static void remark(export_t *export, const idv_setup_kind_t *kind,
                   const idv_setup_object_t *object, const char *why)
{
    apr_pool_t *pool = export->call->pool;

    APR_ARRAY_PUSH(export->remarks, const char *) = idv_terminal_text(
        apr_pstrcat(pool, kind->title, " ", object->id,
                    export->owner ? " of " : "",
                    export->owner ? export->owner : "", " is left out: ", why,
                    NULL),
        pool);
}

/* --- objects --- */

/* Sets the member at PATH, with dots between its steps. */
static void set(json_t *object, const char *path, json_t *value)
{
    const char *dot = strchr(path, '.');
    char group[64];
    json_t *inner;

    if (!dot) {
        json_object_set(object, path, value);
        return;
    }
    apr_snprintf(group, sizeof(group), "%.*s", (int)(dot - path), path);
    inner = json_object_get(object, group);
    if (!inner) {
        inner = json_object();
        json_object_set_new(object, group, inner);
    }
    set(inner, dot + 1, value);
}

/* An organization that accepts others' verifications has accepted the liability
 * for it. */
static void add_statements(json_t *object)
{
    json_t *reuse = json_object_get(object, "reuse");

    if (json_is_true(json_object_get(reuse, "enabled")))
        json_object_set_new(reuse, "accept_liability", json_true());
}

/* OBJECT in the form of a file. New reference. */
static json_t *written(const idv_setup_kind_t *kind,
                       const idv_setup_object_t *object)
{
    json_t *file = json_object();

    if (object->is_named)
        json_object_set_new(file, "name", json_string(object->name));
    for (const idv_setup_field_t *field = kind->fields; field->name; field++) {
        json_t *value = json_object_get(object->form, field->name);

        if (value && !json_is_null(value))
            set(file, field->name, value);
    }
    add_statements(file);
    return file;
}

static int by_name(const void *one, const void *other)
{
    const idv_setup_object_t *a = one, *b = other;
    int order = strcmp(a->name, b->name);

    return order ? order : strcmp(a->id, b->id);
}

/* Whether an application or workflow that OBJECT names has no name itself. */
static int has_lost_reference(const idv_setup_object_t *object,
                              const idv_setup_kind_t *kind)
{
    for (const idv_setup_field_t *field = kind->fields; field->name; field++)
        if ((field->type == IDV_SETUP_APPLICATION
             || field->type == IDV_SETUP_WORKFLOW)
            && json_is_string(json_object_get(object->listed, field->source))
            && json_is_null(json_object_get(object->form, field->name)))
            return 1;
    return 0;
}

/* Why OBJECT cannot be in a file; NULL: it can. */
static const char *obstacle(const idv_setup_kind_t *kind,
                            const idv_setup_object_t *object)
{
    json_int_t expires =
        json_integer_value(json_object_get(object->listed, "expires_at"));

    if (!object->is_managed)
        return object->unmanaged;
    if (expires && expires <= (json_int_t)idv_time_seconds(idv_time_now()))
        return "it has expired";
    if (has_lost_reference(object, kind))
        return "what it refers to has no name of its own";
    if (kind == idv_setup_trust_lists
        && json_is_null(json_object_get(object->form, "certificates")))
        return "its signed file is not kept; add it with file and signer";
    return NULL;
}

static idv_error_t *add_list(export_t *export, idv_setup_scope_t *scope,
                             const idv_setup_kind_t *kind, json_t *owner)
{
    apr_array_header_t *objects;
    json_t *list = json_array();

    json_object_set_new(owner, kind->name, list);
    IDV_TRY(idv_setup_objects(scope, kind, &objects));
    qsort(objects->elts, (size_t)objects->nelts, sizeof(idv_setup_object_t),
          by_name);
    for (int i = 0; i < objects->nelts; i++) {
        const idv_setup_object_t *object =
            &APR_ARRAY_IDX(objects, i, idv_setup_object_t);
        const char *why = obstacle(kind, object);

        if (why)
            remark(export, kind, object, why);
        else
            json_array_append_new(list, written(kind, object));
    }
    return NULL;
}

/* --- organizations --- */

static idv_error_t *add_organization(export_t *export,
                                     idv_setup_object_t *object, json_t *list)
{
    idv_setup_scope_t *scope = idv_setup_scope(export->call, object->id);
    json_t *owner;

    export->owner = NULL;
    if (!object->is_managed) {
        remark(export, &idv_setup_organization, object, object->unmanaged);
        return NULL;
    }
    export->owner = object->name;
    IDV_TRY(idv_setup_organization_form(export->call, object->id,
                                        &object->form));
    owner = written(&idv_setup_organization, object);
    json_array_append_new(list, owner);
    for (const idv_setup_kind_t *kind = idv_setup_kinds; kind->name; kind++)
        IDV_TRY(add_list(export, scope, kind, owner));
    export->owner = NULL;
    return NULL;
}

idv_error_t *idv_setup_export(const idv_call_t *call, const char *id,
                              json_t **root, apr_array_header_t **remarks)
{
    export_t export = {
        .call = call,
        .remarks = apr_array_make(call->pool, 4, sizeof(char *)),
    };
    json_t *list = json_array();
    apr_array_header_t *found;

    *remarks = export.remarks;
    *root = idv_json_own(json_object(), call->pool);
    json_object_set_new(*root, "organizations", list);
    IDV_TRY(idv_setup_organizations(call, NULL, &found));
    qsort(found->elts, (size_t)found->nelts, sizeof(idv_setup_object_t),
          by_name);
    for (int i = 0; i < found->nelts; i++) {
        idv_setup_object_t *object = &APR_ARRAY_IDX(found, i, idv_setup_object_t);

        if (!id || strcmp(id, object->id) == 0)
            IDV_TRY(add_organization(&export, object, list));
    }
    return id ? NULL
              : add_list(&export, idv_setup_scope(call, ""),
                         idv_setup_trust_lists, *root);
}
