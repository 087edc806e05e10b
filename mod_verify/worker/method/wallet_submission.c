/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/method/wallet_submission.h"

#include <string.h>

#include "methods/mdl/mdl_decision.h"
#include "store/account/organization.h"
#include "store/method/evidence.h"
#include "store/method/mdl_request_record.h"
#include "store/method/review_fields.h"
#include "store/trust/trust_list.h"
#include "worker/method/mdl_revocation.h"

#define CLIENT_ERROR_END 500 /* the HTTP status of what is not ours */

const char *idv_wallet_submission_unreadable(void)
{
    return idv_mdl_error(IDV_MDL_ERROR_UNREADABLE)->code;
}

/* --- before the analysis --- */

/* The anchors of the organization, each with the list in which it stands. */
static idv_error_t *add_anchors(idv_db_t *db, const idv_session_t *session,
                                idv_mdl_request_t *request, apr_pool_t *pool)
{
    idv_trust_anchor_t *anchors;
    idv_trust_anchors_t *trusted;
    int count;

    IDV_TRY(idv_trust_anchors_find(db, session->organization_id,
                                   IDV_TRUST_FOR_WALLETS, &trusted, pool));
    count = trusted->entry_count;
    if (count > IDV_MDL_ANCHORS_MAX)
        return idv_error_internal(pool, "more than %d certificates are trusted",
                                  IDV_MDL_ANCHORS_MAX);
    anchors = apr_pcalloc(pool, (apr_size_t)(count + 1) * sizeof(*anchors));
    for (int i = 0; i < count; i++) {
        const idv_trust_anchor_entry_t *entry = &trusted->entries[i];

        anchors[i].certificate = entry->trusted.certificate;
        anchors[i].is_signer = entry->trusted.is_signer;
        anchors[i].is_pinned =
            entry->version->kind == IDV_TRUST_SANDBOX_SIGNER;
        anchors[i].doc_types = entry->trusted.doc_types;
        anchors[i].doc_type_count = entry->trusted.doc_type_count;
        anchors[i].list = idv_trust_source(entry->version, pool);
    }
    request->trust.anchors = anchors;
    request->trust.anchor_count = count;
    return NULL;
}

static idv_error_t *add_part(idv_analysis_request_t *request, const char *name,
                             idv_bytes_t bytes, apr_pool_t *pool)
{
    if (request->part_count >= IDV_ANALYZE_PARTS_MAX)
        return idv_error_internal(pool, "a submission with too many parts");
    request->parts[request->part_count++] = (idv_analysis_part_t){name, bytes};
    return NULL;
}

/* The original request, and the trusted certificates. */
static idv_error_t *add_request(idv_db_t *db, const idv_analysis_case_t *read,
                                const idv_mdl_request_record_t *record,
                                idv_analysis_request_t *request,
                                apr_pool_t *pool)
{
    const idv_session_t *session = read->session;
    idv_mdl_request_t *asked;
    const char *text;
    apr_size_t length;

    IDV_TRY(idv_mdl_request_unseal(
        db,
        &(const idv_mdl_request_place_t){.keyring = read->config->keys,
                                         .session = session,
                                         .now = request->now},
        record, &asked, pool));
    IDV_TRY(add_anchors(db, session, asked, pool));
    IDV_TRY(idv_mdl_request_write(asked, &text, &length, pool));
    return add_part(request, IDV_MDL_PART_REQUEST,
                    (idv_bytes_t){(const unsigned char *)text, length}, pool);
}

/* The form whose offer READ is about; NULL: it is no longer wanted, since the
 * session went on without it or has moved. */
static idv_error_t *find_offer(idv_db_t *db, const idv_analysis_case_t *read,
                               idv_mdl_request_record_t **record,
                               apr_pool_t *pool)
{
    idv_error_t *error = idv_mdl_request_of_job(db, read->session, read->job,
                                                record, pool);

    if (!error || error->code != IDV_E_RESOURCE_MISSING)
        return error;
    *record = NULL;
    return NULL;
}

static idv_error_t *complete_offer(idv_db_t *db,
                                   const idv_analysis_case_t *read,
                                   idv_analysis_request_t *request,
                                   apr_pool_t *pool)
{
    idv_mdl_request_record_t *record;
    idv_bytes_t bytes;

    IDV_TRY(find_offer(db, read, &record, pool));
    if (!record)
        return NULL;
    IDV_TRY(idv_mdl_request_offered(
        db,
        &(const idv_mdl_request_place_t){.keyring = read->config->keys,
                                         .session = read->session},
        record, &bytes, pool));
    IDV_TRY(add_part(request, IDV_MDL_PART_RESPONSE, bytes, pool));
    return add_request(db, read, record, request, pool);
}

idv_error_t *idv_wallet_submission_complete(
    idv_db_t *db, const idv_analysis_case_t *submitted,
    idv_analysis_request_t *request, apr_pool_t *pool)
{
    idv_mdl_request_record_t *record;

    if (submitted->is_question)
        return complete_offer(db, submitted, request, pool);
    if (idv_mdl_request_of_submission(db, submitted->session,
                                      submitted->submission, &record, pool))
        return idv_error_internal(pool, "a response without its request");
    return add_request(db, submitted, record, request, pool);
}

