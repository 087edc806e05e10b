/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_GATE_GATE_VISITOR_H
#define IDV_HTTPD_GATE_GATE_VISITOR_H

/*
 * The visitor of a gate: the origin of the request, and the current value of
 * the visitor's proof.
 *
 * A proof is a sealed cookie (domain/gate/gate.h), so most requests need no
 * lookup. The cookie says when the database last confirmed it. If that is
 * longer ago than VerifyGateRecheck, the database is queried again, and the
 * browser gets a new cookie with the time of the answer: at most one lookup per
 * cookie in that interval on any number of nodes. A cookie that is sent
 * repeatedly without its successor, by parallel requests or an attacker, is
 * answered from a small table of the child. So revocation and erasure end a
 * proof within VerifyGateRecheck, without memory shared by processes or nodes.
 * The cookie of an erased person finds a session without a result: it is not
 * accepted, and the visitor is sent to the gate like any other. While the
 * database does not answer, a proof that has to be confirmed is not accepted
 * either.
 *
 * The origin is VerifyGateOrigin, else the request's own scheme and Host. Host
 * must be a name of the server, with a port of the server or none: an arbitrary
 * Host never gets into a link.
 *
 * Threads: one request, one thread. Memory: the pool of the request. Failures:
 * a visitor who cannot be let in has a lack; nothing else fails.
 */
#include "api/http/request.h"
#include "domain/gate/gate.h"
#include "httpd/gate/gate_configuration.h"
#include "store/gate/gate.h"

/* Why a visitor is not let in. */
typedef enum {
    IDV_GATE_LACKS_NOTHING,
    IDV_GATE_LACKS_PROOF,
    IDV_GATE_LACKS_AGE,      /* or identity: the proof is insufficient */
    IDV_GATE_LACKS_PLACE,    /* prohibited by the law of the place */
    IDV_GATE_LACKS_HTTPS,    /* or the Host is not one of this server */
    IDV_GATE_LACKS_DATABASE, /* the proof could not be confirmed */
} idv_gate_lack_t;

typedef struct idv_gate_visitor_t {
    const idv_gate_t *gate;
    idv_request_t *request;        /* on behalf of the gate as API caller */
    idv_gate_place_t place;        /* place.origin is NULL: not usable */
    const idv_gate_proof_t *proof; /* valid and confirmed; NULL: none */
    idv_gate_lack_t lack;
    int needed_age;          /* for IDV_GATE_LACKS_AGE; 0: identity */
    int is_granted;          /* flag: a Require was met by the proof */
    int is_navigation;       /* flag */
    const char *destination; /* the page the visitor wants */
} idv_gate_visitor_t;

/* The visitor of GATE who makes R; created at the first call of a request. */
idv_gate_visitor_t *idv_gate_visitor(request_rec *r, const idv_gate_t *gate);

/* Whether VISITOR meets DEMAND; sets the lack otherwise. */
int idv_gate_visitor_meets(idv_gate_visitor_t *visitor,
                           const idv_gate_demand_t *demand);

/* The standing of the session ID for VISITOR. A verification older than
 * VerifyGateMaxAge is no longer valid. */
idv_error_t *
idv_gate_visitor_standing(idv_gate_visitor_t *visitor, const char *id,
                          idv_gate_standing_t *standing) IDV_CHECKED;

/* Gives VISITOR the proof of a session with STANDING, which must be in
 * force. */
idv_error_t *
idv_gate_visitor_prove(idv_gate_visitor_t *visitor, const char *session_id,
                       const idv_gate_standing_t *standing) IDV_CHECKED;

/* The value of the cookie NAME that the browser sent with R, or NULL. */
const char *idv_gate_sent_cookie(request_rec *r, const char *name);

/* Removes the cookies of all gates, of whatever server, from the headers of R, so that
 * backends do not get them. idv_gate_sent_cookie() still finds them. */
void idv_gate_hide_cookies(request_rec *r);

/* Sets the cookie NAME for SECONDS; 0 and VALUE "" remove it. */
void idv_gate_set_cookie(request_rec *r, const char *name, const char *value,
                         apr_int64_t seconds);

#endif
