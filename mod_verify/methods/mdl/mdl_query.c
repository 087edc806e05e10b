/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/mdl/mdl_query.h"

#include <string.h>

#include <apr_strings.h>
#include <apr_tables.h>

#define COUNT(table) ((int)(sizeof(table) / sizeof(*(table))))

/* Ages for which every document that knows its holder's age has a statement. */
static const int usual_ages[] = {18, 21};

/* Elements that identify the holder. */
static const char *const identity_elements[] = {
    "family_name",     "given_name",      "birth_date",
    "document_number", "issuing_country", "issuing_authority",
};

/* The EU, and the three other countries of the EEA. */
static const char european[] = "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE "
                               "IT LT LU LV MT NL PL PT RO SE "
                               "SI SK IS LI NO";

int idv_mdl_is_european(const char *jurisdiction)
{
    char code[3] = "";

    if (!jurisdiction || strlen(jurisdiction) < 2)
        return 0;
    memcpy(code, jurisdiction, 2);
    return strstr(european, code) != NULL;
}

static void add(apr_array_header_t *elements, const char *name, int is_optional)
{
    idv_mdl_element_t *element = apr_array_push(elements);

    element->name_space = IDV_MDL_NAME_SPACE;
    element->element = name;
    element->is_optional = is_optional;
}

static const char *age_element(int years, apr_pool_t *pool)
{
    return apr_psprintf(pool, "age_over_%02d", years);
}

/* Adds the required age statement and, if alternatives can be requested, other
 * elements that prove the age. */
static void add_age(apr_array_header_t *elements, const idv_mdl_need_t *need,
                    int has_alternatives, apr_pool_t *pool)
{
    int years = need->required_age ? need->required_age : IDV_MDL_AGE_DEFAULT;
    int highest = usual_ages[COUNT(usual_ages) - 1];

    has_alternatives &= years < highest || !need->avoids_birth_date;
    add(elements, age_element(years, pool), has_alternatives);
    if (!has_alternatives)
        return;
    for (int i = 0; i < COUNT(usual_ages); i++)
        if (usual_ages[i] > years)
            add(elements, age_element(usual_ages[i], pool), 1);
    if (!need->avoids_birth_date)
        add(elements, "birth_date", 1);
}

static void fill_document(const idv_mdl_need_t *need, int has_alternatives,
                          idv_mdl_query_t *query, apr_pool_t *pool)
{
    apr_array_header_t *elements =
        apr_array_make(pool, 8, sizeof(idv_mdl_element_t));

    if (need->is_about_age)
        add_age(elements, need, has_alternatives, pool);
    for (int i = 0; !need->is_about_age && i < COUNT(identity_elements); i++)
        add(elements, identity_elements[i], 0);
    if (need->wants_portrait)
        add(elements, "portrait", 0);
    query->id = "mdl";
    query->doc_type = IDV_MDL_DOC_TYPE;
    query->elements = (const idv_mdl_element_t *)elements->elts;
    query->element_count = elements->nelts;
}

int idv_mdl_need_accepts_attestation(const idv_mdl_need_t *need)
{
    return need->is_about_age && !need->wants_portrait
        && need->required_age <= IDV_MDL_AGE_DEFAULT
        && idv_mdl_is_european(need->jurisdiction);
}

void idv_mdl_query(const idv_mdl_need_t *need, idv_mdl_request_t *request,
                   apr_pool_t *pool)
{
    static const idv_mdl_element_t attested = {IDV_AGE_ATTESTATION_NAME_SPACE,
                                               "age_over_18", 0};
    idv_mdl_query_t *queries = apr_pcalloc(pool, 2 * sizeof(*queries));

    request->queries = queries;
    request->query_count = 1;
    fill_document(need, request->channel != IDV_MDL_ISO_DC_API, &queries[0],
                  pool);
    if (!idv_mdl_need_accepts_attestation(need))
        return;
    queries[1] = (idv_mdl_query_t){"proof_of_age", IDV_AGE_ATTESTATION_DOC_TYPE,
                                   &attested, 1};
    request->query_count = 2;
}

int idv_mdl_query_has_alternatives(const idv_mdl_query_t *query)
{
    return query->element_count > 1 && query->elements[0].is_optional;
}
