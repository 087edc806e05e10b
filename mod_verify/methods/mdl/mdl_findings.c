/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/mdl/mdl_findings.h"

#include <string.h>

#include <apr_encode.h>
#include <apr_strings.h>

#include "core/json.h"
#include "core/json_writer.h"
#include "core/word_list.h"
#include "methods/findings_reader.h"

#define COUNT(table) ((int)(sizeof(table) / sizeof(*(table))))

#define TEXT_MAX 640     /* bytes of a name: 150 characters and some reserve */
#define ADDRESS_MAX 1024 /* bytes of an address */
#define IDENTIFIER_MAX 64
#define CHECKS_MAX ((int)IDV_MDL_CHECK_COUNT + (int)IDV_PIN_NOTE_COUNT)

static const char *const check_codes[] = {
#define X(name, code) code,
    IDV_MDL_CHECKS(X)
#undef X
};

static const struct {
    const char *code;
    idv_mdl_check_name_t check;
    idv_mdl_result_t result;
} reasons[] = {
    { NULL, IDV_MDL_CHECK_COUNT, IDV_MDL_PASSED },
#define X(name, code, check, result, error)                                    \
    { code, IDV_MDL_CHECK_##check, IDV_MDL_##result },
    IDV_MDL_REASONS(X)
#undef X
};

static const char *const result_codes[] = { "passed", "failed",
                                            "undetermined" };

/* --- checks --- */

const char *idv_mdl_check_code(idv_mdl_check_name_t name)
{
    return check_codes[name];
}

int idv_mdl_check_find(const char *code)
{
    return idv_word_find(check_codes, COUNT(check_codes), code);
}

const char *idv_mdl_reason_code(idv_mdl_reason_t reason)
{
    return reasons[reason].code;
}

int idv_mdl_reason_find(const char *code)
{
    for (int i = 1; i < COUNT(reasons); i++)
        if (strcmp(reasons[i].code, code) == 0)
            return i;
    return -1;
}

static const char *result_code(idv_mdl_result_t result)
{
    return result_codes[result];
}

idv_mdl_check_name_t idv_mdl_reason_check(idv_mdl_reason_t reason)
{
    return reasons[reason].check;
}

idv_mdl_result_t idv_mdl_reason_result(idv_mdl_reason_t reason)
{
    return reasons[reason].result;
}

idv_mdl_findings_t *idv_mdl_findings_create(apr_pool_t *pool)
{
    idv_mdl_findings_t *findings = apr_pcalloc(pool, sizeof(*findings));

    findings->checks =
        apr_array_make(pool, IDV_MDL_CHECK_COUNT, sizeof(idv_mdl_check_t));
    findings->ages = apr_array_make(pool, 4, sizeof(idv_mdl_age_t));
    findings->crl_addresses = apr_array_make(pool, 1, sizeof(const char *));
    findings->handover = IDV_HANDOVER_NONE;
    return findings;
}

static idv_mdl_check_t *find_check(const idv_mdl_findings_t *findings,
                                   idv_mdl_check_name_t name)
{
    for (int i = 0; i < findings->checks->nelts; i++) {
        idv_mdl_check_t *check =
            &APR_ARRAY_IDX(findings->checks, i, idv_mdl_check_t);

        if (check->name == name)
            return check;
    }
    return NULL;
}

const idv_mdl_check_t *idv_mdl_find_check(const idv_mdl_findings_t *findings,
                                          idv_mdl_check_name_t name)
{
    return find_check(findings, name);
}

static int is_note(int reason)
{
    return reason != IDV_MDL_REASON_NONE && idv_mdl_reason_is_of_form(reason);
}

static int has_reason(const idv_mdl_findings_t *findings,
                      idv_mdl_reason_t reason)
{
    for (int i = 0; i < findings->checks->nelts; i++)
        if (APR_ARRAY_IDX(findings->checks, i, idv_mdl_check_t).reason
            == reason)
            return 1;
    return 0;
}

static void record(idv_mdl_findings_t *findings, idv_mdl_check_name_t name,
                   idv_mdl_reason_t reason)
{
    idv_mdl_check_t *check = find_check(findings, name);

    /* Notes add up, each once. */
    if (!check || (is_note(check->reason) && is_note(reason)
                   && !has_reason(findings, reason))) {
        check = apr_array_push(findings->checks);
        check->name = name;
        check->reason = reason;
    } else if (check->reason == IDV_MDL_REASON_NONE) {
        check->reason = reason;
    }
}

void idv_mdl_fail(idv_mdl_findings_t *findings, idv_mdl_reason_t reason)
{
    record(findings, reasons[reason].check, reason);
}

void idv_mdl_pass(idv_mdl_findings_t *findings, idv_mdl_check_name_t name)
{
    record(findings, name, IDV_MDL_REASON_NONE);
}

static int has_failed(const idv_mdl_findings_t *findings,
                      idv_mdl_check_name_t name)
{
    const idv_mdl_check_t *check = idv_mdl_find_check(findings, name);

    return check && check->reason != IDV_MDL_REASON_NONE;
}

/* Non-zero if the response came as requested, and could be decrypted and
 * parsed. */
static int is_readable(const idv_mdl_findings_t *findings)
{
    return !has_failed(findings, IDV_MDL_CHECK_RESPONSE_ENCRYPTION)
        && !has_failed(findings, IDV_MDL_CHECK_RESPONSE_FORMAT);
}

int idv_mdl_is_answer(const idv_mdl_findings_t *findings)
{
    return is_readable(findings)
        && !has_failed(findings, IDV_MDL_CHECK_DOCUMENT_RETURNED);
}

idv_mdl_reason_t idv_mdl_declined(const idv_mdl_findings_t *findings)
{
    const idv_mdl_check_t *check =
        idv_mdl_find_check(findings, IDV_MDL_CHECK_DOCUMENT_RETURNED);

    return check && is_readable(findings) ? check->reason
                                          : IDV_MDL_REASON_NONE;
}

int idv_mdl_reason_is_of_form(idv_mdl_reason_t reason)
{
    return reasons[reason].check == IDV_MDL_CHECK_ISSUER_CERTIFICATE_FORM;
}

static int is_passed(const idv_mdl_check_t *check)
{
    return check->reason == IDV_MDL_REASON_NONE
        || idv_mdl_reason_is_of_form(check->reason);
}

int idv_mdl_all_passed(const idv_mdl_findings_t *findings)
{
    for (int i = 0; i < findings->checks->nelts; i++)
        if (!is_passed(&APR_ARRAY_IDX(findings->checks, i, idv_mdl_check_t)))
            return 0;
    return 1;
}

int idv_mdl_is_proved(const idv_mdl_findings_t *findings)
{
    for (int name = 0; name < IDV_MDL_CHECK_ISSUER_REVOCATION; name++) {
        const idv_mdl_check_t *check = find_check(findings, name);

        if (!check || !is_passed(check))
            return 0;
    }
    return 1;
}

/* --- the format: one table for writing and reading --- */

typedef enum {
    TEXT,   /* const char *, up to `most` bytes without control characters */
    TIME,   /* idv_time_t */
    NUMBER, /* apr_int64_t, not negative */
    DATE,   /* idv_date_t, complete */
    BYTES,  /* idv_bytes_t, up to `most` */
    FLAG,   /* int */
    CODE    /* int, of an enumeration, by its functions */
} kind_t;

typedef struct {
    const char *name;
    kind_t kind;
    size_t offset;
    apr_size_t most;
    /* For a member that is a code; null in JSON represents the value NONE. */
    const char *(*code)(int value);
    int (*find)(const char *code);
    int none;
} member_t;

static const char *handover_code(int value)
{
    return value == IDV_HANDOVER_NONE ? NULL : idv_handover_code(value);
}

static const char *variant_code(int value)
{
    return idv_handover_variant_code(value);
}

static const char *profile_code(int value)
{
    return idv_profile_fault_code(value);
}

#define AT(field) offsetof(idv_mdl_findings_t, field)
#define PLAIN(kind, name, field, most)                                         \
    { name, kind, AT(field), most, NULL, NULL, 0 }

static const member_t members[] = {
    PLAIN(TEXT, "fault", fault, TEXT_MAX),
    PLAIN(FLAG, "is_encrypted", is_encrypted, 0),
    PLAIN(FLAG, "has_device_mac", has_device_mac, 0),
    PLAIN(TEXT, "device_algorithm", device_algorithm, 32),
    { "handover", CODE, AT(handover), 0, handover_code, idv_handover_find,
      IDV_HANDOVER_NONE },
    { "handover_variant", CODE, AT(handover_variant), 0, variant_code,
      idv_handover_variant_find, IDV_HANDOVER_AS_AGREED },
    PLAIN(TEXT, "doc_type", doc_type, TEXT_MAX),
    PLAIN(TEXT, "issuer_algorithm", issuer_algorithm, 32),
    PLAIN(TEXT, "issuer_country", issuer_country, 2),
    PLAIN(TEXT, "issuer_region", issuer_region, 3),
    PLAIN(TEXT, "issuer_serial", issuer_serial, 64),
    PLAIN(TEXT, "issuer_fingerprint", issuer_fingerprint, 64),
    { "issuer_profile", CODE, AT(issuer_profile), 0, profile_code,
      idv_profile_fault_find, IDV_PROFILE_GOOD },
    PLAIN(TEXT, "anchor_fingerprint", anchor_fingerprint, 64),
    PLAIN(TEXT, "anchor_list", anchor_list, TEXT_MAX),
    PLAIN(TIME, "issuer_not_after", issuer_not_after, 0),
    PLAIN(TIME, "signed_at", signed_at, 0),
    PLAIN(TIME, "valid_from", valid_from, 0),
    PLAIN(TIME, "valid_until", valid_until, 0),
    PLAIN(TIME, "expected_update", expected_update, 0),
    PLAIN(TEXT, "status_list_address", status_list_address, ADDRESS_MAX),
    PLAIN(NUMBER, "status_list_index", status_list_index, 0),
    PLAIN(TEXT, "identifier_list_address", identifier_list_address,
          ADDRESS_MAX),
    PLAIN(BYTES, "identifier", identifier, IDENTIFIER_MAX),
    PLAIN(TEXT, "family_name", person.family_name, TEXT_MAX),
    PLAIN(TEXT, "given_name", person.given_name, TEXT_MAX),
    PLAIN(TEXT, "document_number", person.document_number, TEXT_MAX),
    PLAIN(TEXT, "issuing_authority", person.issuing_authority, TEXT_MAX),
    PLAIN(TEXT, "issuing_country", person.issuing_country, 2),
    PLAIN(TEXT, "issuing_jurisdiction", person.issuing_jurisdiction, 6),
    PLAIN(DATE, "birth_date", person.birth_date, 0),
    PLAIN(DATE, "issue_date", person.issue_date, 0),
    PLAIN(DATE, "expiry_date", person.expiry_date, 0),
    PLAIN(BYTES, "portrait", person.portrait, IDV_MDL_PORTRAIT_MAX),
};

/* Not in the table: checks, ages, crl_addresses. */
#define MEMBER_COUNT (COUNT(members) + 3)

/* --- writing --- */

static const char *date_text(idv_date_t date, char *text)
{
    return date.year ? idv_date_format(date, text) : NULL;
}

static const char *bytes_text(idv_bytes_t bytes, apr_pool_t *pool)
{
    return bytes.length
               ? apr_pencode_base64_binary(
                     pool, bytes.data, (apr_ssize_t)bytes.length,
                     APR_ENCODE_URL | APR_ENCODE_NOPADDING, NULL)
               : NULL;
}

static void put_member(idv_json_writer_t *writer, const member_t *member,
                       const void *place)
{
    char text[IDV_DATE_TEXT_SIZE];

    switch (member->kind) {
    case TEXT:
        idv_json_put_text(writer, member->name, *(const char *const *)place);
        break;
    case TIME:
    case NUMBER:
        idv_json_put_integer(writer, member->name,
                             *(const apr_int64_t *)place);
        break;
    case DATE:
        idv_json_put_text(writer, member->name,
                          date_text(*(const idv_date_t *)place, text));
        break;
    case BYTES:
        idv_json_put_text(
            writer, member->name,
            bytes_text(*(const idv_bytes_t *)place, writer->pool));
        break;
    case FLAG:
        idv_json_put_boolean(writer, member->name, *(const int *)place);
        break;
    case CODE:
        idv_json_put_text(writer, member->name,
                          *(const int *)place == member->none
                              ? NULL
                              : member->code(*(const int *)place));
        break;
    }
}

static void put_lists(idv_json_writer_t *writer,
                      const idv_mdl_findings_t *findings)
{
    idv_json_open_array(writer, "checks");
    for (int i = 0; i < findings->checks->nelts; i++) {
        const idv_mdl_check_t *check =
            &APR_ARRAY_IDX(findings->checks, i, idv_mdl_check_t);

        idv_json_open_object(writer, NULL);
        idv_json_put_text(writer, "name", idv_mdl_check_code(check->name));
        idv_json_put_text(
            writer, "result",
            result_code(idv_mdl_reason_result(check->reason)));
        idv_json_put_text(writer, "reason", idv_mdl_reason_code(check->reason));
        idv_json_close_object(writer);
    }
    idv_json_close_array(writer);
    idv_json_open_array(writer, "ages");
    for (int i = 0; i < findings->ages->nelts; i++) {
        const idv_mdl_age_t *age =
            &APR_ARRAY_IDX(findings->ages, i, idv_mdl_age_t);

        idv_json_open_object(writer, NULL);
        idv_json_put_integer(writer, "over", age->over);
        idv_json_put_boolean(writer, "is_true", age->is_true);
        idv_json_close_object(writer);
    }
    idv_json_close_array(writer);
    idv_json_open_array(writer, "crl_addresses");
    for (int i = 0; i < findings->crl_addresses->nelts; i++)
        idv_json_put_text(
            writer, NULL,
            APR_ARRAY_IDX(findings->crl_addresses, i, const char *));
    idv_json_close_array(writer);
}

idv_error_t *idv_mdl_findings_write(const idv_mdl_findings_t *findings,
                                    const char **text, apr_size_t *length,
                                    apr_pool_t *pool)
{
    idv_json_writer_t writer;

    idv_json_writer_init(&writer, 2048, pool);
    idv_json_open_object(&writer, NULL);
    for (int i = 0; i < COUNT(members); i++)
        put_member(&writer, &members[i],
                   (const char *)findings + members[i].offset);
    put_lists(&writer, findings);
    idv_json_close_object(&writer);
    *text = idv_json_writer_text(&writer, length);
    return *length <= IDV_MDL_FINDINGS_MAX
               ? NULL
               : idv_error_internal(pool, "findings: too long");
}

/* --- reading --- */

static void read_code(idv_findings_reading_t *reading, const json_t *root,
                      const member_t *member, int *out)
{
    int found = idv_findings_code(reading, root, member->name, member->find);

    *out = found < 0 ? member->none : found;
    if (found >= 0 && found == member->none)
        idv_findings_fault(reading, member->name);
}

static void read_member(idv_findings_reading_t *reading, const json_t *root,
                        const member_t *member, void *place)
{
    const char *name = member->name;
    apr_size_t most = member->most;

    switch (member->kind) {
    case TEXT:
        *(const char **)place = idv_findings_text(reading, root, name, most);
        break;
    case TIME:
    case NUMBER:
        *(apr_int64_t *)place =
            idv_findings_integer(reading, root, name, 0, APR_INT64_MAX);
        break;
    case DATE:
        *(idv_date_t *)place = idv_findings_date(reading, root, name, 0);
        break;
    case BYTES:
        *(idv_bytes_t *)place = idv_findings_bytes(reading, root, name, most);
        break;
    case FLAG:
        *(int *)place = idv_findings_boolean(reading, root, name);
        break;
    case CODE:
        read_code(reading, root, member, place);
        break;
    }
}

static int find_result(const char *code)
{
    return idv_word_find(result_codes, COUNT(result_codes), code);
}

/* Whether the check NAME has a record to which REASON cannot be added. */
static int is_repeated(const idv_mdl_findings_t *findings, int name, int reason)
{
    for (int i = 0; i < findings->checks->nelts; i++) {
        const idv_mdl_check_t *check =
            &APR_ARRAY_IDX(findings->checks, i, idv_mdl_check_t);

        if ((int)check->name == name
            && ((int)check->reason == reason || !is_note(check->reason)
                || !is_note(reason)))
            return 1;
    }
    return 0;
}

static void read_check(idv_findings_reading_t *reading, const json_t *value,
                       idv_mdl_findings_t *findings)
{
    const char *place = "checks";
    int name, result, reason;

    if (!idv_findings_has_members(reading, value, 3, place))
        return;
    name = idv_findings_code(reading, value, "name", idv_mdl_check_find);
    result = idv_findings_code(reading, value, "result", find_result);
    reason = idv_findings_code(reading, value, "reason", idv_mdl_reason_find);
    if (reason < 0)
        reason = IDV_MDL_REASON_NONE;
    if (name < 0 || result != (int)reasons[reason].result
        || (reason != IDV_MDL_REASON_NONE && (int)reasons[reason].check != name)
        || is_repeated(findings, name, reason))
        idv_findings_fault(reading, place);
    else
        record(findings, name, reason);
}

static void read_age(idv_findings_reading_t *reading, const json_t *value,
                     idv_mdl_findings_t *findings)
{
    idv_mdl_age_t *age;

    if (!idv_findings_has_members(reading, value, 2, "ages"))
        return;
    age = apr_array_push(findings->ages);
    age->over = (int)idv_findings_integer(reading, value, "over", 0, 99);
    age->is_true = idv_findings_boolean(reading, value, "is_true");
}

static void read_lists(idv_findings_reading_t *reading, const json_t *root,
                       idv_mdl_findings_t *findings)
{
    const json_t *checks =
        idv_findings_array(reading, root, "checks", CHECKS_MAX);
    const json_t *ages =
        idv_findings_array(reading, root, "ages", IDV_MDL_AGES_MAX);
    const json_t *value;
    size_t i;

    json_array_foreach (checks, i, value)
        read_check(reading, value, findings);
    json_array_foreach (ages, i, value)
        read_age(reading, value, findings);
    idv_findings_texts(reading, root, "crl_addresses", IDV_CRL_ADDRESSES_MAX,
                       IDV_CRL_ADDRESS_MAX, findings->crl_addresses);
}

static int has_data(const idv_mdl_findings_t *findings)
{
    const idv_mdl_person_t *person = &findings->person;

    return findings->ages->nelts || person->portrait.length
           || person->birth_date.year || person->issue_date.year
           || person->expiry_date.year
           || person->family_name || person->given_name
           || person->document_number || person->issuing_authority
           || person->issuing_country || person->issuing_jurisdiction;
}

/* The place where the findings contradict themselves; NULL: none. */
static const char *contradiction(const idv_mdl_findings_t *findings)
{
    int is_good = idv_mdl_is_proved(findings);

    for (int i = 0; i < findings->checks->nelts; i++)
        if (APR_ARRAY_IDX(findings->checks, i, idv_mdl_check_t).name
            >= IDV_MDL_CHECK_ISSUER_REVOCATION)
            return "checks"; /* only a decision adds these */
    if (!is_good && idv_mdl_all_passed(findings))
        return "checks"; /* some are missing */
    if (!is_good && has_data(findings))
        return "person";
    if (is_good
        && (!findings->doc_type || findings->handover == IDV_HANDOVER_NONE
            || findings->handover_variant != IDV_HANDOVER_AS_AGREED
            || !findings->anchor_fingerprint
            || findings->issuer_profile != IDV_PROFILE_GOOD || findings->fault))
        return "members";
    return NULL;
}

idv_error_t *idv_mdl_findings_read(const char *text, apr_size_t length,
                                   idv_mdl_findings_t **out, apr_pool_t *result)
{
    idv_mdl_findings_t *findings = idv_mdl_findings_create(result);
    const idv_bytes_t bytes = {(const unsigned char *)text, length};
    idv_findings_reading_t reading;
    const char *fault;

    IDV_TRY(idv_findings_begin(&reading, bytes, IDV_MDL_FINDINGS_MAX, result));
    idv_findings_has_members(&reading, reading.root, MEMBER_COUNT, "members");
    for (int i = 0; i < COUNT(members); i++)
        read_member(&reading, reading.root, &members[i],
                    (char *)findings + members[i].offset);
    read_lists(&reading, reading.root, findings);
    fault = contradiction(findings);
    if (fault)
        idv_findings_fault(&reading, fault);
    IDV_TRY(idv_findings_end(&reading));
    *out = findings;
    return NULL;
}
