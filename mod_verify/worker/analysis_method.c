/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/analysis_method.h"

#include <string.h>

#include "methods/document/document_decision.h"
#include "store/chip_record.h"
#include "store/evidence.h"
#include "worker/passport_analysis.h"
#include "worker/wallet_submission.h"

/* --- document_capture --- */

static const char *document_takes_too_long(void)
{
    return idv_document_hint_code(IDV_DOCUMENT_HINT_ANALYSIS_FAILED);
}

static idv_error_t *validate_document(idv_bytes_t findings, void **validated,
                                      apr_pool_t *pool)
{
    idv_document_findings_t *document;

    IDV_TRY(idv_document_findings_read((const char *)findings.data,
                                       findings.length, &document, pool));
    *validated = document;
    return NULL;
}

/* Non-zero when both sides are one file. */
static int is_same_picture_twice(const idv_analysis_request_t *request)
{
    const idv_bytes_t *front = &request->parts[0].bytes;
    const idv_bytes_t *back = &request->parts[1].bytes;

    return request->part_count > 1 && front->length == back->length
        && memcmp(front->data, back->data, front->length) == 0;
}

/* Where else the document of FINDINGS was seen; notes that it was seen here. */
static idv_error_t *look_back(idv_db_t *db, const idv_analysis_case_t *read,
                              const idv_document_findings_t *findings,
                              idv_document_sightings_t *seen, apr_pool_t *pool)
{
    idv_time_t kept = read->config->sighting_retention, now = idv_time_now();
    idv_document_sighting_t sighting = {
        .organization_id = read->session->organization_id,
        .session_id = read->session->id,
        .document = findings->document,
        .now = now,
        .since = now - kept,
    };

    if (!findings->readable)
        return NULL;
    seen->same_picture_twice = is_same_picture_twice(read->request);
    if (kept == 0)
        return NULL;
    for (int i = 0; i < read->request->part_count
                    && i < IDV_SIGHTING_PICTURES_MAX;
         i++)
        sighting.pictures[i] = read->request->parts[i].bytes;
    return idv_document_sighting_note(db, read->config->keys, &sighting, seen,
                                      pool);
}

static idv_error_t *decide_document(idv_db_t *db,
                                    const idv_analysis_case_t *read,
                                    const void *validated,
                                    idv_method_outcome_t **outcome,
                                    apr_pool_t *pool)
{
    const idv_document_findings_t *findings = validated;
    const idv_session_t *session = read->session;
    idv_document_rule_t rule = {
        .now = idv_time_now(),
        .jurisdiction = session->jurisdiction.resolved,
        .required_age = session->required_age,
        .born_before = session->compliance.born_before,
        .accept_test_issuers =
            read->config->accept_test_issuers || !session->livemode,
    };

    const idv_chip_place_t place = {read->config->keys, session,
                                    read->request->now};

    IDV_TRY(idv_printed_zone_put(db, &place, findings, pool));
    IDV_TRY(look_back(db, read, findings, &rule.seen, pool));
    return idv_document_decide(findings, &rule, outcome, pool);
}

/* --- the table --- */

static const idv_analysis_method_t methods[] = {
    {
        .method = IDV_METHOD_DOCUMENT_CAPTURE,
        .too_long_hint = document_takes_too_long,
        .validate = validate_document,
        .decide = decide_document,
    },
    {
        .method = IDV_METHOD_NFC_PASSPORT,
        .too_long_hint = idv_passport_takes_too_long,
        .complete = idv_passport_complete,
        .validate = idv_passport_validate,
        .decide = idv_passport_conclude,
        .answer = idv_passport_answer,
    },
    {
        .method = IDV_METHOD_MDL,
        .too_long_hint = idv_wallet_submission_unreadable,
        .complete = idv_wallet_submission_complete,
        .validate = idv_wallet_submission_validate,
        .decide = idv_wallet_submission_decide,
        .await = idv_wallet_submission_await,
    },
};

const idv_analysis_method_t *idv_analysis_method_find(const char *value)
{
    idv_method_t method = idv_method_parse(value);

    for (size_t i = 0; i < sizeof(methods) / sizeof(*methods); i++)
        if (methods[i].method == method)
            return &methods[i];
    return NULL;
}
