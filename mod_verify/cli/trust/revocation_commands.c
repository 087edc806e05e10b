/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command/command.h"

#include <string.h>

#include <apr_lib.h>
#include <apr_strings.h>

#include "cli/trust/trust_source.h"
#include "domain/trust/expiry.h"
#include "methods/mdl/revocation_list.h"
#include "methods/trust/certificate_view.h"
#include "store/trust/expiry.h"
#include "store/trust/revocation_list.h"
#include "store/trust/trust_list.h"

/* Revocation lists of country signing authorities, imported from files. */

/* Maximum number of lists to print. */
#define LISTS_MAX 1000

static json_t *time_json(idv_time_t time)
{
    return idv_json_integer_or_null(idv_time_seconds(time));
}

/* Refuses a list that is not signed by any of ANCHORS or is not valid now. */
static idv_error_t *check_crl(const idv_crl_t *crl,
                              const idv_trust_anchors_t *anchors,
                              apr_pool_t *pool)
{
    apr_size_t count = (apr_size_t)anchors->entry_count;
    idv_bytes_t *authorities =
        apr_palloc(pool, (count + 1) * sizeof(*authorities));
    const idv_revocation_trust_t trust = {.authorities = authorities,
                                          .authority_count = (int)count,
                                          .now = idv_time_now()};
    const char *fault;

    for (apr_size_t i = 0; i < count; i++)
        authorities[i] = anchors->entries[i].trusted.certificate;
    fault = idv_crl_fault(crl->der, &trust, pool);
    return fault ? idv_error_param(pool, "FILE", "The list %s.", fault) : NULL;
}

/* Stores CRL for the authority with the certificate FINGERPRINT. */
static idv_error_t *keep_crl(const idv_call_t *call, const idv_crl_t *crl,
                             const char *fingerprint)
{
    const char *address = apr_pstrcat(call->pool, IDV_REVOCATION_IMPORTED,
                                      fingerprint, NULL);
    idv_revocation_copy_t copy;
    idv_crl_t former;

    IDV_TRY(idv_revocation_copy_find(call->db, address, &copy, call->pool));
    if (copy.body.length > 0) {
        IDV_TRY(idv_crl_read(copy.body, &former, call->pool));
        if (former.issued > crl->issued)
            return idv_error_param(call->pool, "FILE",
                                   "The list is older than the imported one.");
    }
    return idv_revocation_copy_store(
        call->db,
        &(const idv_revocation_fetched_t){.address = address,
                                          .body = crl->der,
                                          .error = NULL,
                                          .now = idv_time_now()},
        call->pool);
}

IDV_COMMAND(trust_crl)
{
    const char *organization = idv_call_option(call, "org");
    json_t *authorities = idv_json_own(json_array(), call->pool);
    json_t *kept = idv_json_own(json_object(), call->pool);
    idv_trust_anchors_t *anchors;
    apr_array_header_t *sources;
    idv_crl_t crl;

    if (organization)
        IDV_TRY(idv_call_organization(call));
    IDV_TRY(idv_trust_sources_read(call->arguments[0], &sources, call->pool));
    if (sources->nelts != 1)
        return idv_error_param(call->pool, "FILE", "A revocation list is a single "
                                                   "file.");
    IDV_TRY(idv_crl_read(APR_ARRAY_IDX(sources, 0, idv_trust_source_t).bytes,
                         &crl, call->pool));
    IDV_TRY(idv_trust_anchors_find(call->db, organization ? organization : "",
                                   IDV_TRUST_FOR_PASSPORTS, &anchors,
                                   call->pool));
    IDV_TRY(check_crl(&crl, anchors, call->pool));
    for (int i = 0; i < anchors->entry_count; i++) {
        idv_bytes_t der = anchors->entries[i].trusted.certificate;
        const char *fingerprint = idv_x509_fingerprint(der, call->pool);

        /* A certificate can be in several lists. */
        if (!idv_crl_names(crl.der, der, call->pool)
            || json_object_get(kept, fingerprint))
            continue;
        IDV_TRY(keep_crl(call, &crl, fingerprint));
        json_object_set_new(kept, fingerprint, json_true());
        json_array_append_new(authorities, json_string(fingerprint));
    }
    IDV_TRY(idv_expiring_date_revocation_lists(call->db, call->pool));
    *answer = json_pack(
        "{s:s, s:O, s:o, s:o, s:i}", "object", "certificate_revocation_list",
        "authorities", authorities, "issued_at", time_json(crl.issued),
        "next_update", time_json(crl.next_update), "revoked", crl.revoked);
    return NULL;
}

