/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/passport/data_groups.h"

#include <string.h>

#include <apr_strings.h>

#include "core/json.h"
#include "methods/passport/chip_dump.h"
#include "methods/passport/tlv.h"

#define TEXT_MAX 256
#define INFOS_MAX 64 /* elements of DG14 */

static idv_error_t *malformed(idv_chip_file_t file, apr_pool_t *pool)
{
    return idv_error_param(pool, idv_chip_file_name(file),
                           "The file does not have the form that ICAO Doc 9303 "
                           "requires.");
}

/* A reader of the file's content, which must be the only element. */
static idv_tlv_reader_t open_file(idv_bytes_t bytes, idv_chip_file_t file,
                                  int *fault)
{
    idv_tlv_reader_t outer = idv_tlv_open(bytes, fault);
    idv_tlv_reader_t inner = idv_tlv_enter(&outer, idv_chip_file_tag(file));

    idv_tlv_finish(&outer);
    return inner;
}

/* --- EF.COM --- */

/* The data group in a file with the tag TAG; 0: none. */
static int data_group_of_tag(unsigned char tag)
{
    /* 9303-10, table 38: ordered by number. */
    static const unsigned char tags[] = {0x61, 0x75, 0x63, 0x76, 0x65, 0x66,
                                         0x67, 0x68, 0x69, 0x6A, 0x6B, 0x6C,
                                         0x6D, 0x6E, 0x6F, 0x70};
    const unsigned char *found = memchr(tags, tag, sizeof(tags));

    return found ? (int)(found - tags) + 1 : 0;
}

idv_error_t *idv_ef_com_read(idv_bytes_t file, idv_data_groups_t *groups,
                             apr_pool_t *result)
{
    int fault = 0, listed = 0;
    idv_tlv_reader_t reader = open_file(file, IDV_CHIP_COM, &fault);

    *groups = 0;
    while (idv_tlv_has_more(&reader)) {
        idv_tlv_t element = idv_tlv_read(&reader);

        if (element.tag != 0x5C)
            continue;
        listed = 1;
        for (apr_size_t i = 0; i < element.content.length; i++) {
            int group = data_group_of_tag(element.content.data[i]);

            if (group == 0)
                fault = 1;
            *groups |= 1u << group;
        }
    }
    return fault || !listed ? malformed(IDV_CHIP_COM, result) : NULL;
}

/* --- DG1 --- */

idv_error_t *idv_dg1_read(idv_bytes_t file, idv_mrz_text_t *zone,
                          apr_pool_t *result)
{
    static const struct {
        apr_size_t length;
        int rows;
        int columns;
    } shapes[] = {{90, 3, 30}, {72, 2, 36}, {88, 2, 44}};
    int fault = 0;
    idv_tlv_reader_t reader = open_file(file, IDV_CHIP_DG1, &fault);
    idv_bytes_t text = idv_tlv_expect(&reader, 0x5F1F).content;

    memset(zone, 0, sizeof(*zone));
    idv_tlv_finish(&reader);
    for (apr_size_t i = 0; i < text.length; i++)
        if (!idv_mrz_charset_has(IDV_MRZ_ALPHANUMERIC, (char)text.data[i]))
            fault = 1;
    for (size_t i = 0; !fault && i < sizeof(shapes) / sizeof(*shapes); i++)
        if (shapes[i].length == text.length) {
            zone->layout = idv_mrz_layout_find(
                shapes[i].rows, shapes[i].columns, (char)text.data[0]);
            for (int row = 0; row < shapes[i].rows; row++)
                memcpy(zone->rows[row],
                       text.data + (apr_size_t)(row * shapes[i].columns),
                       (size_t)shapes[i].columns);
        }
    return zone->layout ? NULL : malformed(IDV_CHIP_DG1, result);
}

/* --- DG11 --- */

/* A text, or NULL if it is absent. */
static const char *text_of(idv_bytes_t bytes, apr_pool_t *pool)
{
    json_t *text;

    if (bytes.length == 0 || bytes.length > TEXT_MAX)
        return NULL;
    for (apr_size_t i = 0; i < bytes.length; i++)
        if (bytes.data[i] < ' ' || bytes.data[i] == 0x7f)
            return NULL;
    /* NULL for what is not UTF-8. */
    text = idv_json_own(json_stringn((const char *)bytes.data, bytes.length),
                        pool);
    return json_string_value(text);
}

