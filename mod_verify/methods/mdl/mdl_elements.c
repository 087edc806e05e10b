/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/mdl/mdl_elements.h"

#include <ctype.h>
#include <string.h>

#include "methods/mdl/mdl_query.h"

#define COUNT(table) ((int)(sizeof(table) / sizeof(*(table))))

#define TEXT_MAX 600 /* bytes: 150 characters of UTF-8 */
#define AGE_PREFIX "age_over_"

/* Non-zero for the name of an element age_over_NN; *YEARS is NN. */
static int is_age_element(const char *element, int *years)
{
    const char *digits = element + strlen(AGE_PREFIX);

    if (strncmp(element, AGE_PREFIX, strlen(AGE_PREFIX)) != 0
        || strlen(digits) != 2 || !isdigit((unsigned char)digits[0])
        || !isdigit((unsigned char)digits[1]))
        return 0;
    *years = 10 * (digits[0] - '0') + digits[1] - '0';
    return 1;
}

/* --- requested elements --- */

/* Non-zero if ITEM answers the request for WANTED. */
static int answers(const idv_mdoc_item_t *item, const idv_mdl_element_t *wanted)
{
    int given, asked;

    if (strcmp(item->name_space, wanted->name_space) != 0)
        return 0;
    if (strcmp(item->element, wanted->element) == 0)
        return 1;
    if (!is_age_element(item->element, &given)
        || !is_age_element(wanted->element, &asked))
        return 0;
    return (idv_cbor_is_simple(item->value, IDV_CBOR_TRUE) && given > asked)
           || (idv_cbor_is_simple(item->value, IDV_CBOR_FALSE)
               && given < asked);
}

static int is_answered(const apr_array_header_t *items,
                       const idv_mdl_element_t *wanted)
{
    for (int i = 0; i < items->nelts; i++)
        if (answers(&APR_ARRAY_IDX(items, i, idv_mdoc_item_t), wanted))
            return 1;
    return 0;
}

void idv_mdl_match_elements(const apr_array_header_t *items,
                            const idv_mdl_query_t *query,
                            idv_mdl_findings_t *findings)
{
    int has_one = 0; /* of the elements that are alternatives */

    for (int i = 0; i < items->nelts; i++) {
        const idv_mdoc_item_t *item = &APR_ARRAY_IDX(items, i, idv_mdoc_item_t);
        int is_asked = 0;

        for (int j = 0; j < query->element_count && !is_asked; j++)
            is_asked = answers(item, &query->elements[j]);
        if (!is_asked)
            idv_mdl_fail(findings, IDV_MDL_REASON_ELEMENT_NOT_REQUESTED);
    }
    for (int j = 0; j < query->element_count; j++) {
        const idv_mdl_element_t *element = &query->elements[j];

        has_one |= element->is_optional && is_answered(items, element);
        if (!element->is_optional && !is_answered(items, element))
            idv_mdl_fail(findings, IDV_MDL_REASON_ELEMENT_MISSING);
    }
    if (idv_mdl_query_has_alternatives(query) && !has_one)
        idv_mdl_fail(findings, IDV_MDL_REASON_ELEMENT_MISSING);
    idv_mdl_pass(findings, IDV_MDL_CHECK_REQUESTED_ELEMENTS);
}

/* --- values --- */

typedef enum { TEXT, COUNTRY, JURISDICTION, DATE, PICTURE } kind_t;

static const struct {
    const char *element;
    kind_t kind;
    size_t offset;
} fields[] = {
#define FIELD(name, kind) { #name, kind, offsetof(idv_mdl_person_t, name) }
    FIELD(family_name, TEXT),
    FIELD(given_name, TEXT),
    FIELD(document_number, TEXT),
    FIELD(issuing_authority, TEXT),
    FIELD(issuing_country, COUNTRY),
    FIELD(issuing_jurisdiction, JURISDICTION),
    FIELD(birth_date, DATE),
    FIELD(issue_date, DATE),
    FIELD(expiry_date, DATE),
    FIELD(portrait, PICTURE),
#undef FIELD
};

