/* SPDX-License-Identifier: Apache-2.0 */
/* The dump of an app, the encodings in it and the files of the chip. */
#include "unit/passport_der.h"

#include <apr_encode.h>

#include "methods/passport/chip_dump.h"
#include "methods/passport/data_groups.h"
#include "methods/passport/portrait.h"
#include "methods/passport/tlv.h"

#define LENGTH(table) (sizeof(table) / sizeof(*(table)))

static const char td3[] = "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<"
                          "L898902C36UTO7408122F1204159ZE184226B<<<<<10";

/* --- elements --- */

static void elements_are_read_one_after_the_other(void **state)
{
    int fault = 0;
    idv_tlv_reader_t outer =
        idv_tlv_open(BYTES("\x30\x09\x02\x02\x01\x02\x5f\x1f\x02PQ"), &fault);
    idv_tlv_reader_t reader = idv_tlv_enter(&outer, IDV_TLV_SEQUENCE);
    idv_tlv_t element;

    (void)state;
    assert_int_equal(idv_tlv_read_integer(&reader), 258);
    assert_true(idv_tlv_has_more(&reader));
    assert_int_equal(idv_tlv_peek(&reader), 0x5F1F);
    element = idv_tlv_read(&reader);
    assert_int_equal(element.tag, 0x5F1F);
    assert_bytes(element.content, BYTES("PQ"));
    assert_bytes(element.whole, BYTES("\x5f\x1f\x02PQ"));
    assert_false(idv_tlv_has_more(&reader));
    idv_tlv_finish(&reader);
    idv_tlv_finish(&outer);
    assert_int_equal(fault, 0);
}

static void broken_elements_set_the_fault(void **state)
{
    static const idv_bytes_t broken[] = {
        { (const unsigned char *)"", 0 },
        { (const unsigned char *)"\x30", 1 },
        { (const unsigned char *)"\x30\x01", 2 },
        { (const unsigned char *)"\x30\x80\x00\x00", 4 },
        { (const unsigned char *)"\x30\x82\x01", 3 },
        { (const unsigned char *)"\x30\x84\xff\xff\xff\xff", 6 },
        { (const unsigned char *)"\x30\x85\x00\x00\x00\x00\x00", 7 },
        { (const unsigned char *)"\x5f", 1 },
        { (const unsigned char *)"\x5f\x81\x82\x03\x00", 5 },
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(broken); i++) {
        int fault = 0;
        idv_tlv_reader_t reader = idv_tlv_open(broken[i], &fault);
        idv_tlv_t element = idv_tlv_read(&reader);

        assert_int_equal(fault, 1);
        assert_int_equal(element.tag, 0);
        assert_int_equal(element.content.length, 0);
        assert_false(idv_tlv_has_more(&reader));
        assert_int_equal(idv_tlv_peek(&reader), 0);
    }
}

static void a_fault_ends_all_readers_of_a_text(void **state)
{
    int fault = 0;
    idv_tlv_reader_t outer =
        idv_tlv_open(BYTES("\x30\x02\x04\x05\x02\x01\x01"), &fault);
    idv_tlv_reader_t inner = idv_tlv_enter(&outer, IDV_TLV_SEQUENCE);

    (void)state;
    assert_true(idv_tlv_has_more(&outer));
    idv_tlv_read(&inner);
    assert_int_equal(fault, 1);
    assert_false(idv_tlv_has_more(&outer));
    assert_int_equal(idv_tlv_read(&outer).tag, 0);
}