/* The number in the COUNT characters at TEXT; -1 if they are not digits. */
static int digits(const char *text, int count)
{
    int value = 0;

    for (int i = 0; i < count; i++) {
        if (text[i] < '0' || text[i] > '9')
            return -1;
        value = value * 10 + text[i] - '0';
    }
    return value;
}

/* CCYYMMDD as characters, or as four bytes of two digits each, as in older
 * chips. */
static idv_date_t date_of(idv_bytes_t bytes)
{
    idv_date_t none = {0, 0, 0}, date;
    char text[8];

    if (bytes.length == 4)
        for (int i = 0; i < 4; i++) {
            text[2 * i] = (char)('0' + (bytes.data[i] >> 4));
            text[2 * i + 1] = (char)('0' + (bytes.data[i] & 0x0f));
        }
    else if (bytes.length == 8)
        memcpy(text, bytes.data, sizeof(text));
    else
        return none;
    date.year = digits(text, 4);
    date.month = digits(text + 4, 2);
    date.day = digits(text + 6, 2);
    return idv_date_is_complete(date) ? date : none;
}

idv_error_t *idv_dg11_read(idv_bytes_t file, idv_personal_details_t *details,
                           apr_pool_t *result)
{
    int fault = 0;
    idv_tlv_reader_t reader = open_file(file, IDV_CHIP_DG11, &fault);

    memset(details, 0, sizeof(*details));
    while (idv_tlv_has_more(&reader)) {
        idv_tlv_t element = idv_tlv_read(&reader);

        if (element.tag == 0x5F0E)
            details->name = text_of(element.content, result);
        else if (element.tag == 0x5F10)
            details->personal_number = text_of(element.content, result);
        else if (element.tag == 0x5F2B)
            details->date_of_birth = date_of(element.content);
    }
    return fault ? malformed(IDV_CHIP_DG11, result) : NULL;
}

/* --- DG14 --- */

/* bsi-de protocols(2) smartcard(2): 1.x is a public key for chip authentication
 * with the agreement x; 3.x.y is chip authentication with the cipher y. */
#define PUBLIC_KEY_OID "\x04\x00\x7f\x00\x07\x02\x02\x01"
#define CHIP_AUTHENTICATION_OID "\x04\x00\x7f\x00\x07\x02\x02\x03"
/* icao mrtd security: aaProtocolObject */
#define ACTIVE_AUTHENTICATION_OID "\x67\x81\x08\x01\x01\x05"
/* The protocol of a key without further information: 3DES. */
#define DH_3DES_OID CHIP_AUTHENTICATION_OID "\x01\x01"
#define ECDH_3DES_OID CHIP_AUTHENTICATION_OID "\x02\x01"

/* A protocol that DG14 names, not yet combined with a key. */
typedef struct {
    idv_bytes_t protocol;
    idv_bytes_t key_id;
} use_t;

typedef struct {
    idv_chip_key_t keys[IDV_CHIP_KEYS_MAX];
    int key_count;
    use_t uses[IDV_CHIP_KEYS_MAX];
    int use_count;
} found_t;

/* The number after PREFIX in an identifier that is one byte longer; 0 for any
 * other. */
static int arc_behind(idv_bytes_t object, idv_bytes_t prefix)
{
    if (object.length != prefix.length + 1
        || memcmp(object.data, prefix.data, prefix.length) != 0)
        return 0;
    return object.data[prefix.length];
}

/* The agreement and the cipher of a protocol; zero if it is not a protocol of
 * chip authentication. */
static int read_protocol(idv_bytes_t protocol, int *agreement, int *cipher)
{
    idv_bytes_t prefix = IDV_TLV_BYTES(CHIP_AUTHENTICATION_OID);

    if (protocol.length != prefix.length + 2
        || memcmp(protocol.data, prefix.data, prefix.length) != 0)
        return 0;
    *agreement = protocol.data[prefix.length];
    *cipher = protocol.data[prefix.length + 1];
    return *agreement >= IDV_KEY_AGREEMENT_DH
        && *agreement <= IDV_KEY_AGREEMENT_ECDH
        && *cipher >= IDV_CHIP_CIPHER_3DES
        && *cipher <= IDV_CHIP_CIPHER_AES_256;
}

/* SecurityInfo ::= SEQUENCE { protocol OBJECT IDENTIFIER, requiredData ANY,
 * optionalData ANY OPTIONAL } */
