/* SPDX-License-Identifier: Apache-2.0 */
#include "store/method/review_fields.h"

#include <string.h>

#include <apr_strings.h>

#include "core/json.h"
#include "domain/method/method.h"

#define NAME "document_fields"

static idv_evidence_place_t place_of(const idv_evidence_owner_t *owner)
{
    return (idv_evidence_place_t){owner->keyring, owner->session, NAME};
}

static idv_error_t *seal(idv_db_t *db, const idv_evidence_owner_t *owner,
                         const char *text, idv_bytes_t *sealed, apr_pool_t *pool)
{
    const idv_evidence_place_t place = place_of(owner);
    const idv_bytes_t plain = {(const unsigned char *)text, strlen(text)};

    return idv_evidence_seal(db, &place, plain, sealed, pool);
}

idv_error_t *idv_review_fields_seal(idv_db_t *db,
                                    const idv_evidence_owner_t *owner,
                                    const idv_document_findings_t *findings,
                                    idv_bytes_t *sealed, apr_pool_t *pool)
{
    apr_size_t length;
    const char *text;

    *sealed = (idv_bytes_t){NULL, 0};
    if (!findings->readable)
        return NULL;
    IDV_TRY(idv_document_findings_write(findings, &text, &length, pool));
    return seal(db, owner, text, sealed, pool);
}

idv_error_t *idv_review_fields_seal_chip(idv_db_t *db,
                                         const idv_evidence_owner_t *owner,
                                         const idv_document_t *document,
                                         idv_bytes_t *sealed, apr_pool_t *pool)
{
    const idv_document_findings_t findings = {.readable = document != NULL,
                                              .readers_agree = 1,
                                              .confidence = 1,
                                              .document = document};

    return idv_review_fields_seal(db, owner, &findings, sealed, pool);
}

static json_t *date_or_null(idv_date_t date)
{
    char text[IDV_DATE_TEXT_SIZE];

    return date.year ? json_string(idv_date_format(date, text)) : json_null();
}

static json_t *ages_json(const idv_mdl_findings_t *findings, apr_pool_t *pool)
{
    json_t *ages = json_object();

    for (int i = 0; i < findings->ages->nelts; i++) {
        const idv_mdl_age_t *age =
            &APR_ARRAY_IDX(findings->ages, i, idv_mdl_age_t);

        json_object_set_new(ages, apr_itoa(pool, age->over),
                            json_boolean(age->is_true));
    }
    return ages;
}

idv_error_t *idv_review_fields_seal_wallet(idv_db_t *db,
                                           const idv_evidence_owner_t *owner,
                                           const idv_mdl_findings_t *findings,
                                           idv_method_outcome_t *outcome,
                                           apr_pool_t *pool)
{
    const idv_mdl_person_t *person = &findings->person;
    const char *issuer = outcome->document.issuer, *text;
    const char *dash = issuer ? strchr(issuer, '-') : NULL;
    json_t *fields;

    if (!idv_mdl_is_proved(findings))
        return NULL;
    fields = json_pack(
        "{s:{s:s?, s:s?, s:s?, s:s?, s:s?, s:s?, s:s?, s:o, s:o, s:o}, s:o}",
        "document", "kind", outcome->document.kind, "issuing_country",
        dash ? apr_pstrndup(pool, issuer, (apr_size_t)(dash - issuer)) : issuer,
        "issuing_region", dash ? dash + 1 : NULL, "issuing_authority",
        person->issuing_authority, "number", person->document_number, "surname",
        person->family_name, "given_names", person->given_name, "date_of_birth",
        date_or_null(person->birth_date), "date_of_expiry",
        date_or_null(person->expiry_date), "date_of_issue",
        date_or_null(person->issue_date), "ages", ages_json(findings, pool));
    text = idv_json_text(idv_json_own(fields, pool), pool);
    return text ? seal(db, owner, text, &outcome->sealed_fields, pool)
                : idv_error_internal(pool, "no memory for fields");
}

/* What is SEALED. The seal proves that it was checked when it was stored. An older release
 * may have stored it, with other members. */
static idv_error_t *open_fields(idv_db_t *db, const idv_evidence_owner_t *owner,
                                idv_bytes_t sealed, json_t **stored,
                                apr_pool_t *pool)
{
    const idv_evidence_place_t place = place_of(owner);
    idv_bytes_t text;

    IDV_TRY(idv_evidence_unseal(db, &place, sealed, &text, pool));
    *stored = idv_json_own(
        json_loadb((const char *)text.data, text.length, 0, NULL), pool);
    return *stored ? NULL : idv_error_internal(pool, "malformed fields");
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

/* Adds the photographed document that is STORED to FIELDS. */
static idv_error_t *add_photographed(idv_db_t *db,
                                     const idv_evidence_owner_t *owner,
                                     const json_t *stored, json_t *fields,
                                     apr_pool_t *pool)
{
    const char *side, *code = json_string_value(json_object_get(stored, "source"));
    int source = code ? idv_document_source_find(code) : -1;
    idv_document_area_t area;

    if (source < 0)
        return idv_error_internal(pool, "malformed fields");
    IDV_TRY(find_area(stored, &area, pool));
    side = idv_document_side_code(area.side);
    if (!side)
        IDV_TRY(find_side(db, owner->session, source, &side, pool));
    json_object_set_new(fields, "source", json_string(code));
    json_object_set_new(fields, "side", json_string(side));
    json_object_set(fields, "fields", json_object_get(stored, "document"));
    json_object_set(fields, "print", json_object_get(stored, "print"));
    json_object_set_new(fields, "places",
                        idv_document_area_places(source, &area));
    return NULL;
}

idv_error_t *idv_review_fields_find(idv_db_t *db,
                                    const idv_evidence_owner_t *owner,
                                    json_t **fields, apr_pool_t *pool)
{
    json_t *found = idv_json_own(
        json_pack("{s:n, s:n, s:n, s:n, s:n, s:[]}", "source", "side", "fields",
                  "print", "places", "signed"),
        pool);
    int count = 0;
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(
        db, IDV_SQL_DECISION_RECORD_FIELDS,
        IDV_DB_PARAMS(idv_db_text(owner->session->organization_id),
                      idv_db_text(owner->session->id)),
        &rows, pool));
    for (int row = 0; row < idv_db_rows(rows); row++) {
        const char *method = idv_db_get_text(rows, row, 0);
        json_t *stored;

        if (idv_db_is_null(rows, row, 1))
            continue;
        count++;
        IDV_TRY(open_fields(db, owner, idv_db_get_bytes(rows, row, 1, pool),
                            &stored, pool));
        if (idv_method_parse(method) == IDV_METHOD_DOCUMENT_CAPTURE)
            IDV_TRY(add_photographed(db, owner, stored, found, pool));
        else
            json_array_append_new(
                json_object_get(found, "signed"),
                json_pack("{s:s, s:O, s:O?}", "method", method, "fields",
                          json_object_get(stored, "document"), "ages",
                          json_object_get(stored, "ages")));
    }
    *fields = found;
    return count ? NULL : idv_error_new(IDV_E_RESOURCE_MISSING, pool);
}
