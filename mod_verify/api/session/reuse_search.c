/* SPDX-License-Identifier: Apache-2.0 */
#include "api/session/reuse_search.h"

#include <string.h>

#include <apr_strings.h>

#include "core/id.h"
#include "domain/session/reuse_decision.h"
#include "domain/value/issued_secret.h"
#include "out/mail_notice.h"
#include "store/account/organization.h"
#include "store/db/work_queue.h"
#include "store/session/attempt_limit.h"
#include "store/session/session_risk.h"
#include "store/session/trust_reuse_record.h"
#include "store/transaction/trust_reuse_grant.h"

/* --- the e-mail to the person --- */

/* The recipient of a message, and the session that the message concerns. */
typedef struct {
    const char *email; /* normalized */
    const char *language; /* of the session's page; NULL: unknown */
    const idv_session_t *session;
} reader_t;

#define REVOKE_PAGE "/verify/revoke#"

static const char *revoke_link(const idv_services_t *services,
                               const idv_trust_reuse_grant_t *grant,
                               apr_pool_t *pool)
{
    char *link = apr_pstrcat(pool, services->settings->public_url, REVOKE_PAGE,
                             idv_trust_reuse_link_secret(services->keyring,
                                                         grant->organization_id,
                                                         grant->id, pool),
                             NULL);

    idv_wipe_with_pool(link, strlen(link), pool);
    return link;
}

static idv_error_t *write_message(const idv_services_t *services,
                                  const idv_trust_reuse_notice_t *notice,
                                  idv_mail_message_t *message,
                                  const char **text, apr_pool_t *pool)
{
    IDV_TRY(
        idv_mailbox_parse(services->settings->smtp_from, &message->from, pool));
    idv_trust_reuse_notice_write(notice, message, pool);
    IDV_TRY(idv_mail_message_write(message, text, pool));
    idv_wipe_with_pool((char *)*text, strlen(*text), pool);
    return NULL;
}

/* Queues the e-mail that informs READER of GRANT, which may be older than the
 * session, in the transaction that writes the session. The watchdog sends it.
 * Only for servers with VerifySMTP. */
static idv_error_t *queue_mail(idv_db_t *db, const idv_services_t *services,
                               const idv_trust_reuse_grant_t *grant,
                               const reader_t *reader, apr_pool_t *pool)
{
    const idv_session_t *session = reader->session;
    idv_trust_reuse_notice_t notice = {
        .wishes = reader->language,
        .identity = session->type != IDV_SESSION_TYPE_AGE,
        .age_tier = grant->age_tier,
        .granted_at = session->created,
        .link = revoke_link(services, grant, pool),
    };
    idv_mail_message_t message = {
        .to = reader->email,
        .id = idv_id_new(IDV_ID_OUTGOING_MAIL, session->created, pool),
        .date = session->created,
    };
    idv_outgoing_mail_draft_t draft = {
        .organization_id = grant->organization_id,
        .session_id = session->id,
        .grant_id = grant->id,
        .id = message.id,
        .recipient = reader->email,
        .now = session->created,
    };
    idv_organization_brand_t organization;

    IDV_TRY(idv_organization_brand(db, grant->organization_id, &organization,
                                   pool));
    notice.look =
        (idv_mail_look_t){organization.shown_name, organization.brand};
    IDV_TRY(write_message(services, &notice, &message, &draft.message, pool));
    return idv_outgoing_mail_queue(db, &draft, services->keyring, pool);
}

/* --- the search --- */

void idv_reuse_search_begin(const idv_request_t *request,
                            const idv_session_create_params_t *params,
                            idv_reuse_search_t *search)
{
    const idv_keyring_t *keyring = request->services->keyring;

    memset(search, 0, sizeof(*search));
    search->request = request;
    search->params = params;
    search->person.organization_id = request->key->organization_id;
    search->person.email = idv_identifier_digest(keyring, "email",
                                                 params->email, request->pool);
    search->person.phone = idv_identifier_digest(keyring, "phone",
                                                 params->phone, request->pool);
}

