/* SPDX-License-Identifier: Apache-2.0 */
#include "api/trust_reuse_mail.h"

#include <string.h>

#include <apr_strings.h>

#include "core/id.h"
#include "out/trust_reuse_notice.h"
#include "store/organization.h"
#include "store/trust_reuse_link.h"
#include "store/work_queue.h"

#define REVOKE_PAGE "/verify/revoke#"

static const char *revoke_link(const idv_services_t *services,
                               const idv_trust_reuse_grant_t *grant,
                               apr_pool_t *pool)
{
    char *link = apr_pstrcat(
        pool, services->settings->public_url, REVOKE_PAGE,
        idv_trust_reuse_link_secret(services->keyring, grant->organization_id,
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
    IDV_TRY(idv_mailbox_parse(services->settings->smtp_from, &message->from,
                              pool));
    idv_trust_reuse_notice_write(notice, message, pool);
    IDV_TRY(idv_mail_message_write(message, text, pool));
    idv_wipe_with_pool((char *)*text, strlen(*text), pool);
    return NULL;
}

idv_error_t *idv_trust_reuse_mail_queue(idv_db_t *db,
                                        const idv_services_t *services,
                                        const idv_trust_reuse_grant_t *grant,
                                        const idv_trust_reuse_reader_t *reader,
                                        apr_pool_t *pool)
{
    const idv_session_t *session = reader->session;
    idv_trust_reuse_notice_t notice = {
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
    idv_organization_t *organization;

    IDV_TRY(idv_organization_find(db, grant->organization_id, &organization,
                                  pool));
    notice.organization = organization->name;
    IDV_TRY(write_message(services, &notice, &message, &draft.message, pool));
    return idv_outgoing_mail_queue(db, &draft, services->keyring, pool);
}