static void integers_and_bits_have_their_shape(void **state)
{
    static const struct {
        idv_bytes_t bytes;
        int value;
        int fault;
    } integers[] = {
        { { (const unsigned char *)"\x02\x01\x00", 3 }, 0, 0 },
        { { (const unsigned char *)"\x02\x04\x7f\xff\xff\xff", 6 },
          0x7fffffff, 0 },
        { { (const unsigned char *)"\x02\x04\x80\x00\x00\x00", 6 }, 0, 1 },
        { { (const unsigned char *)"\x02\x00", 2 }, 0, 1 },
        { { (const unsigned char *)"\x02\x05\x01\x01\x01\x01\x01", 7 }, 0, 1 },
        { { (const unsigned char *)"\x04\x01\x01", 3 }, 0, 1 },
    };
    int fault = 0;
    idv_tlv_reader_t reader;

    (void)state;
    for (size_t i = 0; i < LENGTH(integers); i++) {
        fault = 0;
        reader = idv_tlv_open(integers[i].bytes, &fault);
        assert_int_equal(idv_tlv_read_integer(&reader), integers[i].value);
        assert_int_equal(fault, integers[i].fault);
    }
    fault = 0;
    reader = idv_tlv_open(BYTES("\x03\x03\x00\x12\x34"), &fault);
    assert_bytes(idv_tlv_read_bits(&reader), BYTES("\x12\x34"));
    assert_int_equal(fault, 0);
    reader = idv_tlv_open(BYTES("\x03\x02\x04\x10"), &fault);
    assert_int_equal(idv_tlv_read_bits(&reader).length, 0);
    assert_int_equal(fault, 1);
}

/* --- the dump --- */

static const char *member(apr_pool_t *pool, const char *name, apr_size_t length)
{
    return apr_psprintf(pool, "\"%s\":\"%s\"", name,
                        apr_pencode_base64_binary(
                            pool, memset(apr_palloc(pool, length + 1), 'x', length),
                            (apr_ssize_t)length, APR_ENCODE_NONE, NULL));
}

static void a_dump_gives_its_files(void **state)
{
    apr_pool_t *pool = *state;
    idv_chip_dump_t *dump;
    const char *text =
        "{\"COM\":\"YBY=\",\"SOD\":\"dw==\",\"AAChallenge\":\"AQIDBAUGBwg=\","
        "\"AASignature\":\"////\",\"reader\":\"app 1.0\"}";

    assert_null(idv_chip_dump_read(text, strlen(text), &dump, pool));
    assert_bytes(dump->files[IDV_CHIP_COM], BYTES("\x60\x16"));
    assert_bytes(dump->files[IDV_CHIP_SOD], BYTES("\x77"));
    assert_int_equal(dump->files[IDV_CHIP_DG1].length, 0);
    assert_bytes(dump->challenge, BYTES("\1\2\3\4\5\6\7\10"));
    assert_bytes(dump->signature, BYTES("\xff\xff\xff"));
    assert_string_equal(dump->reader, "app 1.0");
    assert_null(idv_chip_dump_read("{}", 2, &dump, pool));
    assert_null(dump->reader);
}

static void dumps_are_refused_with_their_member(void **state)
{
    apr_pool_t *pool = *state;
    const struct {
        const char *text;
        const char *param;
    } rows[] = {
        { "[]", NULL },
        { "{\"DG5\":\"AAAA\"}", "DG5" },
        { "{\"DG1\":\"AAAA\",\"DG12\":\"AAAA\"}", "DG12" },
        { "{\"DG16\":7}", "DG16" },
        { "{\"DG17\":\"AAAA\"}", NULL },
        { "{\"dg1\":\"AAAA\"}", NULL },
        { "{\"DG3\":\"!\"}", "DG3" },
        { "{\"DG1\":\"AAAA\",\"DG4\":7}", "DG4" },
        { "{\"DG1\":7}", "DG1" },
        { "{\"DG1\":\"\"}", "DG1" },
        { "{\"DG1\":\"AAA\"}", "DG1" },
        { "{\"DG1\":\"AA-_\"}", "DG1" },
        { "{\"DG1\":\"A===\"}", "DG1" },
        { "{\"DG1\":\"=AAA\"}", "DG1" },
        { "{\"DG1\":\"AA\\nA\"}", "DG1" },
        { "{\"AAChallenge\":\"AAAA\"}", "AAChallenge" },
        { "{\"reader\":\"\"}", "reader" },
        { "{\"reader\":\"\\u00e4\"}", "reader" },
        { "{\"reader\":null}", "reader" },
    };
    idv_chip_dump_t *dump;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        idv_error_t *error = idv_chip_dump_read(
            rows[i].text, strlen(rows[i].text), &dump, pool);

        assert_non_null(error);
        assert_int_equal(error->code, IDV_E_PARAMETER_INVALID);
        if (rows[i].param)
            assert_string_equal(error->param, rows[i].param);
        else
            assert_null(error->param);
    }
}

