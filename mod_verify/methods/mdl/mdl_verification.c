/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/mdl/mdl_verification.h"

#include <string.h>

#include <apr_strings.h>

#include "methods/mdl/device_authentication.h"
#include "methods/mdl/mdl_elements.h"
#include "methods/mdl/wallet_response.h"

#define R(name) IDV_MDL_REASON_##name
#define CHECK(name) IDV_MDL_CHECK_##name

#define RANDOM_MIN 16 /* bytes, 9.1.2.5 */

/* ISO/IEC 18013-5, table 8. Wallets return this code, or no documents, if their
 * holder does not consent. The other codes are about CBOR. */
#define STATUS_GENERAL_ERROR 10

typedef struct {
    const idv_mdl_request_t *request;
    idv_mdl_findings_t *findings;
    EVP_PKEY *encryption_key; /* NULL: none */
    EVP_PKEY *reader_key;     /* NULL: none */
    idv_wallet_response_t envelope;
    const idv_mdoc_document_t *document;
    const idv_mdl_query_t *query; /* that the document answers */
    apr_pool_t *pool;
} verification_t;

/* Records a check as failed or passed. */
static void conclude(verification_t *run, idv_mdl_reason_t reason, int failed)
{
    if (failed)
        idv_mdl_fail(run->findings, reason);
    else
        idv_mdl_pass(run->findings, idv_mdl_reason_check(reason));
}

/* --- document --- */

static const idv_mdl_query_t *query_of(const verification_t *run,
                                       const char *doc_type)
{
    for (int i = 0; i < run->request->query_count; i++) {
        const idv_mdl_query_t *query = &run->request->queries[i];

        if ((!run->envelope.query || run->envelope.query == query)
            && strcmp(query->doc_type, doc_type) == 0)
            return query;
    }
    return NULL;
}

/* Identity documents that wallets also hold. A person who chose one of them
 * instead of the requested document learns that it does not count. */
static const char *const other_types[] = {
    "org.iso.23220.photoid.1",    /* photo ID, ISO/IEC TS 23220-4 */
    "org.iso.23220.photoID.1",    /* the same, in drafts */
    "eu.europa.ec.eudi.pid.1",    /* EU personal identification data */
    "com.google.wallet.idcard.1", /* Google Wallet's ID pass */
    NULL};

static idv_mdl_reason_t reason_against(const idv_mdoc_response_t *response,
                                       const char *doc_type)
{
    for (int i = 0; response->documents->nelts == 1 && other_types[i]; i++)
        if (strcmp(doc_type, other_types[i]) == 0)
            return R(OTHER_DOCUMENT_TYPE);
    return R(DOCUMENT_NOT_REQUESTED);
}

/* Chooses the document that the request prefers. Every document in the response
 * must have been requested, and may appear only once. */
static void choose_document(verification_t *run,
                            const idv_mdoc_response_t *response)
{
    for (int i = 0; i < response->documents->nelts; i++) {
        const idv_mdoc_document_t *document =
            &APR_ARRAY_IDX(response->documents, i, idv_mdoc_document_t);
        const idv_mdl_query_t *query = query_of(run, document->doc_type);

        if (!query || query == run->query) {
            idv_mdl_fail(run->findings,
                         reason_against(response, document->doc_type));
            return;
        }
        if (!run->query || query < run->query) {
            run->query = query;
            run->document = document;
        }
    }
}

static void check_response(verification_t *run,
                           const idv_mdoc_response_t *response)
{
    /* Minor versions add members; "1.0" is the first edition. */
    conclude(run, R(RESPONSE_VERSION_UNKNOWN),
             strncmp(response->version, "1.", 2) != 0);
    if (response->status != 0 && response->status != STATUS_GENERAL_ERROR)
        idv_mdl_fail(run->findings, R(RESPONSE_STATUS_ERROR));
    else
        conclude(run, R(WALLET_DECLINED),
                 response->status != 0 || response->documents->nelts == 0);
    choose_document(run, response);
    if (!run->document || !idv_mdl_all_passed(run->findings)) {
        run->document = NULL;
        return;
    }
    run->findings->doc_type = run->query->doc_type;
    conclude(run, R(DOCUMENT_TYPE_MISMATCH),
             strcmp(run->document->doc_type, run->document->security.doc_type)
                 != 0);
}

