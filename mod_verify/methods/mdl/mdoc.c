/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/mdl/mdoc.h"

#include <ctype.h>
#include <string.h>

#include <apr_strings.h>

/* One reading: its limits, and its results. */
typedef struct {
    idv_cbor_budget_t budget;
    apr_pool_t *pool;
} reading_t;

static idv_error_t *fault(const reading_t *reading, const char *place)
{
    return idv_error_param(reading->pool, NULL, "mdoc: %s", place);
}

/* The member KEY of MAP, if it has the type TYPE. */
static idv_error_t *member(const reading_t *reading, const idv_cbor_t *map,
                           const char *key, idv_cbor_type_t type,
                           const idv_cbor_t **value)
{
    *value = idv_cbor_member(map, key);
    return idv_cbor_is(*value, type) ? NULL : fault(reading, key);
}

static idv_error_t *text_member(const reading_t *reading, const idv_cbor_t *map,
                                const char *key, const char **text)
{
    *text = idv_cbor_text(idv_cbor_member(map, key));
    return *text ? NULL : fault(reading, key);
}

/* --- dates --- */

static int is_digits(const char *text, int from, int count)
{
    for (int i = from; i < from + count; i++)
        if (!isdigit((unsigned char)text[i]))
            return 0;
    return 1;
}

static int two_digits(const char *text)
{
    return 10 * (text[0] - '0') + text[1] - '0';
}

/* The text after the date and the T of RFC 3339: hh:mm:ss[.s…]Z. */
static int read_clock(const char *text, idv_time_t *time)
{
    if (strlen(text) < 9 || !is_digits(text, 0, 2) || text[2] != ':'
        || !is_digits(text, 3, 2) || text[5] != ':' || !is_digits(text, 6, 2)
        || two_digits(text) > 23 || two_digits(text + 3) > 59
        || two_digits(text + 6) > 60)
        return 0;
    *time = two_digits(text) * IDV_HOUR + two_digits(text + 3) * IDV_MINUTE
            + two_digits(text + 6) * IDV_SECOND;
    text += 8;
    if (*text == '.')
        for (text++; isdigit((unsigned char)*text); text++)
            continue;
    return text[0] == 'Z' && text[1] == '\0' && text[-1] != '.';
}

static int read_day(const char *text, idv_date_t *date, apr_pool_t *pool)
{
    const char *day = apr_pstrmemdup(pool, text, 10);

    return !idv_date_parse(day, date, pool) && idv_date_is_complete(*date);
}

int idv_mdoc_time(const idv_cbor_t *value, idv_time_t *time, apr_pool_t *pool)
{
    const char *text = idv_cbor_is(value, IDV_CBOR_TAG)
                               && value->number == IDV_CBOR_TAG_DATE_TIME
                           ? idv_cbor_text(value->first)
                           : NULL;
    idv_time_t clock;
    idv_date_t date;

    if (!text || strlen(text) < 20 || strlen(text) > 40 || text[10] != 'T'
        || !read_day(text, &date, pool) || !read_clock(text + 11, &clock))
        return 0;
    *time = idv_date_days(date) * IDV_DAY + clock;
    return 1;
}

int idv_mdoc_date(const idv_cbor_t *value, idv_date_t *date, apr_pool_t *pool)
{
    idv_time_t time;
    const char *text;

    if (idv_cbor_is(value, IDV_CBOR_TAG)
        && value->number == IDV_CBOR_TAG_DATE_TIME) {
        if (!idv_mdoc_time(value, &time, pool))
            return 0;
        *date = idv_date_at(time, 0);
        return 1;
    }
    if (idv_cbor_is(value, IDV_CBOR_TAG)
        && value->number == IDV_CBOR_TAG_FULL_DATE)
        value = value->first;
    text = idv_cbor_text(value);
    return text && strlen(text) == 10 && read_day(text, date, pool);
}

/* --- the security object --- */

static idv_error_t *read_validity(const reading_t *reading,
                                  const idv_cbor_t *map,
                                  idv_mdoc_security_object_t *object)
{
    const idv_cbor_t *update = idv_cbor_member(map, "expectedUpdate");

    if (!idv_mdoc_time(idv_cbor_member(map, "signed"), &object->signed_at,
                       reading->pool)
        || !idv_mdoc_time(idv_cbor_member(map, "validFrom"),
                          &object->valid_from, reading->pool)
        || !idv_mdoc_time(idv_cbor_member(map, "validUntil"),
                          &object->valid_until, reading->pool)
        || (update
            && !idv_mdoc_time(update, &object->expected_update,
                              reading->pool)))
        return fault(reading, "validityInfo");
    /* No issuer signed anything before 1970, and 0 means none. */
    if (object->signed_at <= 0 || object->valid_from <= 0
        || object->valid_until <= 0 || object->expected_update < 0)
        return fault(reading, "validityInfo");
    return NULL;
}