static void parts_of_a_dump_have_caps(void **state)
{
    static const struct {
        const char *member;
        apr_size_t most;
    } rows[] = {
#define X(name, member, tag, number, most) { member, most },
        IDV_CHIP_FILES(X)
#undef X
        { "AASignature", 1024 },
        { "AAChallenge", 8 },
    };
    apr_pool_t *pool = *state;
    idv_chip_dump_t *dump;
    char *text = apr_palloc(pool, IDV_CHIP_DUMP_MAX + 1);

    for (size_t i = 0; i < LENGTH(rows); i++) {
        const char *whole = apr_pstrcat(
            pool, "{", member(pool, rows[i].member, rows[i].most), "}", NULL);
        const char *longer = apr_pstrcat(
            pool, "{", member(pool, rows[i].member, rows[i].most + 1), "}",
            NULL);

        if (strlen(whole) <= IDV_CHIP_DUMP_MAX)
            assert_null(idv_chip_dump_read(whole, strlen(whole), &dump, pool));
        assert_non_null(
            idv_chip_dump_read(longer, strlen(longer), &dump, pool));
    }
    memset(text, ' ', IDV_CHIP_DUMP_MAX + 1);
    assert_int_equal(
        idv_chip_dump_read(text, IDV_CHIP_DUMP_MAX + 1, &dump, pool)->code,
        IDV_E_BODY_TOO_LARGE);
}

/* --- the files --- */

static idv_bytes_t dg1_of(apr_pool_t *pool, const char *text)
{
    idv_bytes_t zone = { (const unsigned char *)text, strlen(text) };

    return DER(pool, 0x61, DER(pool, 0x5F1F, zone));
}

static void a_zone_is_one_of_three_shapes(void **state)
{
    static const struct {
        const char *text;
        idv_document_source_t source;
    } zones[] = {
        { td3, IDV_DOCUMENT_SOURCE_MRZ_TD3 },
        { "I<UTOD231458907<<<<<<<<<<<<<<<7408122F1204159UTO<<<<<<<<<<<6"
          "ERIKSSON<<ANNA<MARIA<<<<<<<<<<",
          IDV_DOCUMENT_SOURCE_MRZ_TD1 },
        { "I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<"
          "D231458907UTO7408122F1204159<<<<<<<6",
          IDV_DOCUMENT_SOURCE_MRZ_TD2 },
    };
    apr_pool_t *pool = *state;
    idv_mrz_text_t zone;
    idv_bytes_t file = dg1_of(pool, td3);

    for (size_t i = 0; i < LENGTH(zones); i++) {
        assert_null(idv_dg1_read(dg1_of(pool, zones[i].text), &zone, pool));
        assert_int_equal(idv_mrz_layout_source(zone.layout), zones[i].source);
        assert_int_equal(idv_mrz_wrong_check_digits(&zone), 0);
    }
    assert_non_null(idv_dg1_read(dg1_of(pool, td3 + 1), &zone, pool));
    assert_non_null(idv_dg1_read(with_other_byte(pool, file, 0), &zone, pool));
    assert_non_null(
        idv_dg1_read(JOIN(pool, file, BYTES("\0")), &zone, pool));
    /* No characters but those of the standard. */
    file = with_other_byte(pool, file, 6); /* < is = then */
    assert_non_null(idv_dg1_read(file, &zone, pool));
    assert_string_equal(idv_dg1_read(file, &zone, pool)->param, "DG1");
}

static void the_list_of_data_groups_is_read(void **state)
{
    apr_pool_t *pool = *state;
    idv_bytes_t versions = JOIN(pool, DER(pool, 0x5F01, BYTES("0107")),
                                DER(pool, 0x5F36, BYTES("040000")));
    idv_data_groups_t groups;

    assert_null(idv_ef_com_read(
        DER(pool, 0x60, versions, DER(pool, 0x5C, BYTES("\x61\x75\x6E\x6F"))),
        &groups, pool));
    assert_int_equal(groups, 1u << 1 | 1u << 2 | 1u << 14 | 1u << 15);
    assert_non_null(
        idv_ef_com_read(DER(pool, 0x60, versions), &groups, pool));
    assert_non_null(idv_ef_com_read(
        DER(pool, 0x60, DER(pool, 0x5C, BYTES("\x60"))), &groups, pool));
}

