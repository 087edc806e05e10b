/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/method/passport_analysis.h"

#include <string.h>

#include <apr_strings.h>

#include "methods/passport/csca_list.h"
#include "methods/passport/passport_decision.h"
#include "store/method/chip_record.h"
#include "store/method/review_fields.h"
#include "store/trust/revocation_list.h"
#include "store/trust/trust_list.h"

#define PART_ANCHORS "anchors"

const char *idv_passport_takes_too_long(void)
{
    return idv_passport_hint_code(IDV_PASSPORT_HINT_ANALYSIS_FAILED);
}

static idv_chip_place_t place_of(const idv_analysis_case_t *read)
{
    return (idv_chip_place_t){read->config->keys, read->session,
                              read->request->now};
}

/* --- what a submission is read with --- */

static void add_part(idv_analysis_request_t *request, const char *name,
                     idv_bytes_t bytes)
{
    request->parts[request->part_count++] = (idv_analysis_part_t){name, bytes};
}

static idv_error_t *add_anchors(idv_db_t *db, const idv_analysis_case_t *read,
                                idv_analysis_request_t *request,
                                apr_pool_t *pool)
{
    idv_trust_anchors_t *anchors;
    idv_csca_entry_t *entries;

    IDV_TRY(idv_trust_anchors_find(db, read->session->organization_id,
                                   IDV_TRUST_FOR_PASSPORTS, &anchors, pool));
    entries = apr_pcalloc(pool, ((apr_size_t)anchors->entry_count + 1)
                                    * sizeof(*entries));
    for (int i = 0; i < anchors->entry_count; i++) {
        const idv_trust_anchor_entry_t *anchor = &anchors->entries[i];

        entries[i] = (idv_csca_entry_t){
            anchor->trusted.certificate,
            idv_trust_source(anchor->version, pool)};
    }
    add_part(request, PART_ANCHORS,
             idv_csca_pack(entries, anchors->entry_count, pool));
    return NULL;
}

/* The relay goes with both, a submission and a question about its next step. */
idv_error_t *idv_passport_complete(idv_db_t *db, const idv_analysis_case_t *read,
                                   idv_analysis_request_t *request,
                                   apr_pool_t *pool)
{
    const idv_chip_place_t place = place_of(read);
    idv_chip_relay_t *relay;
    idv_bytes_t bytes;

    IDV_TRY(idv_chip_relay_find(db, &place, &relay, pool));
    if (relay) {
        IDV_TRY(idv_chip_relay_write(relay, &bytes, pool));
        add_part(request, IDV_CHIP_PART_RELAY, bytes);
    }
    if (read->is_question)
        return NULL;
    IDV_TRY(idv_chip_challenge_of_dump(db, &place, &bytes, pool));
    if (bytes.length > 0)
        add_part(request, IDV_CHIP_PART_CHALLENGE, bytes);
    return add_anchors(db, read, request, pool);
}

/* --- what follows from the findings --- */

idv_error_t *idv_passport_validate(idv_bytes_t findings, void **validated,
                                   apr_pool_t *pool)
{
    idv_passport_findings_t *passport;

    IDV_TRY(idv_passport_findings_read((const char *)findings.data,
                                       findings.length, &passport, pool));
    *validated = passport;
    return NULL;
}

static idv_bytes_t part_of(const idv_analysis_case_t *read, const char *name)
{
    for (int i = 0; i < read->request->part_count; i++)
        if (strcmp(read->request->parts[i].name, name) == 0)
            return read->request->parts[i].bytes;
    return (idv_bytes_t){NULL, 0};
}

static int is_anchored(const idv_analysis_case_t *read,
                       const idv_passport_findings_t *findings,
                       apr_pool_t *pool)
{
    return !findings->csca
        || idv_csca_pack_has(part_of(read, PART_ANCHORS),
                             findings->csca->fingerprint, pool);
}

/* Where else the passport of FINDINGS was seen; records this sighting. A dump
 * is not a picture: only the document counts. */
static idv_error_t *look_back(idv_db_t *db, const idv_analysis_case_t *read,
                              const idv_passport_findings_t *findings,
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

    if (!findings->readable || kept == 0)
        return NULL;
    return idv_document_sighting_note(db, read->config->keys, &sighting, seen,
                                      pool);
}

/* --- whether the signer was revoked --- */

/* Without a trusted authority no list is fetched: an address in an untrusted
 * certificate must not be called for the person who sent it. */
int idv_passport_lists(const void *validated,
                       const char *addresses[IDV_REVOCATION_ADDRESSES_MAX])
{
    const idv_passport_findings_t *findings = validated;
    int count = findings->csca ? findings->crl_address_count : 0;

    for (int i = 0; i < count; i++)
        addresses[i] = findings->crl_addresses[i];
    return count;
}

_Static_assert((int)IDV_CRL_ADDRESSES_MAX <= (int)IDV_REVOCATION_ADDRESSES_MAX,
               "all addresses of a certificate can be asked for");

/* Context of a revocation lookup. */
typedef struct {
    const idv_passport_findings_t *findings;
    idv_revocation_trust_t trust;
    idv_revocation_t says;
    idv_method_basis_t basis; /* the list that says so; version NULL: none */
} revocation_t;