static idv_error_t *check_digest_maps(const reading_t *reading,
                                      const idv_cbor_t *spaces)
{
    for (const idv_cbor_t *space = spaces->first; space;
         space = space->next->next) {
        const idv_cbor_t *digests = space->next;

        if (!idv_cbor_text(space) || !idv_cbor_is(digests, IDV_CBOR_MAP))
            return fault(reading, "valueDigests");
        for (const idv_cbor_t *id = digests->first; id; id = id->next->next)
            if (!idv_cbor_is(id, IDV_CBOR_UNSIGNED)
                || !idv_cbor_is(id->next, IDV_CBOR_BYTES))
                return fault(reading, "valueDigests");
    }
    return NULL;
}

/* An array of texts. */
static int is_list(const idv_cbor_t *list)
{
    if (!idv_cbor_is(list, IDV_CBOR_ARRAY))
        return 0;
    for (const idv_cbor_t *text = list->first; text; text = text->next)
        if (!idv_cbor_text(text))
            return 0;
    return 1;
}

static idv_error_t *read_authorizations(const reading_t *reading,
                                        const idv_cbor_t *map,
                                        idv_mdoc_security_object_t *object)
{
    const idv_cbor_t *spaces = idv_cbor_member(map, "nameSpaces");
    const idv_cbor_t *elements = idv_cbor_member(map, "dataElements");

    if (map && !idv_cbor_is(map, IDV_CBOR_MAP))
        return fault(reading, "keyAuthorizations");
    if (spaces && !is_list(spaces))
        return fault(reading, "keyAuthorizations");
    if (elements && !idv_cbor_is(elements, IDV_CBOR_MAP))
        return fault(reading, "keyAuthorizations");
    for (const idv_cbor_t *space = elements ? elements->first : NULL; space;
         space = space->next->next)
        if (!idv_cbor_text(space) || !is_list(space->next))
            return fault(reading, "keyAuthorizations");
    object->authorized_spaces = spaces;
    object->authorized_elements = elements;
    return NULL;
}

/* An address that the watchdog may fetch. */
static int is_address(const char *text)
{
    apr_size_t length = strlen(text);

    for (const char *at = text; *at; at++)
        if (*at <= ' ' || *at > '~')
            return 0;
    return length <= IDV_MDOC_ADDRESS_MAX
           && (strncmp(text, "https://", 8) == 0
               || strncmp(text, "http://", 7) == 0);
}

static idv_error_t *read_status(const reading_t *reading,
                                const idv_cbor_t *status,
                                idv_mdoc_status_t *out)
{
    const idv_cbor_t *list = idv_cbor_member(status, "status_list");
    const idv_cbor_t *identifiers = idv_cbor_member(status, "identifier_list");
    const idv_cbor_t *identifier;

    if (status && !idv_cbor_is(status, IDV_CBOR_MAP))
        return fault(reading, "status");
    if (list) {
        IDV_TRY(text_member(reading, list, "uri", &out->list_address));
        if (!idv_cbor_integer(idv_cbor_member(list, "idx"), &out->list_index)
            || out->list_index < 0 || !is_address(out->list_address))
            return fault(reading, "status_list");
    }
    if (identifiers) {
        IDV_TRY(text_member(reading, identifiers, "uri",
                            &out->identifier_address));
        IDV_TRY(member(reading, identifiers, "id", IDV_CBOR_BYTES,
                       &identifier));
        out->identifier = identifier->content;
        if (!out->identifier.length
            || out->identifier.length > IDV_MDOC_IDENTIFIER_MAX
            || !is_address(out->identifier_address))
            return fault(reading, "identifier_list");
    }
    return NULL;
}

static idv_error_t *read_security_object(reading_t *reading,
                                         idv_bytes_t payload,
                                         idv_mdoc_security_object_t *object)
{
    const idv_cbor_t *outer, *map, *value, *key_info;
    const char *version;

    IDV_TRY(idv_cbor_read(payload, &reading->budget, &outer, reading->pool));
    IDV_TRY(idv_cbor_open(outer, &reading->budget, &map, reading->pool));
    IDV_TRY(text_member(reading, map, "version", &version));
    if (strncmp(version, "1.", 2) != 0)
        return fault(reading, "version of the security object");
    IDV_TRY(text_member(reading, map, "digestAlgorithm",
                        &object->digest_algorithm));
    IDV_TRY(text_member(reading, map, "docType", &object->doc_type));
    IDV_TRY(member(reading, map, "valueDigests", IDV_CBOR_MAP,
                   &object->value_digests));
    IDV_TRY(check_digest_maps(reading, object->value_digests));
    IDV_TRY(member(reading, map, "deviceKeyInfo", IDV_CBOR_MAP, &key_info));
    IDV_TRY(member(reading, key_info, "deviceKey", IDV_CBOR_MAP,
                   &object->device_key));
    IDV_TRY(read_authorizations(
        reading, idv_cbor_member(key_info, "keyAuthorizations"), object));
    IDV_TRY(member(reading, map, "validityInfo", IDV_CBOR_MAP, &value));
    IDV_TRY(read_validity(reading, value, object));
    return read_status(reading, idv_cbor_member(map, "status"),
                       &object->status);
}