static void details_settle_a_date_of_birth(void **state)
{
    static const struct {
        const char *hex;
        idv_date_t date;
    } dates[] = {
        { "3139373430383132", { 1974, 8, 12 } },
        { "19740812", { 1974, 8, 12 } },
        { "3139373430383332", { 0, 0, 0 } },
        { "1974081A", { 0, 0, 0 } },
        { "197408", { 0, 0, 0 } },
        { "", { 0, 0, 0 } },
    };
    apr_pool_t *pool = *state;
    idv_personal_details_t details;

    for (size_t i = 0; i < LENGTH(dates); i++) {
        idv_bytes_t file =
            DER(pool, 0x6B, DER(pool, 0x5C, BYTES("\x5F\x0E\x5F\x2B")),
                DER(pool, 0x5F0E, BYTES("MUSTERMANN<<ERIKA")),
                DER(pool, 0x5F10, BYTES("12\xff")),
                DER(pool, 0x5F2B, from_hex(pool, dates[i].hex)));

        assert_null(idv_dg11_read(file, &details, pool));
        assert_memory_equal(&details.date_of_birth, &dates[i].date,
                            sizeof(idv_date_t));
        assert_string_equal(details.name, "MUSTERMANN<<ERIKA");
        assert_null(details.personal_number); /* no UTF-8 */
    }
    assert_non_null(
        idv_dg11_read(BYTES("\x6B\x03\x5F\x0E\x05"), &details, pool));
}

#define ARC "\x04\x00\x7f\x00\x07\x02\x02"

/* Every key with each of its uses, the strongest first. */
static void keys_of_the_chip_find_their_uses(void **state)
{
    apr_pool_t *pool = *state;
    idv_bytes_t key = DER(pool, 0x30, BYTES("\x05\x00"));
    idv_bytes_t version = BYTES("\x02\x01\x01");
    idv_bytes_t one = BYTES("\x02\x01\x01"), two = BYTES("\x02\x01\x02");
    idv_bytes_t file = DER(
        pool, 0x6E,
        DER(pool, 0x31,
            DER(pool, 0x30, DER(pool, 6, BYTES(ARC "\x03\x02\x01")), version),
            DER(pool, 0x30, DER(pool, 6, BYTES(ARC "\x03\x02\x04")), version,
                two),
            DER(pool, 0x30, DER(pool, 6, BYTES(ARC "\x03\x02\x02")), version,
                one),
            DER(pool, 0x30, DER(pool, 6, BYTES(ARC "\x03\x02\x09")), version),
            DER(pool, 0x30, DER(pool, 6, BYTES(ARC "\x01\x02")), key, one),
            DER(pool, 0x30, DER(pool, 6, BYTES(ARC "\x01\x01")), key),
            DER(pool, 0x30, DER(pool, 6, BYTES("\x67\x81\x08\x01\x01\x05")),
                version, DER(pool, 6, BYTES(ARC)))));
    idv_security_infos_t infos;

    assert_null(idv_dg14_read(file, &infos, pool));
    assert_int_equal(infos.key_count, 3);
    assert_int_equal(infos.keys[0].cipher, IDV_CHIP_CIPHER_AES_128);
    assert_bytes(infos.keys[0].protocol, BYTES(ARC "\x03\x02\x02"));
    assert_bytes(infos.keys[0].key_id, BYTES("\x01"));
    assert_int_equal(infos.keys[1].cipher, IDV_CHIP_CIPHER_3DES);
    assert_int_equal(infos.keys[1].agreement, IDV_KEY_AGREEMENT_ECDH);
    assert_int_equal(infos.keys[2].cipher, IDV_CHIP_CIPHER_3DES);
    assert_int_equal(infos.keys[2].agreement, IDV_KEY_AGREEMENT_DH);
    assert_bytes(infos.keys[2].protocol, BYTES(ARC "\x03\x01\x01"));
    assert_int_equal(infos.keys[2].key_id.length, 0);
    assert_bytes(infos.keys[2].public_key, key);
    assert_bytes(infos.signature_algorithm, BYTES(ARC));
    assert_non_null(idv_dg14_read(BYTES("\x6E\x02\x30\x00"), &infos, pool));
}