/* --- issuer --- */

static void keep_signer(idv_mdl_findings_t *findings, const idv_signer_t *signer)
{
    findings->issuer_country = signer->country;
    findings->issuer_region = signer->region;
    findings->issuer_serial = signer->serial;
    findings->issuer_fingerprint = signer->fingerprint;
    findings->issuer_profile = signer->profile;
    findings->issuer_not_after = signer->not_after > 0 ? signer->not_after : 0;
    findings->anchor_fingerprint = signer->anchor_fingerprint;
    findings->anchor_list = signer->anchor ? signer->anchor->list : NULL;
    for (int i = 0; i < signer->crl_address_count; i++)
        APR_ARRAY_PUSH(findings->crl_addresses, const char *) =
            signer->crl_addresses[i];
}

static void check_signature(verification_t *run, const idv_signer_t *signer)
{
    const idv_cose_message_t *message = &run->document->issuer_auth;

    run->findings->issuer_algorithm =
        idv_cose_algorithm_name(message->algorithm);
    switch (idv_cose_verify_signature(message, message->payload, signer->key,
                                      run->pool)) {
    case IDV_COSE_VALID:
        idv_mdl_pass(run->findings, CHECK(ISSUER_SIGNATURE));
        break;
    case IDV_COSE_ALGORITHM_NOT_ALLOWED:
        idv_mdl_fail(run->findings, R(ISSUER_ALGORITHM_NOT_ALLOWED));
        break;
    case IDV_COSE_KEY_UNSUITABLE:
        idv_mdl_fail(run->findings, R(ISSUER_KEY_UNSUITABLE));
        break;
    case IDV_COSE_WRONG:
        idv_mdl_fail(run->findings, R(ISSUER_SIGNATURE_WRONG));
        break;
    }
}

static void note_form(idv_mdl_findings_t *findings, const idv_signer_t *signer)
{
    static const idv_mdl_reason_t reasons[] = {
        R(NONE),
#define X(name) R(name),
        IDV_PROFILE_DEVIATIONS(X)
#undef X
    };
    static const idv_mdl_reason_t notes[] = {
#define X(name) R(name),
        IDV_PIN_NOTES(X)
#undef X
    };

    if (signer->deviation != IDV_PROFILE_CONFORMING)
        idv_mdl_fail(findings, reasons[signer->deviation]);
    else if (!signer->pin_notes)
        idv_mdl_pass(findings, CHECK(ISSUER_CERTIFICATE_FORM));
    for (int note = 0; note < IDV_PIN_NOTE_COUNT; note++)
        if (signer->pin_notes >> note & 1)
            idv_mdl_fail(findings, notes[note]);
}

static void check_issuer(verification_t *run)
{
    const idv_mdoc_document_t *document = run->document;
    idv_signer_t *signer;
    idv_bytes_t certificate;

    if (idv_cose_signer_certificate(&document->issuer_auth, &certificate,
                                    run->pool)) {
        idv_mdl_fail(run->findings, R(ISSUER_CERTIFICATE_MISSING));
        return;
    }
    if (idv_signer_examine(certificate, document->doc_type,
                           &run->request->trust, &signer, run->pool)) {
        idv_mdl_fail(run->findings, R(ISSUER_CERTIFICATE_MALFORMED));
        return;
    }
    keep_signer(run->findings, signer);
    conclude(run, R(ISSUER_CERTIFICATE_PROFILE_WRONG),
             signer->profile != IDV_PROFILE_GOOD);
    note_form(run->findings, signer);
    conclude(run, R(ISSUER_NOT_TRUSTED), !signer->anchor);
    if (signer->anchor)
        conclude(run, R(ISSUER_CERTIFICATE_NOT_CURRENT), !signer->is_current);
    check_signature(run, signer);
    conclude(run, R(SIGNED_OUTSIDE_CERTIFICATE),
             document->security.signed_at < signer->not_before
                 || document->security.signed_at > signer->not_after);
}

/* --- security object --- */