/* With accept_existing, a hash only narrows the results for the identifiers. */
static void keep_hash(const idv_reuse_search_t *search,
                      apr_array_header_t *credentials, apr_pool_t *pool)
{
    const char *hash = search->params->credential_hash;
    int kept = 0;

    for (int i = 0; i < credentials->nelts; i++) {
        const idv_reusable_t *one =
            APR_ARRAY_IDX(credentials, i, const idv_reusable_t *);
        const char *its_hash = idv_credential_hash(
            search->request->services->keyring, one->id, pool);

        if (strcmp(its_hash, hash) == 0)
            APR_ARRAY_IDX(credentials, kept++, const idv_reusable_t *) = one;
    }
    credentials->nelts = kept;
}

static idv_error_t *find_existing(idv_reuse_search_t *search, idv_db_t *db,
                                  idv_session_create_context_t *context,
                                  apr_array_header_t **credentials,
                                  apr_pool_t *pool)
{
    idv_time_t now = search->request->now;

    if (search->counted.attempts == 0)
        IDV_TRY(idv_accept_existing_count(db, &search->person, now,
                                          &search->counted, pool));
    context->lookups.accept_existing_attempts = search->counted.attempts;
    context->lookups.accept_existing_retry_after = search->counted.retry_after;
    IDV_TRY(
        idv_credentials_of_person(db, &search->person, now, credentials, pool));
    if (search->params->credential_hash)
        keep_hash(search, *credentials, pool);
    return NULL;
}

/* Browsers can claim any address and number, so these are not used to find a
 * person. */
static int is_browser(const idv_reuse_search_t *search)
{
    return search->request->key->type == IDV_KEY_PUBLISHABLE;
}

static int seeks_shared(const idv_reuse_search_t *search,
                        const idv_workflow_t *workflow)
{
    const idv_request_t *request = search->request;
    const idv_reuse_wish_t wish = {
        .params = search->params,
        .workflow = workflow,
        .is_browser = is_browser(search),
        .has_application = request->key->application_id != NULL,
        .tells_by_mail = request->services->settings->smtp != NULL,
    };

    return !search->without_trust && idv_reuse_seeks_shared(&wish);
}

int idv_reuse_is_sought(const idv_reuse_search_t *search,
                        const idv_workflow_t *workflow)
{
    const idv_session_create_params_t *params = search->params;

    return params->vp_token || params->accept_existing
        || params->credential_hash || seeks_shared(search, workflow);
}

/* Counts the look-up once, before anything depends on the person. */
static idv_error_t *ask(idv_reuse_search_t *search, idv_db_t *db,
                        const idv_scope_t *scope, apr_pool_t *pool)
{
    const idv_settings_t *settings = search->request->services->settings;
    const idv_trust_reuse_limits_t limits = {settings->trust_reuse_hourly,
                                             settings->trust_reuse_daily};

    if (search->asked)
        return NULL;
    IDV_TRY(idv_trust_reuse_ask(
        db,
        &(const idv_trust_reuse_lookup_t){
            .scope = *scope, .limits = &limits, .now = search->request->now},
        &search->ask_again_after, pool));
    search->asked = 1;
    return NULL;
}

/* The look-up does the same whether or not the person is known. Only its time
 * could differ, which idv_reuse_search_wait_for_tick() hides. */
static idv_error_t *find_shared(idv_reuse_search_t *search, idv_db_t *db,
                                idv_session_create_context_t *context,
                                apr_pool_t *pool)
{
    idv_scope_t scope = {context->organization_id, context->application_id};
    apr_array_header_t *shared;

    if (!seeks_shared(search, context->workflow))
        return NULL;
    search->looked_across = 1;
    IDV_TRY(ask(search, db, &scope, pool));
    context->lookups.trust_reuse_retry_after = search->ask_again_after;
    if (search->ask_again_after)
        return NULL;
    IDV_TRY(idv_trust_reuse_find(
        db,
        &(const idv_trust_reuse_query_t){.scope = scope,
                                         .person = &search->person,
                                         .now = search->request->now},
        &search->found.settings, &shared, pool));
    search->found.shared = shared;
    return NULL;
}

/* The credentials of the token's person, and whether the session names the same
 * person. */
static idv_error_t *find_token(idv_reuse_search_t *search, idv_db_t *db,
                               apr_array_header_t **credentials,
                               apr_pool_t *pool)
{
    idv_same_person_facts_t facts = {.claimed = is_browser(search)};

    IDV_TRY(idv_credentials_of_token(
        db,
        &(const idv_credential_query_t){.organization_id =
                                            search->person.organization_id,
                                        .text = search->params->vp_token,
                                        .now = search->request->now},
        credentials, pool));
    if ((*credentials)->nelts)
        IDV_TRY(idv_person_compare(
            db, &search->person,
            APR_ARRAY_IDX(*credentials, 0, const idv_reusable_t *)
                ->verified_person_id,
            &facts, pool));
    search->found.same_person = idv_same_person(&facts);
    return NULL;
}

