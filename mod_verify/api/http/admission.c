/* SPDX-License-Identifier: Apache-2.0 */
#include "api/http/admission.h"

#include <string.h>
#include <unistd.h>

#include "api/http/client_signals.h"
#include "store/session/attempt_limit.h"
#include "store/session/session_lookup.h"
#include "store/workflow/workflow.h"

#define RETRY_AFTER 2 /* seconds until a place may be free */
/* For each body that may wait with a thread, this many may wait without one:
 * each takes 64 KiB of memory. */
#define PARKED 8
/* For each answer that may be read with a thread, this many may be read without
 * one: each takes as much memory as it, or its piece, is long. */
#define PARKED_ANSWERS 4

/* The place that a request holds. Its pool gives it back at the latest. */
struct idv_admission_place_t {
    idv_place_table_t *table;
    apr_uint64_t ticket;
};

static int at_most(int number, int limit)
{
    return number < limit ? number : limit;
}

static int at_least_one(int number)
{
    return number > 1 ? number : 1;
}

/* The part of THREADS that bodies of one kind may occupy. */
static int part_of(const idv_admission_workers_t *workers, int threads)
{
    return at_least_one(threads / (workers->can_wait ? 2 : 3));
}

/* The share of THREADS for answers or waits of one kind, one in PARTS. */
static int share_of(const idv_admission_workers_t *workers, int threads,
                    int parts)
{
    return at_least_one(threads / (workers->can_wait ? parts : parts * 3 / 2));
}

/* The limit of one child for bodies of a kind. 0: no limit, because a prefork
 * child is a single worker, so that only the node can have one. */
static int part_of_child(const idv_admission_workers_t *workers)
{
    return workers->threads > 1 ? part_of(workers, workers->threads) : 0;
}

/* PLACES for each child of the node, as far as its threads allow. If IS_SHARED,
 * one child may hold all of them. */
static void limit_kind(idv_place_limits_t *limits, int places, int is_shared,
                       const idv_admission_workers_t *workers)
{
    int part = part_of_child(workers);
    int all = part_of(workers, workers->children * workers->threads);

    limits->node = at_most(at_most(places * workers->children, all),
                           IDV_PLACE_COUNT / IDV_PLACE_KIND_COUNT);
    limits->child = is_shared ? part : at_most(places, part);
}

/* PLACES for each child, up to one in PARTS of the threads. A credential gets
 * at most half. */
static void limit_share(idv_place_limits_t *limits, int places, int parts,
                        const idv_admission_workers_t *workers)
{
    int all =
        share_of(workers, workers->children * workers->threads, parts);

    limits->node = at_most(at_most(places * workers->children, all),
                           IDV_PLACE_COUNT / IDV_PLACE_KIND_COUNT);
    limits->child = workers->threads > 1
                      ? at_most(places,
                                share_of(workers, workers->threads, parts))
                      : 0;
    limits->credential = at_least_one(limits->node / 2);
}

static void limit_answers(idv_admission_t *admission,
                          const idv_settings_t *settings,
                          const idv_admission_workers_t *workers)
{
    idv_place_limits_t *parked = &admission->limits[IDV_PLACE_PARKED_ANSWER];
    idv_place_limits_t *public = &admission->limits[IDV_PLACE_PUBLIC_ANSWER];
    int places = settings->answer_places;

    limit_share(&admission->limits[IDV_PLACE_ANSWER], places, 4, workers);
    limit_share(public, workers->can_wait ? places : at_least_one(places / 2),
                workers->can_wait ? 4 : 8, workers);
    /* All streams of an HTTP/2 connection are in one child, so a client with
     * half of the places of two children could fill one of them. */
    if (workers->can_wait && public->child)
        public->credential = at_least_one(public->child / 2);
    parked->node = at_most(PARKED_ANSWERS * places * workers->children,
                           IDV_PLACE_COUNT / IDV_PLACE_KIND_COUNT);
    parked->credential = at_least_one(parked->node / 2);
    admission->limits[IDV_PLACE_PARKED_PUBLIC_ANSWER].node = parked->node;
}

static void limit_waits(idv_admission_t *admission,
                        const idv_admission_workers_t *workers)
{
    idv_place_limits_t *polls = &admission->limits[IDV_PLACE_POLL];
    idv_place_limits_t *exchanges = &admission->limits[IDV_PLACE_EXCHANGE];

    limit_share(polls, IDV_POLLS_MAX, 4, workers);
    limit_share(exchanges, IDV_EXCHANGES_MAX, 4, workers);
    polls->credential = at_most(polls->credential, IDV_POLLS_OF_SESSION);
    exchanges->credential =
        at_most(exchanges->credential, IDV_EXCHANGES_OF_SESSION);
}

void idv_admission_limit(idv_admission_t *admission,
                         const idv_settings_t *settings,
                         const idv_admission_workers_t *workers)
{
    idv_place_limits_t *bodies = &admission->limits[IDV_PLACE_BODY];
    idv_place_limits_t *parked = &admission->limits[IDV_PLACE_PARKED_BODY];
    idv_place_limits_t *uploads = &admission->limits[IDV_PLACE_UPLOAD];

    limit_kind(bodies, settings->body_places, 0, workers);
    bodies->address = settings->body_places_address;
    bodies->credential = settings->body_places_credential;
    parked->node = at_most(PARKED * settings->body_places * workers->children,
                           IDV_PLACE_COUNT / IDV_PLACE_KIND_COUNT);
    parked->address = PARKED * settings->body_places_address;
    parked->credential = PARKED * settings->body_places_credential;
    limit_kind(uploads, settings->upload_places, 1, workers);
    uploads->credential = IDV_UPLOAD_SESSION_PLACES;
    limit_answers(admission, settings, workers);
    limit_waits(admission, workers);
}