/* --- what a link has brought --- */

/* An offer, on its way to become the answer. */
typedef struct {
    const idv_analysis_case_t *read;
    const idv_mdl_request_record_t *record;
    idv_time_t now;
} offer_t;

/* The condition of the submission. */
static idv_error_t *take_offer(idv_db_t *db, void *baton,
                               idv_session_record_t *after, apr_pool_t *pool)
{
    const offer_t *offer = baton;
    const idv_analysis_request_t *request = offer->read->request;
    idv_mdl_answer_t answer = {.record = offer->record, .now = offer->now};

    for (int i = 0; i < request->part_count; i++)
        if (strcmp(request->parts[i].name, IDV_MDL_PART_RESPONSE) == 0)
            answer.bytes = request->parts[i].bytes;
    return idv_mdl_request_answer(db, offer->read->config->keys, after->session,
                                  &answer, pool);
}

static idv_error_t *submit_offer(idv_db_t *db, offer_t *offer,
                                 idv_session_queued_t *queued, apr_pool_t *pool)
{
    static const idv_session_input_t input = {.type = IDV_INPUT_SUBMIT,
                                              .method = IDV_METHOD_MDL};
    const idv_watchdog_config_t *config = offer->read->config;
    const idv_session_t *session = offer->read->session;
    idv_session_transition_result_t result;

    IDV_TRY(idv_session_transition(
        db,
        &(idv_session_transition_t){
            .scope = {.organization_id = session->organization_id},
            .session_id = session->id,
            .input = &input,
            .condition = take_offer,
            .baton = offer,
            .now = offer->now,
            .keyring = config->keys,
            .risk_policy = config->risk_policy,
            .compliance = config->compliance,
        },
        &result, pool));
    *queued = result.queued;
    return NULL;
}

/* Findings that cannot be believed are those of something that has taken the
 * reader over. */
idv_error_t *idv_wallet_submission_answer(idv_db_t *db,
                                          const idv_analysis_case_t *read,
                                          idv_bytes_t findings,
                                          idv_session_queued_t *queued,
                                          apr_pool_t *pool)
{
    offer_t offer = {.read = read, .now = idv_time_now()};
    idv_mdl_request_record_t *record;
    idv_mdl_findings_t *found;
    idv_error_t *error;

    if (idv_mdl_findings_read((const char *)findings.data, findings.length,
                              &found, pool))
        return idv_mdl_request_decline(db, read->session, read->job, 1, pool);
    if (idv_mdl_declined(found) != IDV_MDL_REASON_NONE)
        return idv_mdl_request_note_declined(
            db, read->session, read->job,
            idv_mdl_reason_code(idv_mdl_declined(found)), pool);
    if (!idv_mdl_is_answer(found))
        return idv_mdl_request_decline(db, read->session, read->job, 1, pool);
    IDV_TRY(find_offer(db, read, &record, pool));
    if (!record)
        return NULL;
    offer.record = record;
    error = submit_offer(db, &offer, queued, pool);
    /* The session does not wait for it any more. */
    if (error && idv_error_info(error->code)->status < CLIENT_ERROR_END)
        return idv_mdl_request_decline(db, read->session, read->job, 0, pool);
    return error;
}

idv_error_t *idv_wallet_submission_leave(idv_db_t *db,
                                         const idv_analysis_case_t *read,
                                         apr_pool_t *pool)
{
    return idv_mdl_request_decline(db, read->session, read->job, 1, pool);
}

/* --- after it --- */

idv_error_t *idv_wallet_submission_validate(idv_bytes_t findings,
                                            void **validated, apr_pool_t *pool)
{
    idv_mdl_findings_t *found;

    IDV_TRY(idv_mdl_findings_read((const char *)findings.data, findings.length,
                                  &found, pool));
    *validated = found;
    return NULL;
}

/* The list that holds the authority which was found, or all that were looked
 * through for one. */
static idv_error_t *note_basis(idv_db_t *db, const idv_analysis_case_t *read,
                               const idv_mdl_findings_t *findings,
                               idv_method_outcome_t *outcome, apr_pool_t *pool)
{
    idv_method_basis_t *basis;

    if (!findings->anchor_fingerprint || !findings->anchor_list)
        return idv_trust_basis_find(
            db,
            &(const idv_trust_query_t){.organization_id =
                                           read->session->organization_id,
                                       .purpose = IDV_TRUST_FOR_WALLETS},
            &outcome->basis, &outcome->basis_count, pool);
    basis = apr_palloc(pool, sizeof(*basis));
    *basis = (idv_method_basis_t){"trust_list", findings->anchor_fingerprint,
                                  findings->anchor_list};
    outcome->basis = basis;
    outcome->basis_count = 1;
    return NULL;
}

/* Why an outcome is refused: the reason of the first check that did not pass;
 * NULL: it is not. */
