/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_METHOD_METHOD_OUTCOME_H
#define IDV_DOMAIN_METHOD_METHOD_OUTCOME_H

/*
 * The result of a verification method, the same type for all methods.
 *
 * A method decides purely, from findings and the given clock; the store applies
 * the outcome to the session in one transition.
 *
 * - PASSED leads to the next node of the workflow if the evidence has the
 *   assurance that the node requires.
 * - FAILED uses an attempt; `last_error` explains it.
 * - UNDETERMINED is not a failure but leaves doubts. The workflow says what
 *   follows from each; `last_error` applies if that is a refusal.
 * - UNREADABLE uses no attempt: the session asks the person again
 *   (`requires_input`) and shows the hint.
 *
 * Outcomes can be stored whole, so they contain no names, numbers or dates of
 * birth; the only personal data that survives the decision is the age in years.
 *
 * Memory: everything lives in the pool of the decision. Threads: immutable once
 * returned, except for the reference count in the JSON value.
 */
#include <jansson.h>

#include "core/crypto.h"
#include "domain/method/method.h"
#include "domain/method/statement.h"
#include "domain/value/civil_date.h"

typedef enum {
    IDV_METHOD_PASSED,
    IDV_METHOD_FAILED,
    IDV_METHOD_UNDETERMINED,
    IDV_METHOD_UNREADABLE
} idv_method_verdict_t;

/* Doubts that an outcome can leave: name, the workflow's setting for it, and
 * the reason for a review (with several doubts, that of the last in this
 * order). NONCONFORMING: data proved by a signature violates the format of its
 * standard. */
#define IDV_METHOD_DOUBTS(X)                                                   \
    X(NONCONFORMING, "on_nonconforming", "nonconforming")                      \
    X(UNDETERMINED, "on_undetermined", "undetermined")                         \
    X(UNREADABLE, "on_unreadable", "unreadable")                               \
    X(DOCUMENT_REUSED, "on_document_reused", "document_reused")

typedef enum {
#define X(name, setting, reason) IDV_DOUBT_##name,
    IDV_METHOD_DOUBTS(X)
#undef X
    IDV_DOUBT_COUNT
} idv_method_doubt_t;

/* Signs in a document's pictures of how they were made: a risk, with no direct
 * consequence. */
typedef enum {
    IDV_TRACE_RECAPTURED, /* photographed from a screen or halftone print */
    IDV_TRACE_PASTED      /* part of a picture was pasted in */
} idv_picture_trace_t;

/* Result of a check. UNDETERMINED: the required input was missing or
 * unavailable, which counts neither for nor against the evidence. */
#define IDV_CHECK_RESULTS(X)                                                   \
    X(FAILED, "failed")                                                        \
    X(PASSED, "passed")                                                        \
    X(UNDETERMINED, "undetermined")

typedef enum {
#define X(name, value) IDV_CHECK_##name,
    IDV_CHECK_RESULTS(X)
#undef X
} idv_check_result_t;

/* One check. */
typedef struct {
    const char *name; /* stable code, static */
    idv_check_result_t result;
    const char *reason; /* stable code, static; NULL when passed */
    int is_silent;      /* undetermined, and not the reason for what follows */
} idv_method_check_t;

/* Something other than the evidence that a decision is based on: a trust list,
 * a model, a list of revoked certificates. No personal data. */
typedef struct {
    const char *kind; /* "trust_list", "model", "revocation_list" */
    const char *id;   /* NULL: there is only one of this kind */
    const char *version;
} idv_method_basis_t;

/* The session's `last_error`. */
typedef struct {
    const char *code;
    const char *message;  /* for the applicant */
    const char *category; /* verification_declined or technical_error */
} idv_method_error_t;

/* Facts that a credential can carry. `younger_than` is also set by a failure
 * whose evidence surely does not reach the age. */
typedef struct {
    int age;                  /* completed years, the lowest possible; or -1 */
    int younger_than;         /* this many years are surely not completed: one
                               * more than the highest possible age, or an age
                               * that the evidence fails; 0: unknown */
    const char *jurisdiction; /* of the evidence: DE, US-MD; NULL: none */
    idv_date_t expiry;        /* last day of the evidence; year 0: never */
} idv_method_facts_t;

/* The document that was read, for statistics. Nothing of its holder. */
typedef struct {
    const char *kind;   /* a stable code: "passport"; NULL: none was read */
    const char *issuer; /* DE, US-MD; NULL: unknown */
} idv_method_document_t;

typedef struct {
    idv_method_verdict_t verdict;
    unsigned doubts; /* UNDETERMINED: bits 1 << idv_method_doubt_t */
    unsigned traces; /* bits 1 << idv_picture_trace_t, each with its check; none
                      * for UNREADABLE, whose pictures are replaced */
    idv_assurance_t assurance; /* of the evidence; NONE for UNREADABLE */
    const char *hint;                 /* UNREADABLE: stable code; else NULL */
    const char *hint_side; /* the picture that the hint is about, "front" or
                            * "back"; NULL: not one picture */
    const idv_method_check_t *checks; /* in the order in which they were made */
    int check_count;
    const idv_attestation_t *attestation; /* the declaration; NULL: none */
    json_t *verification_result;      /* summary; NULL for UNREADABLE */
    const idv_method_error_t *last_error; /* FAILED, UNDETERMINED */
    idv_method_facts_t facts;         /* PASSED, UNDETERMINED; FAILED: see
                                       * younger_than */
    idv_method_document_t document;   /* whatever the verdict */
    const idv_method_basis_t *basis;  /* for the record of the decision */
    int basis_count;
    idv_bytes_t sealed_fields; /* what was read, sealed for the session, for a
                                * reviewer (store/method/review_fields.h);
                                * empty: none */
} idv_method_outcome_t;

#endif
