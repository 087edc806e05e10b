/* SPDX-License-Identifier: Apache-2.0 */
/*
 * POST /v1/widget/brand: whose page it is, for the holder of a secret that may
 * open nothing any more.
 *
 * - The response contains the name and the brand of the organization, and
 *   nothing about a session. It is the same before and after the secret's end,
 *   so that nobody learns from it whether the secret is good.
 * - Everything else is one error: a secret of no session, a wrong one, one whose
 *   person was erased, one of a disabled organization. All of them take the
 *   same statement.
 */
#include "api/http/request.h"
#include "api/http/response.h"
#include "domain/value/issued_secret.h"
#include "store/account/organization.h"
#include "store/session/handoff.h"

typedef struct {
    const char *secret;
} brand_input_t;

static const idv_parameter_t brand_parameters[] = {
    IDV_PARAMETER(STRING, brand_input_t, secret, IDV_REQUIRED, 1,
                  IDV_TOKEN_TEXT_MAX),
    {0},
};

typedef struct {
    idv_page_secret_t secret;
    idv_organization_brand_t organization;
} dressing_t;

static idv_error_t *invalid(apr_pool_t *pool)
{
    return idv_error_new(IDV_E_CLIENT_SECRET_INVALID, pool);
}

static idv_error_t *find_brand(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    dressing_t *dressing = baton;
    int known;

    IDV_TRY(idv_handoff_knows_secret(db, &dressing->secret, &known, pool));
    return known ? idv_organization_brand(db, dressing->secret.organization_id,
                                          &dressing->organization, pool)
                 : invalid(pool);
}

/* The form of a secret names its organization. */
static idv_error_t *parse(const char *text, idv_page_secret_t *secret,
                          apr_pool_t *pool)
{
    secret->secret = text;
    if (!idv_client_secret_parse(text, &secret->session_id,
                                 &secret->organization_id, pool))
        return NULL;
    secret->session_id = NULL;
    return idv_handoff_token_parse(text, &secret->organization_id, pool)
             ? invalid(pool)
             : NULL;
}

static const char *write_brand(const idv_organization_brand_t *organization,
                               apr_pool_t *pool)
{
    idv_json_writer_t object;

    idv_json_writer_init(&object, 500, pool);
    idv_json_open_object(&object, NULL);
    idv_json_put_text(&object, "object", "widget_brand");
    idv_json_put_text(&object, "organization", organization->shown_name);
    idv_json_put_raw(&object, "brand",
                     organization->brand ? organization->brand : "null");
    idv_json_close_object(&object);
    return idv_json_writer_text(&object, NULL);
}

idv_error_t *idv_widget_brand_retrieve(idv_request_t *request)
{
    dressing_t dressing = {0};
    brand_input_t body = {0};

    IDV_TRY(idv_request_parameters(request, brand_parameters, &body, NULL));
    IDV_TRY(parse(body.secret, &dressing.secret, request->pool));
    IDV_TRY(idv_request_with_database(request, find_brand, &dressing));
    return idv_respond_text(request, HTTP_OK,
                            write_brand(&dressing.organization, request->pool));
}