/* --- the portrait --- */

/* A JPEG, JP2 and codestream of 3 by 2 pixels, as far as their headers go. */
#define JPEG "\xff\xd8\xff\xe0\0\4AB\xff\xc0\0\x11\x08\0\2\0\3\3"
#define JP2                                                                    \
    "\0\0\0\x0cjP  \r\n\x87\n\0\0\0\x14" "ftypjp2 \0\0\0\0jp2 "                \
    "\0\0\0\x1ejp2h\0\0\0\x16ihdr\0\0\0\2\0\0\0\3\0\3\7\7\0\0"
#define CODESTREAM                                                             \
    "\xff\x4f\xff\x51\0\x29\0\0\0\0\0\4\0\0\0\4\0\0\0\1\0\0\0\2\0\0"

static idv_bytes_t dg2_around(apr_pool_t *pool, apr_uint32_t tag,
                              idv_bytes_t block)
{
    return DER(pool, 0x75,
               DER(pool, 0x7F61, BYTES("\x02\x01\x01"),
                   DER(pool, 0x7F60, DER(pool, 0xA1, BYTES("\x81\x01\x02")),
                       DER(pool, tag, block))));
}

/* ISO/IEC 19794-5:2005 with one feature point. */
static idv_bytes_t face_of_2005(apr_pool_t *pool, idv_bytes_t picture)
{
    unsigned char head[14 + 20 + 8 + 12] = "FAC\0" "010";
    apr_size_t length = sizeof(head) - 14 + picture.length;

    head[16] = (unsigned char)(length >> 8);
    head[17] = (unsigned char)length;
    head[19] = 1;
    return JOIN(pool, { head, sizeof(head) }, picture);
}

static void portraits_are_found_in_each_encoding(void **state)
{
    static const struct {
        idv_bytes_t picture;
        idv_portrait_format_t format;
    } pictures[] = {
        { { (const unsigned char *)JPEG, sizeof(JPEG) - 1 },
          IDV_PORTRAIT_JPEG },
        { { (const unsigned char *)JP2, sizeof(JP2) - 1 },
          IDV_PORTRAIT_JPEG2000 },
        { { (const unsigned char *)CODESTREAM, sizeof(CODESTREAM) - 1 },
          IDV_PORTRAIT_JPEG2000_CODESTREAM },
    };
    apr_pool_t *pool = *state;

    for (size_t i = 0; i < LENGTH(pictures); i++) {
        idv_bytes_t picture = pictures[i].picture;
        idv_bytes_t files[] = {
            dg2_around(pool, 0x5F2E, face_of_2005(pool, picture)),
            dg2_around(pool, 0x7F2E, face_of_2005(pool, picture)),
            dg2_around(pool, 0x5F2E,
                       JOIN(pool, BYTES("FAC\0" "030\0............"), picture)),
            dg2_around(
                pool, 0x7F2E,
                DER(pool, 0x65, DER(pool, 0xA0, BYTES("\x80\x01\x03")),
                    DER(pool, 0xA1,
                        DER(pool, 0x30, BYTES("\x80\x01\x01"),
                            DER(pool, 0xA1,
                                DER(pool, 0xA0, DER(pool, 0x80, picture))))))),
        };

        for (size_t k = 0; k < LENGTH(files); k++) {
            idv_portrait_t portrait;

            assert_null(idv_portrait_find(files[k], &portrait, pool));
            assert_int_equal(portrait.format, pictures[i].format);
            assert_int_equal(portrait.width, 3);
            assert_int_equal(portrait.height, 2);
            assert_bytes((idv_bytes_t){ files[k].data + portrait.offset,
                                        (apr_size_t)portrait.length },
                         picture);
        }
    }
}

