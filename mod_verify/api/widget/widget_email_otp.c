/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /v1/widget/sessions/:id/email_otp: a person proves ownership of the session's
 * e-mail address with a code that is sent to it. domain/session/email_otp.h
 * explains why the response is the same for any other address.
 */
#include <string.h>

#include <apr_strings.h>
#include <apr_time.h>

#include "api/http/client_signals.h"
#include "api/http/response.h"
#include "api/widget/page_site.h"
#include "api/widget/widget_visit.h"
#include "domain/value/identifier.h"
#include "out/mail_code.h"
#include "store/account/organization.h"
#include "store/db/work_queue.h"
#include "store/session/email_otp.h"
#include "worker/watchdog/watchdog.h"

/* Responses are sent at whole multiples of this after the request, so that
 * timing does not reveal whether an e-mail was written. */
#define ANSWER_GRID apr_time_from_msec(10)

#define LANGUAGE_MAX 35 /* characters of a language tag (RFC 5646, 4.4.1) */
#define CODE_MAX 64     /* characters typed as a code */

/* --- requesting a code --- */

typedef struct {
    const char *email;    /* normalized; personal: never log */
    const char *language; /* NULL: that of the browser */
} asking_input_t;

static const idv_parameter_t asking_parameters[] = {
    IDV_PARAMETER(EMAIL, asking_input_t, email, IDV_REQUIRED, 1, 1000),
    IDV_PARAMETER(STRING, asking_input_t, language, 0, 1, LANGUAGE_MAX),
    {0},
};

typedef struct {
    idv_visit_t visit;
    asking_input_t input;
    idv_bytes_t address_digest;
    idv_email_otp_issue_t issue;
    int mail_queued;
} asking_t;

static idv_error_t *write_message(const asking_t *asking,
                                  const idv_mail_look_t *look,
                                  idv_mail_message_t *message,
                                  const char **text, apr_pool_t *pool)
{
    const idv_request_t *request = asking->visit.request;
    idv_mail_code_t mail = {
        .look = *look,
        .code = idv_email_otp_code(request->services->keyring,
                                   &asking->issue.otp, pool),
        .minutes = (int)(IDV_EMAIL_OTP_TIME / IDV_MINUTE),
        .wishes = asking->input.language
                    ? asking->input.language
                    : apr_table_get(request->r->headers_in, "Accept-Language"),
    };
    idv_page_site_t site;

    IDV_TRY(idv_page_site(request->services->settings->public_url, &site,
                          pool));
    mail.host = site.host; /* browsers bind the code to it */
    IDV_TRY(idv_mailbox_parse(request->services->settings->smtp_from,
                              &message->from, pool));
    idv_mail_code_write(&mail, message, pool);
    IDV_TRY(idv_mail_message_write(message, text, pool));
    idv_wipe_with_pool((char *)*text, strlen(*text), pool);
    return NULL;
}

/* The e-mail is always written, but only queued for the session's address. */
static idv_error_t *mail_code(idv_db_t *db, asking_t *asking, apr_pool_t *pool)
{
    const idv_visit_t *visit = &asking->visit;
    const idv_session_record_t *record = visit->record;
    idv_time_t now = visit->request->now;
    idv_mail_message_t message = {
        .to = asking->input.email,
        .id = idv_id_new(IDV_ID_OUTGOING_MAIL, now, pool),
        .date = now,
    };
    idv_outgoing_mail_draft_t draft = {
        .organization_id = visit->scope.organization_id,
        .session_id = visit->session_id,
        .id = message.id,
        .recipient = asking->input.email,
        .now = now,
        .useless_at = asking->issue.expires_at,
    };
    idv_organization_brand_t organization;

    IDV_TRY(idv_organization_brand(db, visit->scope.organization_id,
                                   &organization, pool));
    IDV_TRY(write_message(
        asking,
        &(const idv_mail_look_t){organization.shown_name, organization.brand},
        &message, &draft.message, pool));
    if (record->email_digest.length != asking->address_digest.length
        || !idv_equal_constant_time(record->email_digest.data,
                                    asking->address_digest.data,
                                    asking->address_digest.length))
        return NULL;
    asking->mail_queued = 1;
    return idv_outgoing_mail_queue(db, &draft, visit->request->services->keyring,
                                   pool);
}

static idv_error_t *issue(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    asking_t *asking = baton;
    const idv_session_t *session = asking->visit.record->session;

    asking->mail_queued = 0;
    IDV_TRY(idv_session_check_otp(session, asking->visit.request->now, pool));
    IDV_TRY(idv_email_otp_issue(
        db, session,
        &(const idv_email_otp_wish_t){.address_digest = asking->address_digest,
                                      .now = asking->visit.request->now},
        &asking->issue, pool));
    return mail_code(db, asking, pool);
}

/* The counter of requests for the typed address. It combines that address with
 * the session's own. So typing another person's address does not use up their
 * limit, and any address has the same limit. */