idv_error_t *idv_reuse_search_find(idv_reuse_search_t *search, idv_db_t *db,
                                   idv_session_create_context_t *context,
                                   apr_pool_t *pool)
{
    const idv_session_create_params_t *params = search->params;
    const char *organization = search->person.organization_id;
    idv_time_t now = search->request->now;
    apr_array_header_t *credentials = NULL;

    context->reuse = &search->found;
    if (params->skip_verification)
        return NULL;
    if (params->vp_token)
        IDV_TRY(find_token(search, db, &credentials, pool));
    else if (is_browser(search))
        return NULL;
    else if (params->accept_existing)
        IDV_TRY(find_existing(search, db, context, &credentials, pool));
    else if (params->credential_hash)
        IDV_TRY(idv_credentials_of_hash(
            db,
            &(const idv_credential_query_t){.organization_id = organization,
                                            .text = params->credential_hash,
                                            .now = now},
            &credentials, pool));
    search->found.credentials = credentials;
    return find_shared(search, db, context, pool);
}

/* Writes the grant of trust reuse and the message to the person. Every session
 * does so, even if it was granted before. */
static idv_error_t *write_grant(idv_reuse_search_t *search, idv_db_t *db,
                                apr_int64_t *deliveries, apr_pool_t *pool)
{
    const idv_trust_reuse_granting_t granting = {
        .session = search->session,
        .chosen = search->found.granted,
        .digest = idv_person_query_digest(&search->person),
        .now = search->request->now,
    };
    const idv_scope_t scope = {search->session->organization_id,
                               search->session->application_id};
    const reader_t reader = {
        .email = search->params->email,
        .language = search->params->locale,
        .session = search->session,
    };
    const idv_trust_reuse_grant_t *grant;

    IDV_TRY(idv_trust_reuse_grant(db, &granting, &grant, deliveries, pool));
    IDV_TRY(idv_trust_reuse_meet(db, &scope, granting.now, pool));
    if (!reader.email || !search->request->services->settings->smtp)
        return NULL;
    search->mail_queued = 1;
    return queue_mail(db, search->request->services, grant, &reader, pool);
}

int idv_reuse_search_writes(const idv_reuse_search_t *search,
                            const idv_session_t *session)
{
    return search->found.granted || search->found.chosen
        || idv_session_is_elsewhere(session);
}

idv_error_t *idv_reuse_search_write(idv_db_t *db, void *baton,
                                    apr_int64_t *deliveries, apr_pool_t *pool)
{
    idv_reuse_search_t *search = baton;
    const idv_reuse_found_t *found = &search->found;
    idv_risk_doubts_t doubts = {
        .session = search->session,
        .policy = &search->request->services->risk->policy,
        .now = search->request->now,
    };
    int kept;

    if (found->granted)
        return write_grant(search, db, deliveries, pool);
    if (search->session->verification_path == IDV_PATH_VP_TOKEN)
        doubts.token = (idv_session_token_t){
            .credential_id = found->chosen->id,
            .same_person = found->same_person,
        };
    if (found->chosen)
        IDV_TRY(idv_credential_lock(db, search->person.organization_id,
                                    found->chosen->id, search->request->now,
                                    pool));
    return idv_risk_keep_doubts(db, &doubts, &kept, pool);
}

void idv_reuse_search_wait_for_tick(const idv_reuse_search_t *search)
{
    apr_time_t taken = apr_time_now() - search->request->r->request_time;

    apr_sleep(IDV_REUSE_ANSWER_GRID - taken % IDV_REUSE_ANSWER_GRID);
}

int idv_reuse_search_retry(idv_reuse_search_t *search, const idv_error_t *error)
{
    if (!error || !search->found.granted
        || (error->code != IDV_E_NO_MATCHING_VP
            && error->code != IDV_E_BILLING_SUSPENDED
            && error->code != IDV_E_TEST_QUOTA_EXCEEDED))
        return 0;
    memset(&search->found, 0, sizeof(search->found));
    search->without_trust = 1;
    return 1;
}
