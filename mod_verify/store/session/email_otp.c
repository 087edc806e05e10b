/* SPDX-License-Identifier: Apache-2.0 */
#include "store/session/email_otp.h"

#include "store/session/attempt_limit.h"

#define SESSION_PARAMS(session)                                                \
    idv_db_text((session)->organization_id), idv_db_text((session)->id)

/* Whole seconds, one at least, until THEN. */
static int seconds_until(idv_time_t then, idv_time_t now)
{
    int seconds = (int)((then - now + IDV_SECOND - 1) / IDV_SECOND);

    return seconds > 1 ? seconds : 1;
}

static const char refusal[] = "Too many codes were requested. Try again later.";

static idv_error_t *too_often(int retry_after, apr_pool_t *pool)
{
    idv_error_t *error = idv_error_new(IDV_E_RATE_LIMIT_EXCEEDED, pool);

    error->message = refusal;
    error->retry_after = retry_after;
    return error;
}

idv_error_t *idv_email_otp_count(idv_db_t *db,
                                 const idv_email_otp_asking_t *asking,
                                 idv_time_t now, apr_pool_t *pool)
{
    const idv_attempt_limit_t limits[] = {
        {asking->organization_id, asking->session, IDV_EMAIL_OTP_SESSION_WINDOW,
         IDV_EMAIL_OTP_SESSION_MAX, refusal},
        {asking->organization_id, asking->network, IDV_EMAIL_OTP_WINDOW,
         IDV_EMAIL_OTP_NETWORK_MAX, refusal},
        {asking->organization_id, asking->address, IDV_EMAIL_OTP_WINDOW,
         IDV_EMAIL_OTP_ADDRESS_MAX, refusal},
    };

    for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++)
        IDV_TRY(idv_attempt_admit(db, &limits[i], now, pool));
    return NULL;
}

/* The stored code of a session. */
typedef struct {
    int exists;
    idv_email_otp_t otp;
    int tries;
    idv_time_t sent_at, expires_at;
} kept_t;

static idv_error_t *find(idv_db_t *db, const idv_session_t *session,
                         kept_t *kept, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_EMAIL_OTP_FIND,
                         IDV_DB_PARAMS(SESSION_PARAMS(session)), &rows, pool));
    *kept = (kept_t){.exists = idv_db_rows(rows) > 0};
    if (!kept->exists)
        return NULL;
    kept->otp.session_id = session->id;
    kept->otp.address_digest = idv_db_get_bytes(rows, 0, 0, pool);
    kept->otp.seed = idv_db_get_bytes(rows, 0, 1, pool);
    kept->tries = (int)idv_db_get_int(rows, 0, 2);
    kept->sent_at = idv_db_get_int(rows, 0, 3);
    kept->expires_at = idv_db_get_int(rows, 0, 4);
    return NULL;
}

static int equal(idv_bytes_t one, idv_bytes_t other)
{
    return one.length == other.length && one.length > 0
        && idv_equal_constant_time(one.data, other.data, one.length);
}

static int is_good_still(const kept_t *kept, idv_bytes_t address_digest,
                         idv_time_t now)
{
    return kept->exists && now < kept->expires_at
        && kept->tries < IDV_EMAIL_OTP_TRIES_MAX
        && equal(kept->otp.address_digest, address_digest);
}

static void make(const idv_session_t *session, idv_bytes_t address_digest,
                 kept_t *kept, apr_pool_t *pool)
{
    unsigned char *seed = apr_palloc(pool, IDV_EMAIL_OTP_SEED_SIZE);

    idv_random_bytes(seed, IDV_EMAIL_OTP_SEED_SIZE);
    kept->otp = (idv_email_otp_t){session->id, address_digest,
                                  {seed, IDV_EMAIL_OTP_SEED_SIZE}};
    kept->tries = 0;
}

idv_error_t *idv_email_otp_issue(idv_db_t *db, const idv_session_t *session,
                                 const idv_email_otp_wish_t *wish,
                                 idv_email_otp_issue_t *issue, apr_pool_t *pool)
{
    kept_t kept;

    IDV_TRY(find(db, session, &kept, pool));
    if (kept.exists && wish->now < kept.sent_at + IDV_EMAIL_OTP_PAUSE)
        return too_often(
            seconds_until(kept.sent_at + IDV_EMAIL_OTP_PAUSE, wish->now), pool);
    if (!is_good_still(&kept, wish->address_digest, wish->now))
        make(session, wish->address_digest, &kept, pool);
    issue->otp = kept.otp;
    issue->expires_at = wish->now + IDV_EMAIL_OTP_TIME;
    issue->resend_at = wish->now + IDV_EMAIL_OTP_PAUSE;
    return idv_db_execute(
        db, IDV_SQL_EMAIL_OTP_PUT,
        IDV_DB_PARAMS(SESSION_PARAMS(session),
                      idv_db_bytes(kept.otp.address_digest),
                      idv_db_bytes(kept.otp.seed), idv_db_int(kept.tries),
                      idv_db_time(wish->now), idv_db_time(issue->expires_at)),
        NULL, pool);
}

static idv_error_t *attempts_exceeded(const kept_t *kept, idv_time_t now,
                                      apr_pool_t *pool)
{
    idv_error_t *error = idv_error_new(IDV_E_OTP_ATTEMPTS_EXCEEDED, pool);

    error->retry_after =
        seconds_until(kept->sent_at + IDV_EMAIL_OTP_PAUSE, now);
    return error;
}

idv_error_t *idv_email_otp_try(idv_db_t *db, const idv_keyring_t *keyring,
                               const idv_email_otp_attempt_t *attempt,
                               apr_pool_t *pool)
{
    const idv_session_t *session = attempt->record->session;
    apr_int64_t counted;
    int matches;
    kept_t kept;

    IDV_TRY(find(db, session, &kept, pool));
    if (!kept.exists)
        return idv_error_new(IDV_E_OTP_NOT_PROVEN, pool);
    if (attempt->now >= kept.expires_at)
        return idv_error_new(IDV_E_OTP_EXPIRED, pool);
    IDV_TRY(idv_db_execute(db, IDV_SQL_EMAIL_OTP_TRY,
                           IDV_DB_PARAMS(SESSION_PARAMS(session),
                                         idv_db_int(IDV_EMAIL_OTP_TRIES_MAX)),
                           &counted, pool));
    if (!counted)
        return attempts_exceeded(&kept, attempt->now, pool);
    matches = idv_email_otp_matches(keyring, &kept.otp, attempt->code, pool);
    /* A code that was guessed for another address proves nothing. */
    matches &= equal(kept.otp.address_digest, attempt->record->email_digest);
    return matches ? NULL : idv_error_new(IDV_E_OTP_NOT_PROVEN, pool);
}

idv_error_t *idv_email_otp_remove(idv_db_t *db, const idv_session_t *session,
                                  apr_pool_t *pool)
{
    return idv_db_execute(db, IDV_SQL_EMAIL_OTP_REMOVE,
                          IDV_DB_PARAMS(SESSION_PARAMS(session)), NULL, pool);
}
