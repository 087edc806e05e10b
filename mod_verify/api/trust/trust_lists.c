/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /dashboard/v1/organizations/:org/trust_lists: trusted issuers, in the
 * organization's lists and in those that apply to all; …/:id: every edition of
 * one. They are read-only here. Lists are imported at the server's shell, where
 * their signers are checked (verifyctl trust).
 */
#include <string.h>

#include "api/http/response.h"
#include "store/trust/expiry.h"
#include "store/trust/trust_list.h"

/* Expiring certificates that are searched for a page. */
#define ENDING_MAX 1000

typedef struct {
    const char *organization_id;
    const char *id; /* NULL: the current edition of every list */
    idv_time_t now;
    apr_array_header_t *records; /* of idv_trust_record_t */
    apr_array_header_t *ending;  /* of idv_expiring_t */
} look_t;

static int holds_for(const idv_trust_record_t *record,
                     const char *organization_id)
{
    return !*record->organization_id
        || strcmp(record->organization_id, organization_id) == 0;
}

static idv_error_t *find(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    look_t *look = baton;

    IDV_TRY(idv_expiring_list(db, look->now, ENDING_MAX, &look->ending, pool));
    if (!look->id)
        return idv_trust_list_current(db, look->organization_id, &look->records,
                                      pool);
    IDV_TRY(idv_trust_list_versions(db, look->id, &look->records, pool));
    if (look->records->nelts == 0
        || !holds_for(&APR_ARRAY_IDX(look->records, 0, idv_trust_record_t),
                      look->organization_id))
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    return NULL;
}

/* The certificates of the list ID that end soon, or NULL. */
static const idv_expiring_t *certificates_ending(const look_t *look,
                                                 const char *id)
{
    for (int i = 0; i < look->ending->nelts; i++) {
        const idv_expiring_t *item =
            &APR_ARRAY_IDX(look->ending, i, idv_expiring_t);

        if (item->kind == IDV_EXPIRING_CERTIFICATES
            && strcmp(item->id, id) == 0)
            return item;
    }
    return NULL;
}

static const char *status_of(const idv_trust_record_t *record, idv_time_t now)
{
    if (!record->is_current)
        return "replaced";
    return idv_expiry_state_value(idv_expiry_of_list(
        record->version.issued, record->version.next_update, now));
}

static void write_record(idv_json_writer_t *page, const look_t *look,
                         const idv_trust_record_t *record)
{
    const idv_trust_version_t *version = &record->version;
    const idv_expiring_t *ending =
        record->is_current ? certificates_ending(look, version->list_id) : NULL;

    idv_json_open_object(page, NULL);
    idv_json_put_text(page, "id", version->list_id);
    idv_json_put_text(page, "object", "trust_list");
    idv_json_put_text(page, "version_id", version->version_id);
    idv_json_put_text(page, "organization_id",
                      *record->organization_id ? record->organization_id
                                               : NULL);
    idv_json_put_text(page, "kind", idv_trust_kind_value(version->kind));
    idv_json_put_text(page, "name", version->name);
    idv_json_put_text(page, "status", status_of(record, look->now));
    idv_json_put_positive(page, "sequence", version->sequence);
    idv_json_put_seconds(page, "issued_at", version->issued);
    idv_json_put_seconds(page, "next_update", version->next_update);
    idv_json_put_integer(page, "certificates", record->certificate_count);
    idv_json_put_integer(page, "passed_over", record->passed_over);
    idv_json_put_integer(page, "certificates_ending",
                         ending ? ending->certificates : 0);
    idv_json_put_seconds(page, "first_end", ending ? ending->ends : 0);
    idv_json_put_text(page, "digest", record->digest);
    idv_json_put_text(page, "signer", record->signer);
    idv_json_put_seconds(page, "imported", version->imported);
    idv_json_close_object(page);
}

static idv_error_t *respond(idv_request_t *request, const char *id)
{
    look_t look = {.organization_id = request->organization_id,
                   .id = id,
                   .now = request->now};
    idv_json_writer_t page;

    IDV_TRY(idv_request_no_parameters(request));
    IDV_TRY(idv_request_with_database(request, find, &look));
    idv_page_open(request, 0, &page);
    for (int i = 0; i < look.records->nelts; i++)
        write_record(&page, &look,
                     &APR_ARRAY_IDX(look.records, i, idv_trust_record_t));
    return idv_page_close(request, &page);
}

idv_error_t *idv_trust_list_api_list(idv_request_t *request)
{
    return respond(request, NULL);
}

idv_error_t *idv_trust_list_version_api_list(idv_request_t *request)
{
    return respond(request, idv_request_path(request, "id"));
}