static void check_validity(verification_t *run)
{
    const idv_mdoc_security_object_t *object = &run->document->security;
    idv_mdl_findings_t *findings = run->findings;
    idv_time_t now = run->request->trust.now;

    findings->signed_at = object->signed_at;
    findings->valid_from = object->valid_from;
    findings->valid_until = object->valid_until;
    findings->expected_update = object->expected_update;
    findings->status_list_address = object->status.list_address;
    findings->status_list_index = object->status.list_index;
    findings->identifier_list_address = object->status.identifier_address;
    findings->identifier = object->status.identifier;
    /* 9.1.2.4: validFrom is not before signed, validUntil after validFrom. */
    conclude(run, R(VALIDITY_CONTRADICTORY),
             object->valid_from < object->signed_at
                 || object->valid_until <= object->valid_from);
    conclude(run, R(CREDENTIAL_NOT_YET_VALID), now < object->valid_from);
    conclude(run, R(CREDENTIAL_EXPIRED), now > object->valid_until);
}

/* 9.1.2.5 */
static const EVP_MD *digest_of(const char *name)
{
    return strcmp(name, "SHA-256") == 0   ? EVP_sha256()
           : strcmp(name, "SHA-384") == 0 ? EVP_sha384()
           : strcmp(name, "SHA-512") == 0 ? EVP_sha512()
                                          : NULL;
}

static idv_mdl_reason_t check_digest(const idv_mdoc_security_object_t *object,
                                     const idv_mdoc_item_t *item,
                                     const EVP_MD *algorithm)
{
    const idv_cbor_t *wanted = idv_cbor_member_number(
        idv_cbor_member(object->value_digests, item->name_space),
        item->digest_id);
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned length;

    if (!wanted)
        return R(DIGEST_MISSING);
    if (EVP_Digest(item->tagged.data, item->tagged.length, digest, &length,
                   algorithm, NULL)
            != 1
        || wanted->content.length != length
        || memcmp(wanted->content.data, digest, length) != 0)
        return R(DIGEST_WRONG);
    return item->random.length < RANDOM_MIN ? R(RANDOM_TOO_SHORT) : R(NONE);
}

/* Checks that no earlier element has the same name. Equal digests imply the
 * same bytes, and so the same name. */
static idv_mdl_reason_t check_unique(const apr_array_header_t *items, int index)
{
    const idv_mdoc_item_t *item = &APR_ARRAY_IDX(items, index, idv_mdoc_item_t);

    for (int i = 0; i < index; i++) {
        const idv_mdoc_item_t *other = &APR_ARRAY_IDX(items, i, idv_mdoc_item_t);

        if (strcmp(other->name_space, item->name_space) == 0
            && strcmp(other->element, item->element) == 0)
            return R(ELEMENT_TWICE);
    }
    return R(NONE);
}

static void check_digests(verification_t *run)
{
    const idv_mdoc_security_object_t *object = &run->document->security;
    const apr_array_header_t *items = run->document->items;
    const EVP_MD *algorithm = digest_of(object->digest_algorithm);

    if (!algorithm) {
        idv_mdl_fail(run->findings, R(DIGEST_ALGORITHM_UNKNOWN));
        return;
    }
    for (int i = 0; i < items->nelts; i++) {
        idv_mdl_reason_t reason = check_digest(
            object, &APR_ARRAY_IDX(items, i, idv_mdoc_item_t), algorithm);

        if (reason == R(NONE))
            reason = check_unique(items, i);
        if (reason != R(NONE))
            idv_mdl_fail(run->findings, reason);
    }
    idv_mdl_pass(run->findings, CHECK(DIGESTS));
}

/* --- device --- */

static void check_device(verification_t *run)
{
    idv_device_authentication_t device = {
        .document = run->document,
        .reader_key = run->reader_key,
        .parts = &run->envelope.parts,
        .accepted = run->request->accepted,
    };

    if (idv_cose_key(run->document->security.device_key, &device.device_key,
                     run->pool)) {
        idv_mdl_fail(run->findings, R(DEVICE_KEY_MALFORMED));
        return;
    }
    idv_mdl_pass(run->findings, CHECK(DEVICE_KEY));
    idv_device_authenticate(&device, run->findings, run->pool);
}

