/* SPDX-License-Identifier: Apache-2.0 */
#include "store/method/review_fields.h"

#include <string.h>

#include "core/json.h"

#define NAME "document_fields"

static idv_evidence_place_t place_of(const idv_evidence_owner_t *owner)
{
    return (idv_evidence_place_t){owner->keyring, owner->session, NAME};
}

idv_error_t *idv_review_fields_seal(idv_db_t *db,
                                    const idv_evidence_owner_t *owner,
                                    const idv_document_findings_t *findings,
                                    idv_bytes_t *sealed, apr_pool_t *pool)
{
    const idv_evidence_place_t place = place_of(owner);
    apr_size_t length;
    const char *text;

    *sealed = (idv_bytes_t){NULL, 0};
    if (!findings->readable)
        return NULL;
    IDV_TRY(idv_document_findings_write(findings, &text, &length, pool));
    return idv_evidence_seal(
        db, &place, (idv_bytes_t){(const unsigned char *)text, length}, sealed,
        pool);
}

/* The findings that are stored; `resource_missing` if there are none. */
static idv_error_t *find_findings(idv_db_t *db,
                                  const idv_evidence_owner_t *owner,
                                  idv_bytes_t *text, apr_pool_t *pool)
{
    const idv_evidence_place_t place = place_of(owner);
    idv_bytes_t sealed = {NULL, 0};
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(
        db, IDV_SQL_DECISION_RECORD_FIELDS,
        IDV_DB_PARAMS(idv_db_text(owner->session->organization_id),
                      idv_db_text(owner->session->id)),
        &rows, pool));
    if (idv_db_rows(rows) && !idv_db_is_null(rows, 0, 0))
        sealed = idv_db_get_bytes(rows, 0, 0, pool);
    return sealed.length ? idv_evidence_unseal(db, &place, sealed, text, pool)
                         : idv_error_new(IDV_E_RESOURCE_MISSING, pool);
}

/* Where the code is; unknown if an older release has STORED the findings. */
static idv_error_t *find_area(const json_t *stored, idv_document_area_t *area,
                              apr_pool_t *pool)
{
    idv_findings_reading_t reading = {stored, NULL, pool};

    *area = (idv_document_area_t){.side = IDV_DOCUMENT_SIDE_NONE};
    if (json_object_get(stored, "area"))
        idv_document_area_read(&reading, stored, area);
    return idv_findings_end(&reading);
}

/* The picture that shows a code whose area is unknown: the back, unless only one was
 * sent. */
static idv_error_t *find_side(idv_db_t *db, const idv_session_t *session,
                              idv_document_source_t source, const char **side,
                              apr_pool_t *pool)
{
    const char *const *names;

    *side = "front";
    if (!idv_document_source_is_on_back(source))
        return NULL;
    IDV_TRY(idv_evidence_names(db, session, &names, pool));
    for (; *names; names++)
        if (strcmp(*names, "back") == 0)
            *side = "back";
    return NULL;
}

idv_error_t *idv_review_fields_find(idv_db_t *db,
                                    const idv_evidence_owner_t *owner,
                                    json_t **fields, apr_pool_t *pool)
{
    idv_document_area_t area;
    const char *side, *code;
    idv_bytes_t text;
    json_t *stored;
    int source;

    IDV_TRY(find_findings(db, owner, &text, pool));
    /* The seal proves that they were checked when they were stored. An older
     * release may have stored them, with other members. */
    stored = idv_json_own(json_loadb((const char *)text.data, text.length, 0,
                                     NULL),
                          pool);
    code = json_string_value(json_object_get(stored, "source"));
    source = code ? idv_document_source_find(code) : -1;
    if (source < 0)
        return idv_error_internal(pool, "malformed fields");
    IDV_TRY(find_area(stored, &area, pool));
    side = idv_document_side_code(area.side);
    if (!side)
        IDV_TRY(find_side(db, owner->session, source, &side, pool));
    *fields = idv_json_own(
        json_pack("{s:s, s:s, s:O, s:O, s:o}", "source", code, "side", side,
                  "fields", json_object_get(stored, "document"), "print",
                  json_object_get(stored, "print"), "places",
                  idv_document_area_places(source, &area)),
        pool);
    return *fields ? NULL : idv_error_internal(pool, "malformed fields");
}