/* --- signed by the issuer --- */

static idv_error_t *read_item(reading_t *reading, const idv_cbor_t *tagged,
                              idv_mdoc_item_t *item)
{
    const idv_cbor_t *map, *random;

    IDV_TRY(idv_cbor_open(tagged, &reading->budget, &map, reading->pool));
    IDV_TRY(text_member(reading, map, "elementIdentifier", &item->element));
    IDV_TRY(member(reading, map, "random", IDV_CBOR_BYTES, &random));
    item->value = idv_cbor_member(map, "elementValue");
    if (!item->value)
        return fault(reading, "elementValue");
    if (!idv_cbor_integer(idv_cbor_member(map, "digestID"), &item->digest_id)
        || item->digest_id < 0)
        return fault(reading, "digestID");
    item->random = random->content;
    item->tagged = tagged->encoded;
    return NULL;
}

static idv_error_t *read_items(reading_t *reading, const idv_cbor_t *spaces,
                               apr_array_header_t *items)
{
    if (spaces && !idv_cbor_is(spaces, IDV_CBOR_MAP))
        return fault(reading, "nameSpaces");
    for (const idv_cbor_t *space = spaces ? spaces->first : NULL; space;
         space = space->next->next) {
        const char *name = idv_cbor_text(space);

        if (!name || !idv_cbor_is(space->next, IDV_CBOR_ARRAY))
            return fault(reading, "nameSpaces");
        for (const idv_cbor_t *tagged = space->next->first; tagged;
             tagged = tagged->next) {
            idv_mdoc_item_t *item = apr_array_push(items);

            if (items->nelts > IDV_MDOC_MAX_ELEMENTS)
                return fault(reading, "too many elements");
            memset(item, 0, sizeof(*item));
            item->name_space = name;
            IDV_TRY(read_item(reading, tagged, item));
        }
    }
    return NULL;
}

static idv_error_t *read_issuer_signed(reading_t *reading,
                                       const idv_cbor_t *map,
                                       idv_mdoc_document_t *document)
{
    document->items = apr_array_make(reading->pool, 8, sizeof(idv_mdoc_item_t));
    IDV_TRY(read_items(reading, idv_cbor_member(map, "nameSpaces"),
                       document->items));
    IDV_TRY(idv_cose_read(idv_cbor_member(map, "issuerAuth"), &reading->budget,
                          &document->issuer_auth, reading->pool));
    if (document->issuer_auth.is_detached)
        return fault(reading, "issuerAuth");
    return read_security_object(reading, document->issuer_auth.payload,
                                &document->security);
}

/* --- signed by the device --- */

static idv_error_t *read_device_items(reading_t *reading,
                                      const idv_cbor_t *spaces,
                                      apr_array_header_t *items)
{
    if (!idv_cbor_is(spaces, IDV_CBOR_MAP))
        return fault(reading, "nameSpaces of the device");
    for (const idv_cbor_t *space = spaces->first; space;
         space = space->next->next) {
        if (!idv_cbor_text(space) || !idv_cbor_is(space->next, IDV_CBOR_MAP))
            return fault(reading, "nameSpaces of the device");
        for (const idv_cbor_t *name = space->next->first; name;
             name = name->next->next) {
            idv_mdoc_item_t *item = apr_array_push(items);

            if (!idv_cbor_text(name))
                return fault(reading, "nameSpaces of the device");
            memset(item, 0, sizeof(*item));
            item->name_space = idv_cbor_text(space);
            item->element = idv_cbor_text(name);
            item->value = name->next;
        }
    }
    return NULL;
}