static apr_status_t give(void *baton)
{
    idv_admission_place_t *place = baton;

    if (place->ticket)
        idv_place_give(place->table, place->ticket);
    place->ticket = 0;
    return APR_SUCCESS;
}

static idv_error_t *refusal(idv_request_t *request, idv_place_kind_t kind,
                            idv_place_verdict_t verdict)
{
    static const char bodies[] = "This caller is still sending too many "
                                 "request bodies.";
    static const char answers[] = "This caller is still reading too many long "
                                  "responses.";
    static const char waits[] = "This caller has too many waiting requests.";
    static const char *const messages[] = {
        [IDV_PLACE_BODY] = bodies,
        [IDV_PLACE_PARKED_BODY] = bodies,
        [IDV_PLACE_UPLOAD] = "This caller is still sending too many images.",
        [IDV_PLACE_ANSWER] = answers,
        [IDV_PLACE_PARKED_ANSWER] = answers,
        [IDV_PLACE_PUBLIC_ANSWER] = answers,
        [IDV_PLACE_PARKED_PUBLIC_ANSWER] = answers,
        [IDV_PLACE_POLL] = waits,
        [IDV_PLACE_EXCHANGE] = waits,
    };
    int of_caller = verdict == IDV_PLACE_CREDENTIAL_FULL
        || verdict == IDV_PLACE_ADDRESS_FULL;
    idv_error_t *error = idv_error_new(
        of_caller ? IDV_E_RATE_LIMIT_EXCEEDED : IDV_E_SERVICE_UNAVAILABLE,
        request->pool);

    if (of_caller)
        error->message = messages[kind];
    error->retry_after = RETRY_AFTER;
    return error;
}

/* Sets the caller in CLAIM. */
static void name_caller(const idv_request_t *request, idv_place_claim_t *claim)
{
    const idv_api_key_t *key = request->key;

    claim->address =
        idv_address_client(request->r->useragent_ip, request->pool);
    claim->credential = claim->group = "";
    if (request->caller_id)
        claim->credential = request->caller_id;
    else if (key)
        claim->credential = key->id;
    if (request->caller_organization_id)
        claim->group = request->caller_organization_id;
    else if (key)
        claim->group = key->organization_id;
}

idv_error_t *idv_admission_take(idv_request_t *request, idv_place_kind_t kind,
                                int seconds)
{
    const idv_admission_t *admission = request->services->admission;
    idv_time_t now = idv_time_now();
    idv_place_claim_t claim = {
        .kind = kind,
        .child = getpid(),
        .now = now,
        .until = now + seconds * IDV_SECOND,
    };
    idv_admission_place_t *place = request->place;
    idv_place_verdict_t verdict;

    if (!admission || (place && place->ticket))
        return NULL;
    name_caller(request, &claim);
    if (!place) {
        place = apr_pcalloc(request->pool, sizeof(*place));
        place->table = admission->table;
        request->place = place;
        apr_pool_cleanup_register(request->pool, place, give,
                                  apr_pool_cleanup_null);
    }
    verdict = idv_place_take(admission->table, &claim,
                             &admission->limits[kind], &place->ticket);
    return verdict == IDV_PLACE_GRANTED ? NULL
                                        : refusal(request, kind, verdict);
}

void idv_admission_extend(idv_request_t *request, int seconds)
{
    const idv_admission_place_t *place = request->place;

    if (place && place->ticket)
        idv_place_extend(place->table, place->ticket,
                         idv_time_now() + seconds * IDV_SECOND);
}

void idv_admission_give(idv_request_t *request)
{
    if (request->place)
        give(request->place);
}

void idv_admission_count_late(const idv_request_t *request,
                              idv_place_kind_t kind)
{
    if (request->services->admission)
        idv_place_count_late(request->services->admission->table, kind);
}

/* --- images --- */

/* Seconds that an image keeps its place after it has arrived, while it is
 * sealed and stored. Then its process is assumed to have been killed. */
#define STORE_TIME 60

static idv_error_t *count_upload(idv_db_t *db, const idv_request_t *request,
                                 const idv_session_t *session, apr_pool_t *pool)
{
    const idv_attempt_limit_t attempt = {
        .organization_id = session->organization_id,
        .digest = idv_identifier_digest(request->services->keyring, "upload",
                                        session->id, pool),
        .window = IDV_UPLOADS_WINDOW,
        .limit = IDV_UPLOADS_MAX,
        .refusal = "Too many images or chips were sent in this session.",
    };

    return idv_attempt_admit(db, &attempt, request->now, pool);
}

/* Takes the place first, so that a request without a place does not count as an
 * upload. */
static idv_error_t *admit(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    idv_request_t *request = baton;
    const idv_settings_t *settings = request->services->settings;
    idv_session_record_t *record;
    idv_workflow_t *workflow;

    IDV_TRY(idv_session_authorize(
        db,
        &(const idv_session_claim_t){.secret = request->client_secret,
                                     .id = idv_request_path(request, "id"),
                                     .now = request->now},
        &record, pool));
    request->caller_id = record->session->id;
    request->caller_organization_id = record->session->organization_id;
    IDV_TRY(idv_session_check_device(record->session, &record->device, pool));
    IDV_TRY(idv_workflow_of_session(db, record->session, &workflow, pool));
    IDV_TRY(idv_session_check_awaiting(record->session, workflow, request->now,
                                       pool));
    IDV_TRY(idv_admission_take(request, IDV_PLACE_UPLOAD,
                               settings->body_time + STORE_TIME));
    return count_upload(db, request, record->session, pool);
}

idv_error_t *idv_upload_admit(idv_request_t *request)
{
    return idv_request_with_database(request, admit, request);
}