/* Printable: no control characters, which elements never contain. */
static int is_printable(const char *text, apr_size_t most)
{
    apr_size_t length = strlen(text);

    for (const char *at = text; *at; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            return 0;
    return length > 0 && length <= most;
}

/* CC, or CC-RRR: ISO 3166-1 alpha-2, ISO 3166-2. */
static int is_place(const char *text, int has_region)
{
    const char *region = strlen(text) > 2 ? text + 3 : "";

    if (!isupper((unsigned char)text[0]) || !isupper((unsigned char)text[1]))
        return 0;
    if (!has_region)
        return text[2] == '\0';
    for (const char *at = region; *at; at++)
        if (!isupper((unsigned char)*at) && !isdigit((unsigned char)*at))
            return 0;
    return text[2] == '-' && *region && strlen(region) <= 3;
}

/* Zero if VALUE does not have that type. */
static int read_value(const idv_cbor_t *value, kind_t kind, void *place,
                      apr_pool_t *pool)
{
    const char *text = idv_cbor_text(value);

    switch (kind) {
    case DATE:
        return idv_mdoc_date(value, place, pool);
    case PICTURE:
        if (!idv_cbor_is(value, IDV_CBOR_BYTES) || !value->content.length
            || value->content.length > IDV_MDL_PORTRAIT_MAX)
            return 0;
        *(idv_bytes_t *)place = value->content;
        return 1;
    default:
        break;
    }
    if (!text || !is_printable(text, TEXT_MAX)
        || (kind == COUNTRY && !is_place(text, 0))
        || (kind == JURISDICTION && !is_place(text, 1)))
        return 0;
    *(const char **)place = text;
    return 1;
}

/* Zero if it is not a statement about an age. */
static int read_age(const idv_mdoc_item_t *item, int years,
                    idv_mdl_findings_t *findings)
{
    int is_true = idv_cbor_is_simple(item->value, IDV_CBOR_TRUE);
    idv_mdl_age_t *age;

    if ((!is_true && !idv_cbor_is_simple(item->value, IDV_CBOR_FALSE))
        || findings->ages->nelts == IDV_MDL_AGES_MAX)
        return 0;
    age = apr_array_push(findings->ages);
    age->over = years;
    age->is_true = is_true;
    return 1;
}

static int read_field(const idv_mdoc_item_t *item, idv_mdl_person_t *person,
                      apr_pool_t *pool)
{
    for (int i = 0; i < COUNT(fields); i++)
        if (strcmp(fields[i].element, item->element) == 0)
            return read_value(item->value, fields[i].kind,
                              (char *)person + fields[i].offset, pool);
    return 1;
}

void idv_mdl_read_elements(const apr_array_header_t *items,
                           idv_mdl_findings_t *findings,
                           idv_mdl_person_t *person, apr_pool_t *pool)
{
    memset(person, 0, sizeof(*person));
    for (int i = 0; i < items->nelts; i++) {
        const idv_mdoc_item_t *item = &APR_ARRAY_IDX(items, i, idv_mdoc_item_t);
        int is_mdl = strcmp(item->name_space, IDV_MDL_NAME_SPACE) == 0;
        int is_attestation =
            strcmp(item->name_space, IDV_AGE_ATTESTATION_NAME_SPACE) == 0;
        int is_good = 1, years;

        if ((is_mdl || is_attestation)
            && is_age_element(item->element, &years))
            is_good = read_age(item, years, findings);
        else if (is_mdl)
            is_good = read_field(item, person, pool);
        if (!is_good)
            idv_mdl_fail(findings, IDV_MDL_REASON_ELEMENT_TYPE_WRONG);
    }
    idv_mdl_pass(findings, IDV_MDL_CHECK_ELEMENT_TYPES);
}