static idv_error_t *read_device_signed(reading_t *reading,
                                       const idv_cbor_t *map,
                                       idv_mdoc_document_t *document)
{
    const idv_cbor_t *spaces, *inner, *auth, *signature, *mac;

    IDV_TRY(member(reading, map, "nameSpaces", IDV_CBOR_TAG, &spaces));
    IDV_TRY(idv_cbor_open(spaces, &reading->budget, &inner, reading->pool));
    document->device_spaces = spaces->encoded;
    document->device_items =
        apr_array_make(reading->pool, 1, sizeof(idv_mdoc_item_t));
    IDV_TRY(read_device_items(reading, inner, document->device_items));
    IDV_TRY(member(reading, map, "deviceAuth", IDV_CBOR_MAP, &auth));
    signature = idv_cbor_member(auth, "deviceSignature");
    mac = idv_cbor_member(auth, "deviceMac");
    if (!signature == !mac)
        return fault(reading, "deviceAuth");
    document->has_device_mac = mac != NULL;
    IDV_TRY(idv_cose_read(mac ? mac : signature, &reading->budget,
                          &document->device_auth, reading->pool));
    /* 9.1.3.4: both sides know the signed content. */
    return document->device_auth.is_detached ? NULL
                                             : fault(reading, "deviceAuth");
}

/* --- the response --- */

/* errors: {name space: {element: code}} */
static idv_error_t *count_element_errors(const reading_t *reading,
                                         const idv_cbor_t *errors, int *count)
{
    if (errors && !idv_cbor_is(errors, IDV_CBOR_MAP))
        return fault(reading, "errors");
    for (const idv_cbor_t *space = errors ? errors->first : NULL; space;
         space = space->next->next) {
        if (!idv_cbor_text(space) || !idv_cbor_is(space->next, IDV_CBOR_MAP))
            return fault(reading, "errors");
        for (const idv_cbor_t *element = space->next->first; element;
             element = element->next->next) {
            apr_int64_t code;

            if (!idv_cbor_text(element)
                || !idv_cbor_integer(element->next, &code))
                return fault(reading, "errors");
            ++*count;
        }
    }
    return NULL;
}

static idv_error_t *read_document(reading_t *reading, const idv_cbor_t *map,
                                  idv_mdoc_document_t *document)
{
    const idv_cbor_t *issuer_signed, *device_signed;

    IDV_TRY(text_member(reading, map, "docType", &document->doc_type));
    IDV_TRY(member(reading, map, "issuerSigned", IDV_CBOR_MAP,
                   &issuer_signed));
    IDV_TRY(member(reading, map, "deviceSigned", IDV_CBOR_MAP,
                   &device_signed));
    IDV_TRY(read_issuer_signed(reading, issuer_signed, document));
    IDV_TRY(read_device_signed(reading, device_signed, document));
    return count_element_errors(reading, idv_cbor_member(map, "errors"),
                                &document->error_count);
}

/* documentErrors: [{document type: code}] */
static idv_error_t *count_document_errors(const reading_t *reading,
                                          const idv_cbor_t *errors, int *count)
{
    if (errors && !idv_cbor_is(errors, IDV_CBOR_ARRAY))
        return fault(reading, "documentErrors");
    for (const idv_cbor_t *error = errors ? errors->first : NULL; error;
         error = error->next) {
        apr_int64_t code;

        if (!idv_cbor_is(error, IDV_CBOR_MAP) || error->count != 1
            || !idv_cbor_text(error->first)
            || !idv_cbor_integer(error->first->next, &code))
            return fault(reading, "documentErrors");
        ++*count;
    }
    return NULL;
}

static idv_error_t *read_documents(reading_t *reading,
                                   const idv_cbor_t *documents,
                                   apr_array_header_t *list)
{
    if (documents && !idv_cbor_is(documents, IDV_CBOR_ARRAY))
        return fault(reading, "documents");
    if (documents && documents->count > IDV_MDOC_MAX_DOCUMENTS)
        return fault(reading, "too many documents");
    for (const idv_cbor_t *map = documents ? documents->first : NULL; map;
         map = map->next) {
        idv_mdoc_document_t *document = apr_array_push(list);

        memset(document, 0, sizeof(*document));
        IDV_TRY(read_document(reading, map, document));
    }
    return NULL;
}

idv_error_t *idv_mdoc_read(idv_bytes_t bytes, idv_mdoc_response_t **out,
                           apr_pool_t *pool)
{
    idv_mdoc_response_t *response = apr_pcalloc(pool, sizeof(*response));
    reading_t reading = { IDV_CBOR_BUDGET, pool };
    const idv_cbor_t *map;

    *out = response;
    IDV_TRY(idv_cbor_read(bytes, &reading.budget, &map, pool));
    IDV_TRY(text_member(&reading, map, "version", &response->version));
    if (!idv_cbor_integer(idv_cbor_member(map, "status"), &response->status))
        return fault(&reading, "status of the response");
    response->documents =
        apr_array_make(pool, 1, sizeof(idv_mdoc_document_t));
    IDV_TRY(read_documents(&reading, idv_cbor_member(map, "documents"),
                           response->documents));
    return count_document_errors(&reading,
                                 idv_cbor_member(map, "documentErrors"),
                                 &response->error_count);
}