static const char *refusal_of(const idv_method_outcome_t *outcome)
{
    if (outcome->verdict == IDV_METHOD_PASSED
        || outcome->verdict == IDV_METHOD_UNDETERMINED)
        return NULL;
    for (int i = 0; i < outcome->check_count; i++)
        if (outcome->checks[i].reason && !outcome->checks[i].is_silent)
            return outcome->checks[i].reason;
    return outcome->hint;
}

int idv_wallet_submission_lists(
    const void *validated, const char *addresses[IDV_REVOCATION_ADDRESSES_MAX])
{
    return idv_mdl_revocation_lists(validated, addresses);
}

/* Adds the current status in the issuer's lists. */
static idv_error_t *add_revocation(idv_db_t *db, const idv_session_t *session,
                                   const idv_mdl_findings_t *findings,
                                   idv_mdl_rule_t *rule, apr_pool_t *pool)
{
    idv_mdl_revocation_t revocation;
    idv_trust_anchors_t *anchors;

    if (!findings->status_list_address && !findings->identifier_list_address
        && findings->crl_addresses->nelts == 0)
        return NULL;
    IDV_TRY(idv_trust_anchors_find(db, session->organization_id,
                                   IDV_TRUST_FOR_WALLETS, &anchors, pool));
    IDV_TRY(idv_mdl_revocation_find(
        db,
        &(const idv_mdl_revocation_question_t){
            .findings = findings, .anchors = anchors, .now = rule->now},
        &revocation, pool));
    rule->issuer_revocation = revocation.issuer;
    rule->credential_status = revocation.document;
    return NULL;
}

/* The portrait of an answer that was accepted, for a match that comes after; that
 * of an earlier answer is nobody's who showed this one. */
static idv_error_t *keep_portrait(idv_db_t *db, const idv_analysis_case_t *read,
                                  const idv_mdl_findings_t *findings,
                                  apr_pool_t *pool)
{
    static const char *const names[] = {IDV_MDL_PART_PORTRAIT};
    const idv_evidence_t portrait = {IDV_MDL_PART_PORTRAIT,
                                     "application/octet-stream",
                                     findings->person.portrait};

    if (!idv_method_list_has(&read->session->methods, IDV_METHOD_SELFIE_MATCH))
        return NULL;
    return portrait.bytes.length
             ? idv_evidence_put(db, read->config->keys, read->session,
                                &portrait, pool)
             : idv_evidence_remove(db, read->session, names, 1, pool);
}

idv_error_t *idv_wallet_submission_decide(idv_db_t *db,
                                          const idv_analysis_case_t *read,
                                          const void *validated,
                                          idv_method_outcome_t **outcome,
                                          apr_pool_t *pool)
{
    const idv_session_t *session = read->session;
    idv_mdl_rule_t rule = {
        .now = read->request->now,
        .jurisdiction = session->jurisdiction.resolved,
        .required_age = session->required_age,
        .requires_identity = session->type != IDV_SESSION_TYPE_AGE,
    };
    const char *refusal;

    IDV_TRY(idv_organization_trust_policy(db, session->organization_id,
                                          &rule.doubts_deviations, pool));
    IDV_TRY(add_revocation(db, session, validated, &rule, pool));
    IDV_TRY(idv_mdl_decide(validated, &rule, outcome, pool));
    IDV_TRY(note_basis(db, read, validated, *outcome, pool));
    IDV_TRY(idv_review_fields_seal_wallet(
        db,
        &(const idv_evidence_owner_t){.keyring = read->config->keys,
                                      .session = session},
        validated, *outcome, pool));
    refusal = refusal_of(*outcome);
    if (!refusal)
        IDV_TRY(keep_portrait(db, read, validated, pool));
    return idv_mdl_request_settle(
        db, session,
        &(const idv_mdl_settlement_t){.submission = read->submission,
                                      .verdict = refusal
                                                   ? IDV_MDL_VERDICT_REFUSED
                                                   : IDV_MDL_VERDICT_ACCEPTED,
                                      .reason = refusal},
        pool);
}

/* The person did not come back: who has answered is not known to be who has
 * asked, and nothing is said of either. */
static idv_method_outcome_t *not_returned(apr_pool_t *pool)
{
    idv_method_outcome_t *outcome = apr_pcalloc(pool, sizeof(*outcome));

    outcome->verdict = IDV_METHOD_UNREADABLE;
    outcome->hint = idv_mdl_error(IDV_MDL_ERROR_NOT_RETURNED)->code;
    outcome->facts.age = -1;
    return outcome;
}

idv_error_t *idv_wallet_submission_await(idv_db_t *db,
                                         const idv_analysis_case_t *read,
                                         idv_method_outcome_t **outcome,
                                         idv_time_t *due, apr_pool_t *pool)
{
    idv_mdl_request_record_t *record;

    if (refusal_of(*outcome))
        return NULL;
    IDV_TRY(idv_mdl_request_of_submission(db, read->session, read->submission,
                                          &record, pool));
    if (!idv_mdl_protocol_is_link(record->protocol) || record->returned_at)
        return NULL;
    if (record->return_digest.length)
        *due = record->answered_at + IDV_WALLET_RETURN_TIME;
    if (*due <= idv_time_now())
        *outcome = not_returned(pool);
    return NULL;
}