/* Adds the answer of the copy at ADDRESS: of two answers the greater counts. */
static idv_error_t *ask_list(idv_db_t *db, const char *address,
                             revocation_t *revocation, apr_pool_t *pool)
{
    idv_revocation_copy_t copy;
    idv_revocation_t says;

    IDV_TRY(idv_revocation_copy_find(db, address, &copy, pool));
    says = idv_crl_says(copy.body, revocation->findings->signer->serial,
                        &revocation->trust, pool);
    if (says <= revocation->says)
        return NULL;
    revocation->says = says;
    revocation->basis = (idv_method_basis_t){
        "revocation_list", apr_pstrdup(pool, address),
        idv_x509_fingerprint(copy.body, pool)};
    return NULL;
}

/* A serial number below zero, which no authority may give, is not looked for:
 * lists have it in another form. */
static int has_plain_serial(const idv_passport_findings_t *findings)
{
    return findings->signer && strchr("01234567", findings->signer->serial[0]);
}

/* Asks the lists that the signer names, and those that an operator imported. */
static idv_error_t *look_up_revocation(idv_db_t *db,
                                       const idv_analysis_case_t *read,
                                       revocation_t *revocation,
                                       apr_pool_t *pool)
{
    const idv_passport_findings_t *findings = revocation->findings;
    apr_array_header_t *authorities =
        apr_array_make(pool, 2, sizeof(idv_bytes_t));

    if (!findings->csca || !has_plain_serial(findings))
        return NULL;
    idv_csca_pack_namesakes(part_of(read, PART_ANCHORS),
                            findings->csca->fingerprint, authorities, pool);
    revocation->trust = (idv_revocation_trust_t){
        .authorities = (const idv_bytes_t *)authorities->elts,
        .authority_count = authorities->nelts,
        .now = read->request->now};
    for (int i = 0; i < findings->crl_address_count; i++)
        IDV_TRY(ask_list(db, findings->crl_addresses[i], revocation, pool));
    return ask_list(db,
                    apr_pstrcat(pool, IDV_REVOCATION_IMPORTED,
                                findings->csca->fingerprint, NULL),
                    revocation, pool);
}

static idv_passport_rule_t rule_of(const idv_analysis_case_t *read)
{
    const idv_session_t *session = read->session;
    const idv_workflow_node_t *node =
        idv_workflow_node(read->workflow, session->runner.node);

    return (idv_passport_rule_t){
        .document = {.now = idv_time_now(),
                     .jurisdiction = session->jurisdiction.resolved,
                     .required_age = session->required_age,
                     .born_before = session->compliance.born_before,
                     .accept_test_issuers = read->config->accept_test_issuers
                                         || !session->livemode},
        .accept_unknown_revocation = node && node->accept_unknown_revocation,
        .require_genuine_chip = node && node->require_genuine_chip,
    };
}

/* The list that holds the authority which was found, or all that were looked
 * through for one, and the list by which the signer's revocation is known. */
static idv_error_t *note_basis(idv_db_t *db, const idv_analysis_case_t *read,
                               const revocation_t *revocation,
                               idv_method_outcome_t *outcome, apr_pool_t *pool)
{
    const idv_passport_certificate_t *csca = revocation->findings->csca;
    idv_method_basis_t *basis;

    if (!csca || !csca->source)
        return idv_trust_basis_find(
            db,
            &(const idv_trust_query_t){.organization_id =
                                           read->session->organization_id,
                                       .purpose = IDV_TRUST_FOR_PASSPORTS},
            &outcome->basis, &outcome->basis_count, pool);
    basis = apr_palloc(pool, 2 * sizeof(*basis));
    basis[0] = (idv_method_basis_t){"trust_list", csca->fingerprint,
                                    csca->source};
    basis[1] = revocation->basis;
    outcome->basis = basis;
    outcome->basis_count = revocation->basis.version ? 2 : 1;
    return NULL;
}

idv_error_t *idv_passport_conclude(idv_db_t *db, const idv_analysis_case_t *read,
                                   const void *validated,
                                   idv_method_outcome_t **outcome,
                                   apr_pool_t *pool)
{
    const idv_passport_findings_t *findings = validated;
    idv_passport_findings_t nothing = {
        .hint = IDV_PASSPORT_HINT_ANALYSIS_FAILED};
    const idv_chip_place_t place = place_of(read);
    idv_passport_rule_t rule = rule_of(read);
    revocation_t revocation = {.says = IDV_REVOCATION_UNKNOWN};

    if (!is_anchored(read, findings, pool))
        findings = &nothing;
    revocation.findings = findings;
    IDV_TRY(look_up_revocation(db, read, &revocation, pool));
    rule.revocation = revocation.says;
    IDV_TRY(look_back(db, read, findings, &rule.document.seen, pool));
    IDV_TRY(idv_printed_zone_find(db, &place, &rule.printed, pool));
    IDV_TRY(idv_passport_decide(findings, &rule, outcome, pool));
    IDV_TRY(idv_review_fields_seal_chip(
        db,
        &(const idv_evidence_owner_t){.keyring = read->config->keys,
                                      .session = read->session},
        findings->document, &(*outcome)->sealed_fields, pool));
    return note_basis(db, read, &revocation, *outcome, pool);
}

idv_error_t *idv_passport_answer(idv_db_t *db, const idv_analysis_case_t *read,
                                 idv_bytes_t findings,
                                 idv_session_queued_t *queued, apr_pool_t *pool)
{
    const idv_chip_place_t place = place_of(read);

    (void)queued;
    return idv_chip_step_put(db, &place, part_of(read, IDV_CHIP_PART_RELAY),
                             findings, pool);
}
