/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_GATE_VISITOR_H
#define IDV_HTTPD_GATE_VISITOR_H

/*
 * The visitor of a gate: from where the browser comes, and what its proof is
 * worth now.
 *
 * A proof is a sealed cookie (domain/gate/gate.h), so most requests ask nobody. The
 * cookie says when the database last confirmed it. When that is longer ago than
 * VerifyGateRecheck, the database is asked again, and the browser gets the
 * cookie anew with the time of the answer: at most one look-up for each cookie
 * in that interval, however many nodes there are. A cookie that is sent again
 * and again without its successor, as by parallel requests or an attacker, is
 * answered from a small table of the child. Revocation and erasure therefore
 * end a proof within VerifyGateRecheck, without memory that processes or nodes
 * share. The cookie of an erased person finds a session without a result: it is
 * not accepted, and the visitor is sent to the gate like any other. While the
 * database does not answer, a proof that has to be confirmed is not accepted
 * either.
 *
 * The origin is that of VerifyGateOrigin, else of the request's own scheme and
 * Host, which must be a name of the server: a stranger's Host never gets into a
 * link.
 *
 * Threads: one request, one thread. Memory: the pool of the request. Failures:
 * a visitor who cannot be let in has a lack; nothing else fails.
 */
#include "api/http/request.h"
#include "domain/gate/gate.h"
#include "httpd/gate_configuration.h"
#include "store/gate/gate.h"

/* Why a visitor is not let in. */
typedef enum {
    IDV_GATE_LACKS_NOTHING,
    IDV_GATE_LACKS_PROOF,
    IDV_GATE_LACKS_AGE,      /* or identity: the proof is not enough */
    IDV_GATE_LACKS_PLACE,    /* the law of the place prohibits it */
    IDV_GATE_LACKS_HTTPS,    /* or a name of this server */
    IDV_GATE_LACKS_DATABASE, /* the proof could not be confirmed */
} idv_gate_lack_t;

typedef struct idv_gate_visitor_t {
    const idv_gate_t *gate;
    idv_request_t *request;        /* as the gate's own caller of the API */
    idv_gate_place_t place;        /* place.origin is NULL: it is not usable */
    const idv_gate_proof_t *proof; /* valid and confirmed; NULL: none */
    idv_gate_lack_t lack;
    int needed_age;          /* of IDV_GATE_LACKS_AGE; 0: identity */
    int is_granted;          /* flag: a Require was met by the proof */
    int is_navigation;       /* flag */
    const char *destination; /* where the visitor wants to go */
} idv_gate_visitor_t;

/* The visitor who makes R, for GATE; made at the first call of a request. */
idv_gate_visitor_t *idv_gate_visitor(request_rec *r, const idv_gate_t *gate);

/* Whether VISITOR meets DEMAND; sets the lack otherwise. */
int idv_gate_visitor_meets(idv_gate_visitor_t *visitor,
                           const idv_gate_demand_t *demand);

/* What the session ID is worth for VISITOR. A verification older than
 * VerifyGateMaxAge is no longer valid. */
idv_error_t *
idv_gate_visitor_standing(idv_gate_visitor_t *visitor, const char *id,
                          idv_gate_standing_t *standing) IDV_CHECKED;

/* Gives VISITOR the proof of a session with STANDING, which is in force. */
idv_error_t *
idv_gate_visitor_prove(idv_gate_visitor_t *visitor, const char *session_id,
                       const idv_gate_standing_t *standing) IDV_CHECKED;

/* Sets the cookie NAME for SECONDS; 0 and VALUE "" remove it. */
void idv_gate_set_cookie(request_rec *r, const char *name, const char *value,
                         apr_int64_t seconds);

#endif
