/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_METHODS_FACE_PROVIDER_ANSWER_H
#define IDV_METHODS_FACE_PROVIDER_ANSWER_H

/*
 * The question to an external provider about the pictures of a liveness
 * challenge, and its signed answer.
 *
 * The question is JSON:
 *
 *   { "version": 1, "nonce": 43 characters, "challenge": id,
 *     "evidence_sha256": 64 hexadecimal digits, "prompts": [ 4 values ],
 *     "pictures": [ { "name": part, "jpeg": base64 }, ... ] }
 *
 * `evidence_sha256` is the SHA-256 of the SHA-256 of each picture's file, in
 * their order. Nothing else about the session or the person is sent.
 *
 * The answer is a JSON Web Signature (methods/trust/web_signature.h) with the
 * payload
 *
 *   { "nonce", "challenge", "evidence_sha256": those of the question,
 *     "iat": seconds, "result": "passed" | "failed" | "undetermined",
 *     "score": 0 to 1, "provider": { "name", "version" },
 *     "evaluation": { "standard", "level", "laboratory",
 *                     "valid_until": YYYY-MM-DD } | null }
 *
 * An answer counts if the operator's key has signed it, it has the nonce, the
 * challenge and the evidence of its question, and it was made within
 * IDV_PROVIDER_CLOCK_MOST of now. So an answer to another question or session
 * does not count. `score` and `evaluation` may be missing; other members are
 * ignored. The evaluation is the provider's own statement, stored verbatim and
 * not verified here.
 *
 * Memory: the pool. Threads: pure. Failures: an answer that does not count has
 * a `fault`, static text for the log, and the result UNDETERMINED.
 */
#include <jansson.h>
#include <openssl/evp.h>

#include "core/clock.h"
#include "core/crypto.h"
#include "domain/method/method_outcome.h"
#include "methods/face/liveness_challenge.h"

#define IDV_PROVIDER_NAME_MAX 80     /* bytes of the name shown to persons */
#define IDV_PROVIDER_ANSWER_MAX 65536 /* bytes */
#define IDV_PROVIDER_CLOCK_MOST (2 * IDV_MINUTE)

typedef struct {
    const char *nonce;     /* of 32 random bytes */
    const char *challenge; /* its id */
    const char *evidence;  /* digest of the pictures, in hexadecimal */
} idv_provider_question_t;

typedef struct {
    idv_check_result_t result;
    const char *fault;   /* why the answer does not count; NULL: it counts */
    double score;        /* 0 to 1; -1: none */
    const char *name;    /* name and version of the provider */
    const char *version;
    json_t *evaluation;  /* as in the answer; NULL: none */
} idv_provider_answer_t;

/* A picture of the challenge. */
typedef struct {
    const char *part;
    idv_bytes_t file;
} idv_provider_picture_t;

typedef struct {
    const idv_liveness_challenge_t *challenge;
    const idv_provider_picture_t *pictures;
    int count; /* at most IDV_LIVENESS_PARTS */
} idv_provider_evidence_t;

/* What is wrong with NAME as a name shown to persons; NULL: nothing. */
const char *idv_provider_name_fault(const char *name, apr_pool_t *pool);

/* Creates a question about EVIDENCE with a new nonce: fills QUESTION, and
 * writes the text to send. */
idv_error_t *idv_provider_question_write(const idv_provider_evidence_t *evidence,
                                         idv_provider_question_t *question,
                                         idv_bytes_t *text,
                                         apr_pool_t *pool) IDV_CHECKED;

/* Parses the answer TEXT to QUESTION, signed by KEY, at NOW. */
void idv_provider_answer_read(idv_bytes_t text,
                              const idv_provider_question_t *question,
                              EVP_PKEY *key, idv_time_t now,
                              idv_provider_answer_t *answer, apr_pool_t *pool);

/* The answer in place of a missing one, because of FAULT. */
void idv_provider_answer_missing(const char *fault,
                                 idv_provider_answer_t *answer);

#endif
