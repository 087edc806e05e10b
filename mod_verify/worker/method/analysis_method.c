/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/method/analysis_method.h"

#include <string.h>

#include "domain/session/session_results.h"
#include "methods/document/document_decision.h"
#include "methods/face/face_decision.h"
#include "store/method/review_fields.h"
#include "store/method/chip_record.h"
#include "store/method/evidence.h"
#include "store/method/liveness.h"
#include "worker/method/passport_analysis.h"
#include "worker/method/wallet_submission.h"

/* --- document_capture --- */

/* How many unreadable documents a step may have had before a picture that does not
 * show the whole document is accepted; fewer in a step that allows no more. */
#define TRIES_FOR_WHOLE 2

static int tries_for_whole(const idv_analysis_case_t *read)
{
    const idv_workflow_node_t *node =
        read->workflow
            ? idv_workflow_node(read->workflow, read->session->runner.node)
            : NULL;

    return node && node->max_unreadable <= TRIES_FOR_WHOLE
             ? node->max_unreadable - 1 : TRIES_FOR_WHOLE;
}

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
        .accept_cut = session->runner.unreadable >= tries_for_whole(read),
        .accept_test_issuers =
            read->config->accept_test_issuers || !session->livemode,
    };

    const idv_chip_place_t place = {read->config->keys, session,
                                    read->request->now};

    IDV_TRY(idv_printed_zone_put(db, &place, findings, pool));
    IDV_TRY(look_back(db, read, findings, &rule.seen, pool));
    IDV_TRY(idv_document_decide(findings, &rule, outcome, pool));
    return idv_review_fields_seal(
        db,
        &(const idv_evidence_owner_t){.keyring = read->config->keys,
                                      .session = session},
        findings, &(*outcome)->sealed_fields, pool);
}

/* --- selfie_liveness, selfie_match --- */

static const char *face_takes_too_long(void)
{
    return idv_face_hint_code(IDV_FACE_HINT_ANALYSIS_FAILED);
}

static idv_error_t *validate_face(idv_bytes_t findings, void **validated,
                                  apr_pool_t *pool)
{
    idv_face_findings_t *face;

    IDV_TRY(idv_face_findings_read(findings, &face, pool));
    *validated = face;
    return NULL;
}

/* Whether a picture of the challenge was sent before it, or twice in it; notes
 * that they were sent now. */
static idv_error_t *look_for_repeats(idv_db_t *db,
                                     const idv_analysis_case_t *read,
                                     const idv_liveness_record_t *record,
                                     int *repeated, apr_pool_t *pool)
{
    idv_bytes_t pictures[IDV_LIVENESS_PARTS];
    idv_frame_sighting_t sighting = {.session = read->session,
                                     .pictures = pictures,
                                     .begun = record->created,
                                     .now = idv_time_now()};

    sighting.since = sighting.now - read->config->sighting_retention;
    *repeated = 0;
    for (int i = 0; i < read->request->part_count; i++) {
        idv_bytes_t bytes = read->request->parts[i].bytes;

        if (idv_liveness_part_index(read->request->parts[i].name) < 0)
            continue;
        for (int k = 0; k < sighting.count; k++)
            *repeated |= pictures[k].length == bytes.length
                      && memcmp(pictures[k].data, bytes.data, bytes.length) == 0;
        pictures[sighting.count++] = bytes;
    }
    if (*repeated || read->config->sighting_retention == 0)
        return NULL;
    return idv_frame_sighting_note(db, read->config->keys, &sighting, repeated,
                                   pool);
}

/* The verdict of this service, and of the provider if it was asked, on the
 * challenge RECORD, to which the pictures of READ belong. */
static idv_error_t *judge_challenge(idv_db_t *db,
                                    const idv_analysis_case_t *read,
                                    const idv_face_findings_t *findings,
                                    const idv_liveness_record_t *record,
                                    idv_method_outcome_t **outcome)
{
    apr_pool_t *pool = findings->pool;
    idv_liveness_rule_t rule = {.challenge = &record->challenge,
                                .assisted = record->assisted,
                                .provider = read->provider};

    IDV_TRY(
        look_for_repeats(db, read, record, &rule.frames_repeated, pool));
    return idv_liveness_decide(findings, &rule, outcome, pool);
}

/* The outcome of the challenge RECORD. Where a provider is configured that was
 * not asked, because the person has not agreed to it, nothing is decided. */
static idv_error_t *decide_challenge(idv_db_t *db,
                                     const idv_analysis_case_t *read,
                                     const idv_face_findings_t *findings,
                                     const idv_liveness_record_t *record,
                                     idv_method_outcome_t **outcome)
{
    idv_analysis_case_t answered = *read;
    idv_provider_answer_t missing;

    if (!read->provider && read->config->liveness_provider) {
        idv_provider_answer_missing("was not asked", &missing);
        answered.provider = &missing;
    }
    return judge_challenge(db, &answered, findings, record, outcome);
}

static idv_error_t *find_challenge(idv_db_t *db,
                                   const idv_analysis_case_t *read,
                                   idv_liveness_record_t **record,
                                   apr_pool_t *pool)
{
    IDV_TRY(idv_liveness_find(db, read->session, record, pool));
    return *record ? NULL
                   : idv_error_internal(pool, "%s has no challenge",
                                        read->session->id);
}