static idv_bytes_t address_counter(const asking_t *asking, apr_pool_t *pool)
{
    const idv_visit_t *visit = &asking->visit;
    idv_bytes_t own = visit->record->email_digest;

    return idv_identifier_digest(
        visit->request->services->keyring, "email_otp_address",
        apr_pstrcat(pool, asking->input.email, " ",
                    idv_hex(own.data, own.length, pool), NULL),
        pool);
}

/* Counts outside the transaction, so that refused requests count too. A session
 * that does not accept a code does not count. */
static idv_error_t *count(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    asking_t *asking = baton;
    idv_visit_t *visit = &asking->visit;
    const idv_request_t *request = visit->request;
    const idv_keyring_t *keyring = request->services->keyring;
    idv_email_otp_asking_t counted = {
        .organization_id = visit->scope.organization_id,
        .session = idv_identifier_digest(keyring, "email_otp_session",
                                         visit->session_id, pool),
        .network = idv_identifier_digest(
            keyring, "email_otp_network",
            idv_address_client(request->r->useragent_ip, pool), pool),
    };

    IDV_TRY(idv_visit_authorize(db, visit, pool));
    IDV_TRY(idv_session_check_device(visit->record->session, &visit->device,
                                     pool));
    IDV_TRY(idv_session_check_otp(visit->record->session, request->now, pool));
    counted.address = address_counter(asking, pool);
    return idv_email_otp_count(db, &counted, request->now, pool);
}

static void wait_for_tick(const idv_request_t *request)
{
    apr_time_t taken = apr_time_now() - request->r->request_time;

    apr_sleep(ANSWER_GRID - taken % ANSWER_GRID);
}

static idv_error_t *respond_asked(const asking_t *asking)
{
    idv_request_t *request = asking->visit.request;
    idv_json_writer_t object;

    idv_json_writer_init(&object, 500, request->pool);
    idv_json_open_object(&object, NULL);
    idv_json_put_text(&object, "object", "email_otp");
    idv_json_put_text(&object, "sent_to",
                      idv_email_masked(asking->input.email, request->pool));
    idv_json_put_seconds(&object, "expires_at", asking->issue.expires_at);
    idv_json_put_seconds(&object, "resend_at", asking->issue.resend_at);
    idv_json_close_object(&object);
    return idv_respond_text(request, HTTP_ACCEPTED,
                            idv_json_writer_text(&object, NULL));
}

idv_error_t *idv_widget_email_otp_ask(idv_request_t *request)
{
    const idv_services_t *services = request->services;
    asking_t asking = {0};

    IDV_TRY(idv_visit_begin(request, &asking.visit));
    IDV_TRY(idv_request_parameters(request, asking_parameters, &asking.input,
                                   NULL));
    if (!services->settings->smtp)
        return idv_error_unavailable(request->pool, 0,
                                     "codes need VerifySMTP");
    asking.address_digest = idv_identifier_digest(
        services->keyring, "email", asking.input.email, request->pool);
    IDV_TRY(idv_request_with_database(request, count, &asking));
    IDV_TRY(idv_visit_write(&asking.visit, issue, &asking));
    if (asking.mail_queued)
        services->wake(services, IDV_WORK_MAIL);
    wait_for_tick(request);
    return respond_asked(&asking);
}

/* --- entering the code --- */

typedef struct {
    const char *code;
} check_input_t;

static const idv_parameter_t check_parameters[] = {
    IDV_PARAMETER(STRING, check_input_t, code, IDV_REQUIRED, 1, CODE_MAX),
    {0},
};

typedef struct {
    idv_visit_t visit;
    const char *code;
} check_t;

static idv_error_t *use_up(idv_db_t *db, void *baton,
                           idv_session_record_t *after, apr_pool_t *pool)
{
    (void)baton;
    return idv_email_otp_remove(db, after->session, pool);
}

static idv_error_t *check_code(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    check_t *check = baton;
    idv_visit_t *visit = &check->visit;
    const idv_request_t *request = visit->request;

    IDV_TRY(idv_visit_authorize(db, visit, pool));
    IDV_TRY(idv_session_check_device(visit->record->session, &visit->device,
                                     pool));
    IDV_TRY(idv_session_check_otp(visit->record->session, request->now, pool));
    IDV_TRY(idv_email_otp_try(
        db, request->services->keyring,
        &(const idv_email_otp_attempt_t){
            .record = visit->record, .code = check->code, .now = request->now},
        pool));
    IDV_TRY(idv_visit_apply(db, visit, pool));
    return idv_visit_look(db, visit, pool);
}

idv_error_t *idv_widget_email_otp_check(idv_request_t *request)
{
    const idv_session_input_t input = {.type = IDV_INPUT_EMAIL_PROVEN};
    check_t check = {0};
    check_input_t body = {0};

    IDV_TRY(idv_visit_begin(request, &check.visit));
    IDV_TRY(idv_request_parameters(request, check_parameters, &body, NULL));
    check.code = body.code;
    check.visit.input = &input;
    check.visit.condition = use_up;
    IDV_TRY(idv_request_with_database(request, check_code, &check));
    return idv_visit_respond(&check.visit);
}