static int list_has(const idv_cbor_t *list, const char *text)
{
    for (const idv_cbor_t *entry = list ? list->first : NULL; entry;
         entry = entry->next)
        if (strcmp(idv_cbor_text(entry), text) == 0)
            return 1;
    return 0;
}

static void check_authorizations(verification_t *run)
{
    const idv_mdoc_security_object_t *object = &run->document->security;
    const apr_array_header_t *items = run->document->device_items;

    for (int i = 0; i < items->nelts; i++) {
        const idv_mdoc_item_t *item = &APR_ARRAY_IDX(items, i, idv_mdoc_item_t);

        if (!list_has(object->authorized_spaces, item->name_space)
            && !list_has(idv_cbor_member(object->authorized_elements,
                                         item->name_space),
                         item->element))
            idv_mdl_fail(run->findings, R(DEVICE_ELEMENT_NOT_AUTHORIZED));
    }
    idv_mdl_pass(run->findings, CHECK(KEY_AUTHORIZATIONS));
}

/* --- the whole response --- */

static void check_place(verification_t *run, const idv_mdl_person_t *person)
{
    const char *country = run->findings->issuer_country;
    const char *region = run->findings->issuer_region;
    const char *place = person->issuing_jurisdiction;

    conclude(run, R(ISSUING_PLACE_MISMATCH),
             (person->issuing_country
              && (!country || strcmp(person->issuing_country, country) != 0))
                 || (place && country && strncmp(place, country, 2) != 0)
                 || (place && region
                     && strcmp(place,
                               apr_pstrcat(run->pool, country, "-", region,
                                           NULL))
                            != 0));
}

static void check_document(verification_t *run)
{
    idv_mdl_person_t person;

    check_issuer(run);
    check_validity(run);
    check_digests(run);
    check_device(run);
    check_authorizations(run);
    idv_mdl_match_elements(run->document->items, run->query, run->findings);
    idv_mdl_read_elements(run->document->items, run->findings, &person,
                          run->pool);
    check_place(run, &person);
    if (idv_mdl_all_passed(run->findings))
        run->findings->person = person;
    else
        apr_array_clear(run->findings->ages);
}

static idv_error_t *read_keys(verification_t *run)
{
    const idv_mdl_request_t *request = run->request;

    if (request->encryption_key.length
        && idv_p256_private_key(request->encryption_key, &run->encryption_key,
                                run->pool))
        return idv_error_internal(run->pool, "the encryption key is not a "
                                             "P-256 key");
    if (request->reader_key.length
        && idv_p256_private_key(request->reader_key, &run->reader_key,
                                run->pool))
        return idv_error_internal(run->pool, "the reader's key is not a P-256 "
                                             "key");
    if (!run->reader_key)
        run->reader_key = run->encryption_key;
    if (request->channel == IDV_MDL_ISO_DC_API && !run->encryption_key)
        return idv_error_internal(run->pool, "a response of annex C must be "
                                             "encrypted");
    return NULL;
}

idv_error_t *idv_mdl_verify(const idv_mdl_request_t *request, idv_bytes_t bytes,
                            idv_mdl_findings_t **findings, apr_pool_t *pool)
{
    verification_t run = { .request = request, .pool = pool };
    idv_mdoc_response_t *response;
    idv_error_t *error;

    *findings = run.findings = idv_mdl_findings_create(pool);
    IDV_TRY(read_keys(&run));
    error = idv_wallet_response_open(
        &(idv_wallet_opening_t){ request, run.encryption_key, run.findings },
        bytes, &run.envelope, pool);
    if (error)
        return error->code == IDV_E_PARAMETER_INVALID ? NULL : error;
    idv_mdl_pass(run.findings, CHECK(RESPONSE_ENCRYPTION));
    error = idv_mdoc_read(run.envelope.device_response, &response, pool);
    if (error) {
        idv_mdl_fail(run.findings, R(RESPONSE_MALFORMED));
        run.findings->fault = error->message;
        return NULL;
    }
    check_response(&run, response);
    if (run.document)
        check_document(&run);
    return NULL;
}
