/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_METHOD_METHOD_OUTCOME_H
#define IDV_DOMAIN_METHOD_METHOD_OUTCOME_H

/*
 * What a verification method says at its end, the same type for all methods.
 *
 * A method decides purely, from findings and the clock it was given; the store
 * applies the outcome to the session in one transition. PASSED leads to the
 * next node of the workflow, if the evidence is worth what that demands. FAILED
 * uses up an attempt and explains itself by `last_error`. UNDETERMINED failed
 * nothing, but leaves doubts: the workflow says what follows from each, and
 * `last_error` is for where that is a refusal. UNREADABLE uses up nothing: the
 * session asks the person again (`requires_input`) and shows the hint.
 *
 * An outcome may be stored whole, so it holds no names, numbers or dates of
 * birth: of the person only the age in years survives the decision.
 *
 * Memory: everything lives in the pool of the decision. Threads: immutable
 * once returned, but for the reference count inside the JSON value.
 */
#include <jansson.h>

#include "domain/method/method.h"
#include "domain/method/statement.h"
#include "domain/value/civil_date.h"

typedef enum {
    IDV_METHOD_PASSED,
    IDV_METHOD_FAILED,
    IDV_METHOD_UNDETERMINED,
    IDV_METHOD_UNREADABLE
} idv_method_verdict_t;

/* What an outcome may leave in doubt: name, the workflow's setting for it, the
 * reason that a review is opened for, which is that of the last in this order.
 * NONCONFORMING: what a signature proves is not written as its standard says. */
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

/* What the pictures of a document tell of how they came about: a risk, of which
 * nothing follows by itself. */
typedef enum {
    IDV_TRACE_RECAPTURED, /* a screen or a halftone print was photographed */
    IDV_TRACE_PASTED      /* something was pasted into a picture */
} idv_picture_trace_t;

/* What became of a check. UNDETERMINED: what it needs was not there or could
 * not be had, which speaks neither for nor against the evidence. */
#define IDV_CHECK_RESULTS(X)                                                   \
    X(FAILED, "failed")                                                        \
    X(PASSED, "passed")                                                        \
    X(UNDETERMINED, "undetermined")

typedef enum {
#define X(name, value) IDV_CHECK_##name,
    IDV_CHECK_RESULTS(X)
#undef X
} idv_check_result_t;

/* One thing that was looked at. */
typedef struct {
    const char *name; /* stable code, static */
    idv_check_result_t result;
    const char *reason; /* stable code, static; NULL when passed */
    int is_silent;      /* undetermined, and explains nothing that follows */
} idv_method_check_t;

/* Something that a decision rests on besides the evidence: a trust list, a
 * model, a list of revoked certificates. No personal data. */
typedef struct {
    const char *kind; /* "trust_list", "model", "revocation_list" */
    const char *id;   /* NULL: the kind has but one */
    const char *version;
} idv_method_basis_t;

/* The session's `last_error`. */
typedef struct {
    const char *code;
    const char *message;  /* for the applicant */
    const char *category; /* verification_declined or technical_error */
} idv_method_error_t;

/* What a credential may carry on; but for `younger_than`, which a failure says,
 * too, of evidence that surely does not show the age. */
typedef struct {
    int age;                  /* completed years, the lowest possible; or -1 */
    int younger_than;         /* years that are surely not completed: one more
                               * than the highest age possible, or an age that the
                               * evidence fails; 0: nothing is known of that */
    const char *jurisdiction; /* of the evidence: DE, US-MD; NULL: none */
    idv_date_t expiry;        /* last day of the evidence; year 0: never */
} idv_method_facts_t;

typedef struct {
    idv_method_verdict_t verdict;
    unsigned doubts; /* UNDETERMINED: bits 1 << idv_method_doubt_t */
    unsigned traces; /* bits 1 << idv_picture_trace_t, each with its check;
                      * none of UNREADABLE, whose pictures are replaced */
    idv_assurance_t assurance; /* of what was read; NONE for UNREADABLE */
    const char *hint;                 /* UNREADABLE: stable code; else NULL */
    const idv_method_check_t *checks; /* in the order they were made */
    int check_count;
    const idv_attestation_t *attestation; /* what was declared; NULL: nothing */
    json_t *verification_result;      /* summary; NULL for UNREADABLE */
    const idv_method_error_t *last_error; /* FAILED, UNDETERMINED */
    idv_method_facts_t facts;         /* PASSED, UNDETERMINED; FAILED: see
                                       * younger_than */
    const idv_method_basis_t *basis;  /* for the record of the decision */
    int basis_count;
} idv_method_outcome_t;

#endif