static void what_is_no_portrait_is_refused(void **state)
{
    apr_pool_t *pool = *state;
    idv_bytes_t jpeg = BYTES(JPEG), large = BYTES(JPEG);
    idv_bytes_t face = face_of_2005(pool, jpeg);
    idv_portrait_t portrait;
    const idv_bytes_t files[] = {
        dg2_around(pool, 0x5F2E, BYTES("")),
        dg2_around(pool, 0x5F2E, BYTES("FAC\0" "010\0............")),
        dg2_around(pool, 0x5F2E, with_other_byte(pool, face, 54)),
        dg2_around(pool, 0x5F2E, with_other_byte(pool, face, 16)),
        dg2_around(pool, 0x7F2F, face),
        dg2_around(pool, 0x5F2E,
                   face_of_2005(pool, (idv_bytes_t){ jpeg.data, 8 })),
        DER(pool, 0x75, BYTES("\x7f\x61\x03\x02\x01\x00")),
    };
    unsigned char *wide = apr_pmemdup(pool, large.data, large.length);

    for (size_t i = 0; i < LENGTH(files); i++) {
        assert_non_null(idv_portrait_find(files[i], &portrait, pool));
        assert_int_equal(portrait.length, 0);
    }
    wide[15] = 0x20; /* 8,195 columns */
    assert_non_null(idv_portrait_find(
        dg2_around(pool, 0x5F2E,
                   face_of_2005(pool, (idv_bytes_t){ wide, large.length })),
        &portrait, pool));
}

/* --- public files --- */

static void public_files_are_read(void **state)
{
    apr_pool_t *pool = *state;
    idv_data_groups_t groups;
    idv_mrz_text_t zone;
    idv_portrait_t portrait;
    idv_security_infos_t infos;
    idv_bytes_t key;

    assert_null(idv_ef_com_read(public_file(pool, "bsi-2008/EF_COM.bin"),
                                &groups, pool));
    assert_int_equal(groups, 1u << 1 | 1u << 2 | 1u << 3 | 1u << 14);
    assert_null(idv_dg1_read(public_file(pool, "bsi-2008/Datagroup1.bin"),
                             &zone, pool));
    assert_int_equal(idv_mrz_wrong_check_digits(&zone), 0);
    assert_memory_equal(zone.rows[1], "C11T002JM4D<<", 13);
    assert_null(idv_dg1_read(public_file(pool, "bsi-etsi/dg1_test_00_L17.bin"),
                             &zone, pool));
    assert_int_equal(idv_mrz_layout_source(zone.layout),
                     IDV_DOCUMENT_SOURCE_MRZ_TD1);
    assert_memory_equal(zone.rows[2], "VAN<DER<STEEN<<MARIANNE<LOUISE", 30);
    assert_null(idv_portrait_find(
        public_file(pool, "bsi-2008/Datagroup2.bin"), &portrait, pool));
    assert_int_equal(portrait.format, IDV_PORTRAIT_JPEG2000);
    assert_int_equal(portrait.width, 413);
    assert_int_equal(portrait.height, 531);
    assert_null(idv_dg14_read(public_file(pool, "bsi-2008/Datagroup14.bin"),
                              &infos, pool));
    assert_int_equal(infos.key_count, 1);
    assert_int_equal(infos.keys[0].agreement, IDV_KEY_AGREEMENT_ECDH);
    assert_int_equal(infos.keys[0].cipher, IDV_CHIP_CIPHER_3DES);
    assert_null(
        idv_dg14_read(public_file(pool, "bsi-etsi/dg14_test_00_L15.bin"),
                      &infos, pool));
    assert_int_equal(infos.key_count, 1);
    assert_null(idv_dg15_read(public_file(pool, "bsi-2008/Datagroup15.bin"),
                              &key, pool));
    assert_null(
        idv_dg15_read(public_file(pool, "bsi-etsi/dg15_test_00_L16.bin"), &key,
                      pool));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(elements_are_read_one_after_the_other),
        pooled_test(broken_elements_set_the_fault),
        pooled_test(a_fault_ends_all_readers_of_a_text),
        pooled_test(integers_and_bits_have_their_shape),
        pooled_test(a_dump_gives_its_files),
        pooled_test(dumps_are_refused_with_their_member),
        pooled_test(parts_of_a_dump_have_caps),
        pooled_test(a_zone_is_one_of_three_shapes),
        pooled_test(the_list_of_data_groups_is_read),
        pooled_test(details_settle_a_date_of_birth),
        pooled_test(keys_of_the_chip_find_their_uses),
        pooled_test(portraits_are_found_in_each_encoding),
        pooled_test(what_is_no_portrait_is_refused),
        pooled_test(public_files_are_read),
    };

    return unit_run("passport/files", tests);
}