static void read_info(idv_tlv_reader_t *infos, found_t *found,
                      idv_bytes_t *signature_algorithm)
{
    idv_tlv_reader_t info = idv_tlv_enter(infos, IDV_TLV_SEQUENCE);
    idv_bytes_t protocol = idv_tlv_expect(&info, IDV_TLV_OBJECT).content;
    idv_tlv_t required = idv_tlv_read(&info), optional = {0, {0}, {0}};
    int agreement, cipher;

    if (idv_tlv_has_more(&info))
        optional = idv_tlv_read(&info);
    agreement = arc_behind(protocol, IDV_TLV_BYTES(PUBLIC_KEY_OID));
    if (agreement == IDV_KEY_AGREEMENT_DH
        || agreement == IDV_KEY_AGREEMENT_ECDH) {
        if (found->key_count < IDV_CHIP_KEYS_MAX)
            found->keys[found->key_count++] =
                (idv_chip_key_t){.agreement = agreement,
                                 .public_key = required.whole,
                                 .key_id = optional.content};
    } else if (read_protocol(protocol, &agreement, &cipher)) {
        if (found->use_count < IDV_CHIP_KEYS_MAX)
            found->uses[found->use_count++] =
                (use_t){protocol, optional.content};
    } else if (idv_bytes_equal(protocol,
                               IDV_TLV_BYTES(ACTIVE_AUTHENTICATION_OID))
               && optional.tag == IDV_TLV_OBJECT) {
        *signature_algorithm = optional.content;
    }
}

static void add_key(idv_security_infos_t *infos, const idv_chip_key_t *key,
                    int cipher, idv_bytes_t protocol)
{
    int at = infos->key_count;

    if (at == IDV_CHIP_KEYS_MAX)
        return;
    while (at > 0 && (int)infos->keys[at - 1].cipher < cipher) {
        infos->keys[at] = infos->keys[at - 1];
        at--;
    }
    infos->keys[at] = *key;
    infos->keys[at].cipher = cipher;
    infos->keys[at].protocol = protocol;
    infos->key_count++;
}

/* Adds each use of KEY: with the same agreement, and the same number if both
 * have one. */
static void add_uses(idv_security_infos_t *infos, const found_t *found,
                     const idv_chip_key_t *key)
{
    int agreement, cipher, used = 0;

    for (int i = 0; i < found->use_count; i++) {
        const use_t *use = &found->uses[i];

        if (!read_protocol(use->protocol, &agreement, &cipher)
            || agreement != (int)key->agreement
            || (use->key_id.length > 0 && key->key_id.length > 0
                && !idv_bytes_equal(use->key_id, key->key_id)))
            continue;
        add_key(infos, key, cipher, use->protocol);
        used = 1;
    }
    if (!used && key->agreement == IDV_KEY_AGREEMENT_DH)
        add_key(infos, key, IDV_CHIP_CIPHER_3DES, IDV_TLV_BYTES(DH_3DES_OID));
    else if (!used)
        add_key(infos, key, IDV_CHIP_CIPHER_3DES, IDV_TLV_BYTES(ECDH_3DES_OID));
}

idv_error_t *idv_dg14_read(idv_bytes_t file, idv_security_infos_t *infos,
                           apr_pool_t *result)
{
    int fault = 0;
    found_t found = {.key_count = 0};
    idv_tlv_reader_t outer = open_file(file, IDV_CHIP_DG14, &fault);
    idv_tlv_reader_t reader = idv_tlv_enter(&outer, IDV_TLV_SET);

    memset(infos, 0, sizeof(*infos));
    idv_tlv_finish(&outer);
    for (int i = 0; i < INFOS_MAX && idv_tlv_has_more(&reader); i++)
        read_info(&reader, &found, &infos->signature_algorithm);
    if (fault)
        return malformed(IDV_CHIP_DG14, result);
    for (int i = 0; i < found.key_count; i++)
        add_uses(infos, &found, &found.keys[i]);
    return NULL;
}

/* --- DG15 --- */

idv_error_t *idv_dg15_read(idv_bytes_t file, idv_bytes_t *public_key,
                           apr_pool_t *result)
{
    int fault = 0;
    idv_tlv_reader_t reader = open_file(file, IDV_CHIP_DG15, &fault);

    *public_key = idv_tlv_expect(&reader, IDV_TLV_SEQUENCE).whole;
    idv_tlv_finish(&reader);
    return fault ? malformed(IDV_CHIP_DG15, result) : NULL;
}
