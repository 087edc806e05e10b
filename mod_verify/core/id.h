/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_ID_H
#define IDV_CORE_ID_H

/*
 * Ids: a type prefix and 26 characters of Crockford's base 32 in lower case,
 * ten for 48 bits of Unix milliseconds, two for the microseconds from then until
 * the id was made (1023 at most), and fourteen for 70 random bits.
 *
 * Byte order is the order of creation, as far as clocks tell: also within a
 * millisecond, but not of ids made more than 1023 us after it. So an id is a
 * cursor that remains valid after its object is deleted, and no table needs a
 * second sort key.
 * Guessing an id means guessing 70 random bits, but ids are not secrets; no
 * security depends on one being unknown.
 *
 * Memory: ids live in the given pool. Threads: thread-safe. Failures: none.
 */
#include "core/clock.h"

/* Characters after the prefix. */
#define IDV_ID_BODY_LENGTH 26

/* Buffer size for any id and its NUL. */
#define IDV_ID_SIZE 32

/* Every prefix with its resource. */
#define IDV_ID_PREFIXES(X)                                                     \
    X(SESSION, "vks_")                                                         \
    X(EVENT, "evt_")                                                           \
    X(WORKFLOW, "wf_")                                                         \
    X(WORKFLOW_VERSION, "wfv_")                                                \
    X(WORKFLOW_DRAFT, "wfd_")                                                  \
    X(WORKFLOW_SCENARIO, "wfs_")                                               \
    X(VERIFIED_PERSON, "vp_")                                                  \
    X(CREDENTIAL, "cred_")                                                     \
    X(RISK_ASSESSMENT, "rsk_")                                                 \
    X(RISK_LIST_ENTRY, "rle_")                                                 \
    X(RISK_LIST_CHANGE, "rlc_")                                                \
    X(WEBHOOK_ENDPOINT, "we_")                                                 \
    X(WEBHOOK_DELIVERY, "whd_")                                                \
    X(WEBHOOK_RECOVERY, "whr_")                                                \
    X(TRUST_REUSE_GRANT, "trg_")                                               \
    X(ORGANIZATION, "org_")                                                    \
    X(APPLICATION, "app_")                                                     \
    X(API_KEY, "key_")                                                         \
    X(ANALYSIS_JOB, "job_")                                                    \
    X(OUTGOING_MAIL, "eml_")                                                   \
    X(LEDGER_ENTRY, "led_")                                                    \
    X(LIVENESS_CHALLENGE, "lvc_")                                              \
    X(REVIEW_ENTRY, "rve_")                                                    \
    X(SECOND_REVIEW, "srv_")                                                   \
    X(OPERATOR_ACTION, "opa_")                                                 \
    X(TRUST_LIST, "tls_")                                                      \
    X(TRUST_VERSION, "tlv_")                                                   \
    X(READER_IDENTITY, "rdr_")                                                 \
    X(MDL_REQUEST, "mdr_")                                                     \
    X(OIDC_CLIENT, "oic_")                                                     \
    X(OIDC_LOGIN, "oil_")                                                      \
    X(WORKFLOW_REPLAY, "sim_")                                                 \
    X(REQUEST, "req_")

typedef enum {
#define X(name, prefix) IDV_ID_##name,
    IDV_ID_PREFIXES(X)
#undef X
} idv_id_type_t;

/* A new id in POOL for an object created at NOW. */
const char *idv_id_new(idv_id_type_t type, idv_time_t now, apr_pool_t *pool);

/* A text that sorts before the ids of all objects created at TIME or later, and
 * after all older ones. Not an id itself. */
const char *idv_id_bound(idv_id_type_t type, idv_time_t time, apr_pool_t *pool);

/* Non-zero if TEXT has the form of an id of this type (it need not exist). A
 * text without that form is unknown without a lookup. */
int idv_id_is(idv_id_type_t type, const char *text);

/* The prefix, such as "vks_". */
const char *idv_id_prefix(idv_id_type_t type);

#endif