/* All pictures of the challenge, as they came. */
static void collect_pictures(const idv_analysis_case_t *read,
                             const idv_liveness_record_t *record,
                             idv_provider_evidence_t *evidence,
                             apr_pool_t *pool)
{
    const idv_analysis_request_t *request = read->request;
    idv_provider_picture_t *pictures =
        apr_pcalloc(pool, IDV_LIVENESS_PARTS * sizeof(*pictures));

    evidence->challenge = &record->challenge;
    evidence->pictures = pictures;
    evidence->count = 0;
    for (int i = 0;
         i < request->part_count && evidence->count < IDV_LIVENESS_PARTS; i++)
        if (idv_liveness_part_index(request->parts[i].name) >= 0)
            pictures[evidence->count++] = (idv_provider_picture_t){
                request->parts[i].name, request->parts[i].bytes};
}

/* The provider is asked of what this service would pass by itself, and only when
 * the person's consent has named it. */
static idv_error_t *consult_provider(idv_db_t *db,
                                     const idv_analysis_case_t *read,
                                     const void *validated,
                                     idv_provider_evidence_t *evidence,
                                     apr_pool_t *pool)
{
    const idv_liveness_provider_config_t *provider =
        read->config->liveness_provider;
    const idv_face_findings_t *findings = validated;
    idv_method_outcome_t *outcome;
    idv_liveness_record_t *record;

    if (!provider || findings->frame_count != IDV_LIVENESS_PARTS)
        return NULL;
    IDV_TRY(find_challenge(db, read, &record, pool));
    if (!record->provider || strcmp(record->provider, provider->name) != 0)
        return NULL;
    IDV_TRY(judge_challenge(db, read, findings, record, &outcome));
    if (outcome->verdict == IDV_METHOD_PASSED)
        collect_pictures(read, record, evidence, pool);
    return NULL;
}

static idv_error_t *decide_liveness(idv_db_t *db,
                                    const idv_analysis_case_t *read,
                                    const void *validated,
                                    idv_method_outcome_t **outcome,
                                    apr_pool_t *pool)
{
    idv_liveness_record_t *record;

    IDV_TRY(find_challenge(db, read, &record, pool));
    IDV_TRY(decide_challenge(db, read, validated, record, outcome));
    if ((*outcome)->verdict == IDV_METHOD_PASSED)
        IDV_TRY(idv_liveness_pass(db, read->session, record, pool));
    return NULL;
}

/* The assurance of the evidence that contains the portrait of FINDINGS, if the
 * session's facts come from it. */
static idv_assurance_t worth_of_portrait(const idv_session_t *session,
                                         const idv_face_findings_t *findings)
{
    const char *name = idv_portrait_source_part(findings->reference.source);
    const idv_evidence_part_t *part = name ? idv_evidence_part_find(name) : NULL;
    const idv_session_result_t *best =
        idv_session_results_best(session->results, findings->pool);

    return part && best && best->method
                && idv_method_parse(best->method) == part->method
             ? best->assurance
             : IDV_ASSURANCE_NONE;
}

/* Without a challenge that was passed before, the match has one of its own,
 * which has to be passed first. */
static idv_error_t *decide_match(idv_db_t *db, const idv_analysis_case_t *read,
                                 const void *validated,
                                 idv_method_outcome_t **outcome,
                                 apr_pool_t *pool)
{
    const idv_face_findings_t *findings = validated;
    idv_liveness_record_t *record;

    IDV_TRY(find_challenge(db, read, &record, pool));
    if (findings->frame_count == IDV_LIVENESS_PARTS) {
        IDV_TRY(decide_challenge(db, read, findings, record, outcome));
        if ((*outcome)->verdict != IDV_METHOD_PASSED)
            return NULL;
    } else if (!record->passed) {
        return idv_liveness_refuse(outcome, pool);
    }
    return idv_face_match_decide(
        findings, worth_of_portrait(read->session, findings), outcome, pool);
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
        .lists = idv_passport_lists,
    },
    {
        .method = IDV_METHOD_MDL,
        .too_long_hint = idv_wallet_submission_unreadable,
        .complete = idv_wallet_submission_complete,
        .validate = idv_wallet_submission_validate,
        .decide = idv_wallet_submission_decide,
        .answer = idv_wallet_submission_answer,
        .leave = idv_wallet_submission_leave,
        .await = idv_wallet_submission_await,
        .lists = idv_wallet_submission_lists,
    },
    {
        .method = IDV_METHOD_SELFIE_LIVENESS,
        .too_long_hint = face_takes_too_long,
        .validate = validate_face,
        .consult = consult_provider,
        .decide = decide_liveness,
    },
    {
        .method = IDV_METHOD_SELFIE_MATCH,
        .too_long_hint = face_takes_too_long,
        .validate = validate_face,
        .consult = consult_provider,
        .decide = decide_match,
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

void idv_analysis_count_deviations(idv_method_t method,
                                   const idv_method_outcome_t *outcome,
                                   idv_statistics_t *statistics)
{
    if (method == IDV_METHOD_NFC_PASSPORT)
        idv_deviations_count(outcome, statistics->deviations);
    if (method == IDV_METHOD_MDL)
        idv_mdl_deviations_count(outcome, statistics->wallet_deviations);
}