static json_t *crl_json(const idv_revocation_import_t *item,
                        const char *status)
{
    return json_pack("{s:s, s:s, s:s?, s:s, s:o, s:o}", "object",
                     "certificate_revocation_list", "authority",
                     item->authority, "issuer", item->issuer, "status", status,
                     "next_update", time_json(item->ends), "imported",
                     time_json(item->imported));
}

IDV_COMMAND(trust_crls)
{
    idv_time_t now = idv_time_now();
    apr_array_header_t *imports;

    IDV_TRY(idv_revocation_imports_find(call->db, LISTS_MAX, &imports,
                                        call->pool));
    *answer = json_array();
    for (int i = 0; i < imports->nelts; i++) {
        const idv_revocation_import_t *item =
            &APR_ARRAY_IDX(imports, i, idv_revocation_import_t);
        idv_expiry_state_t state = idv_expiry_of_list(0, item->ends, now);

        json_array_append_new(*answer,
                              crl_json(item, idv_expiry_state_value(state)));
    }
    return NULL;
}

/* TEXT in lower case, if it is a fingerprint (SHA-256, hexadecimal). */
static idv_error_t *read_fingerprint(const char *text, const char **fingerprint,
                                     apr_pool_t *pool)
{
    char *lower = apr_pstrdup(pool, text);

    for (char *at = lower; *at; at++)
        *at = (char)apr_tolower(*at);
    *fingerprint = lower;
    return strlen(lower) == 2 * IDV_DIGEST_SIZE
                && strspn(lower, "0123456789abcdef") == strlen(lower)
             ? NULL
             : idv_error_param(pool, "AUTHORITY",
                               "Expected the fingerprint of an authority, as "
                               "`verifyctl trust crls` prints it.");
}

IDV_COMMAND(trust_remove_crl)
{
    idv_revocation_import_t *removed;
    const char *fingerprint;

    IDV_TRY(read_fingerprint(call->arguments[0], &fingerprint, call->pool));
    IDV_TRY(idv_revocation_import_remove(call->db, fingerprint, &removed,
                                         call->pool));
    if (!removed)
        return idv_error_param(call->pool, fingerprint,
                               "No revocation list was imported for this "
                               "authority.");
    *answer = crl_json(removed, "removed");
    return NULL;
}

static const char *const crl_columns[] = {"status", "next_update", "issuer",
                                          "authority", NULL};

const idv_command_t idv_revocation_commands[] = {
    {.noun = "trust",
     .verb = "crl",
     .changes = 1,
     .arguments = "FILE",
     .options = {"org ORG"},
     .run = trust_crl,
     .told = "authorities",
     .help = "import the certificate revocation list of a trusted country\n"
             "      signing authority, for an organization or for all. Used for\n"
             "      chips whose signers name no list that can be fetched"},
    {.noun = "trust",
     .verb = "crls",
     .run = trust_crls,
     .columns = crl_columns,
     .help = "list the imported revocation lists and when each expires"},
    {.noun = "trust",
     .verb = "remove-crl",
     .changes = 1,
     .arguments = "AUTHORITY",
     .run = trust_remove_crl,
     .told = "authority",
     .help = "remove the revocation list of an authority, named by the\n"
             "      fingerprint that trust crls prints. Its chips are then\n"
             "      undetermined, unless their signers name a list that can be\n"
             "      fetched"},
    {0},
};
