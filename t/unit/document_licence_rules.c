/* SPDX-License-Identifier: Apache-2.0 */
/* What states are known to do with numbers and terms: each table with numbers that
 * others publish as examples, and public specimens where they are at hand. */
#include "unit/unit.h"

#include <apr_file_info.h>
#include <apr_file_io.h>
#include <apr_strings.h>

#include "methods/document/aamva.h"
#include "methods/document/licence_rules.h"

#define LENGTH(table) (sizeof(table) / sizeof(*(table)))
#define R(name) IDV_DOCUMENT_REASON_##name

static const idv_date_t today = {2024, 7, 2};

static idv_document_t *licence(const char *region, const char *number,
                               apr_pool_t *pool)
{
    idv_document_t *document =
        idv_document_create(IDV_DOCUMENT_SOURCE_PDF417_AAMVA, pool);

    document->kind = IDV_DOCUMENT_DRIVER_LICENSE;
    document->issuing_country = "US";
    document->issuing_region = region;
    document->number = number;
    return document;
}

static idv_document_reason_t reason_of(idv_document_t *document,
                                       idv_document_check_name_t check)
{
    idv_licence_rules_check(document, today);
    return idv_document_find_check(document, check)->reason;
}

static void numbers_have_forms(void **state)
{
    static const struct {
        const char *region, *number;
        idv_document_reason_t reason;
    } rows[] = {
        {"CA", "D1234567", R(NONE)},
        {"CA", "D123456", R(DOCUMENT_NUMBER_FORMAT_WRONG)},
        {"CA", "d1234567", R(DOCUMENT_NUMBER_FORMAT_WRONG)},
        {"CA", "D1234567A", R(DOCUMENT_NUMBER_FORMAT_WRONG)},
        {"CA", "", R(DOCUMENT_NUMBER_FORMAT_WRONG)},
        {"MI", "L 341 567 071 342", R(NONE)},
        {"FL", "F255-921-50-094-0", R(NONE)},
        {"FL", "F255-921-50-094-0                   0",
         R(DOCUMENT_NUMBER_FORMAT_WRONG)},
        {"FL", "12345678901234567890123456789012345",
         R(DOCUMENT_NUMBER_FORMAT_WRONG)},
        {"TX", "1234567A", R(DOCUMENT_NUMBER_FORMAT_WRONG)},
        {"CO", "124336019", R(NONE)},
        {"CO", "AB123", R(NONE)},
        {"CO", "ABC123", R(DOCUMENT_NUMBER_FORMAT_UNUSUAL)},
        {"CT", "22788151", R(DOCUMENT_NUMBER_FORMAT_UNUSUAL)},
        {"NH", "NHI17128755", R(DOCUMENT_NUMBER_FORMAT_UNKNOWN)},
        {"ZZ", "1", R(DOCUMENT_NUMBER_FORMAT_UNKNOWN)},
        {NULL, "1", R(DOCUMENT_NUMBER_FORMAT_UNKNOWN)},
    };

    for (size_t i = 0; i < LENGTH(rows); i++)
        assert_int_equal(
            reason_of(licence(rows[i].region, rows[i].number, *state),
                      IDV_DOCUMENT_CHECK_DOCUMENT_NUMBER_FORMAT),
            rows[i].reason);
}

/* The examples are those of the pages that number_holders.def names. */
static void numbers_follow_from_their_holders(void **state)
{
    static const struct {
        const char *region, *number, *surname, *given;
        idv_date_t birth;
        char sex;
        idv_document_reason_t reason;
    } rows[] = {
        /* Soundex with the year and the day of birth. */
        {"FL", "F255-921-50-094-0", "FAKENAME", "WILLIAM", {1950, 3, 14}, 'M',
         R(NONE)},
        {"IL", "F255-9215-0094", "FAKENAME", "WILLIAM", {1950, 4, 1}, 'M',
         R(NONE)},
        {"IL", "F255-9215-0694", "FAKENAME", "WILMA", {1950, 4, 1}, 'F',
         R(NONE)},
        {"IL", "F255-9215-0694", "FAKENAME", "WILMA", {1950, 4, 1}, 0, R(NONE)},
        {"IL", "F255-9215-0694", "FAKENAME", "WILLIAM", {1950, 4, 1}, 'M',
         R(DOCUMENT_NUMBER_HOLDER_MISMATCH)},
        {"IL", "F255-9215-0094", "FAKENAME", "WILLIAM", {1950, 4, 2}, 'M',
         R(DOCUMENT_NUMBER_HOLDER_MISMATCH)},
        {"IL", "F255-9215-0094", "FAKENAME", "WILLIAM", {1951, 4, 1}, 'M',
         R(DOCUMENT_NUMBER_HOLDER_MISMATCH)},
        {"IL", "F255-9215-0094", "SMITH", "WILLIAM", {1950, 4, 1}, 'M',
         R(DOCUMENT_NUMBER_HOLDER_MISMATCH)},
        {"WI", "F255-9215-0594-01", "Fakename", "WILMA", {1950, 3, 14}, 'F',
         R(NONE)},
        {"WI", "F255-9215-059", "FAKENAME", "WILMA", {1950, 3, 14}, 'F',
         R(DOCUMENT_NUMBER_HOLDER_UNKNOWN)},
        /* The surname alone; of two words either. */
        {"MD", "S-530-429-085-151", "SMITH", "JOHN BENNETT", {1960, 2, 27}, 'M',
         R(NONE)},
        {"MI", "S530 429 085 151", "SMITH-JONES", "JOHN", {1960, 2, 27}, 'M',
         R(NONE)},
        {"MI", "S532 429 085 151", "SMITH JONES", "JOHN", {1960, 2, 27}, 'M',
         R(NONE)},
        {"MI", "S530 429 085 151", "JONES", "JOHN", {1960, 2, 27}, 'M',
         R(DOCUMENT_NUMBER_HOLDER_MISMATCH)},
        {"MN", "S530429085151", "JONES", "JOHN", {1960, 2, 27}, 'M',
         R(DOCUMENT_NUMBER_HOLDER_UNKNOWN)},
        /* Letters and the month, 50 later for women. */
        {"NJ", "J0062 40775 51643", "JACKSON", "JOHN", {1964, 1, 9}, 'F',
         R(NONE)},
        {"NJ", "J0062 40775 51643", "JACKSON", "JOHN", {1964, 1, 9}, 'M',
         R(DOCUMENT_NUMBER_HOLDER_MISMATCH)},
        {"NJ", "J0062 40775 01643", "BEALS", "JOHN", {1964, 1, 9}, 'M',
         R(DOCUMENT_NUMBER_HOLDER_MISMATCH)},
        /* Letters, year and a check digit. */
        {"WA", "WOO**JT546KA", "WOO", "JOHN T", {1946, 5, 1}, 'M', R(NONE)},
        {"WA", "WALKECR579DU", "WALKEN", "CHRISTOPHER R", {1943, 3, 31}, 'M',
         R(NONE)},
        {"WA", "WALKECR578DU", "WALKEN", "CHRISTOPHER R", {1943, 3, 31}, 'M',
         R(DOCUMENT_NUMBER_HOLDER_MISMATCH)},
        {"WA", "WALKECR579DU", "WALKEN", "CHRISTOPHER R", {1944, 3, 31}, 'M',
         R(DOCUMENT_NUMBER_HOLDER_MISMATCH)},
        {"WA", "WALKECR579DU", "WALKEN", "RONALD", {1943, 3, 31}, 'M',
         R(DOCUMENT_NUMBER_HOLDER_MISMATCH)},
        {"WA", "WALKECR579DU", "WALKEN", NULL, {1943, 3, 31}, 'M',
         R(DOCUMENT_NUMBER_HOLDER_MISMATCH)},
        {"WA", "WDL123456789", "WALKEN", "CHRISTOPHER", {1943, 3, 31}, 'M',
         R(DOCUMENT_NUMBER_HOLDER_UNKNOWN)},
        /* Where nothing is known, or too little of the holder. */
        {"TX", "37110073", "WALKEN", "CHRISTOPHER", {1943, 3, 31}, 'M',
         R(DOCUMENT_NUMBER_HOLDER_UNKNOWN)},
        {"MD", "S-530-429-085-151", NULL, "JOHN", {1960, 2, 27}, 'M',
         R(DOCUMENT_NUMBER_HOLDER_UNKNOWN)},
        {"IL", "F255-9215-0094", "FAKENAME", "WILLIAM", {1950, 4, 0}, 'M',
         R(DOCUMENT_NUMBER_HOLDER_UNKNOWN)},
        {"MD", "S-530-429-085-151", "\xc3\x84", "JOHN", {1960, 2, 27}, 'M',
         R(DOCUMENT_NUMBER_HOLDER_MISMATCH)},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        idv_document_t *document =
            licence(rows[i].region, rows[i].number, *state);

        document->surname = rows[i].surname;
        document->given_names = rows[i].given;
        document->date_of_birth = rows[i].birth;
        document->sex = rows[i].sex;
        if (reason_of(document, IDV_DOCUMENT_CHECK_DOCUMENT_NUMBER_HOLDER)
            != rows[i].reason)
            fail_msg("row %d", (int)i);
    }
}

static void terms_have_ends(void **state)
{
    static const struct {
        const char *region;
        idv_date_t issue, expiry;
        idv_document_reason_t reason;
    } rows[] = {
        {"IL", {2020, 7, 1}, {2026, 7, 1}, R(NONE)},
        {"IL", {2020, 7, 1}, {2026, 7, 2}, R(VALIDITY_TERM_UNUSUAL)},
        {"IL", {2020, 7, 1}, {2036, 7, 2}, R(VALIDITY_TERM_IMPOSSIBLE)},
        {"MD", {2020, 7, 1}, {2030, 7, 1}, R(NONE)},
        {"MD", {2020, 7, 1}, {2030, 7, 2}, R(VALIDITY_TERM_UNUSUAL)},
        {"AZ", {2020, 7, 1}, {2070, 7, 1}, R(NONE)},
        {"AZ", {2020, 7, 1}, {2070, 7, 2}, R(VALIDITY_TERM_IMPOSSIBLE)},
        {"MT", {2020, 7, 1}, {2036, 7, 1}, R(NONE)},
        {"MT", {2020, 7, 1}, {2036, 7, 2}, R(VALIDITY_TERM_IMPOSSIBLE)},
        {"IL", {2020, 7, 1}, {0, 0, 0}, R(NONE)},
        {"IL", {0, 0, 0}, {2040, 7, 1}, R(NONE)},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        idv_document_t *document = licence(rows[i].region, "1", *state);

        document->date_of_issue = rows[i].issue;
        document->date_of_expiry = rows[i].expiry;
        assert_int_equal(
            reason_of(document, IDV_DOCUMENT_CHECK_VALIDITY_TERM),
            rows[i].reason);
    }
}

static void other_documents_have_no_numbers(void **state)
{
    idv_document_t *document = licence("CA", "X", *state);

    document->kind = IDV_DOCUMENT_ID_CARD;
    idv_licence_rules_check(document, today);
    assert_null(idv_document_find_check(
        document, IDV_DOCUMENT_CHECK_DOCUMENT_NUMBER_FORMAT));
    assert_null(idv_document_find_check(
        document, IDV_DOCUMENT_CHECK_DOCUMENT_NUMBER_HOLDER));
    assert_non_null(
        idv_document_find_check(document, IDV_DOCUMENT_CHECK_VALIDITY_TERM));
}

/* Specimens that states made, with names and numbers that do not always fit each
 * other: a doubt at most. Not part of the project: IDV_VECTORS names their folder. */
static void public_specimens_do_not_fail(void **state)
{
    apr_pool_t *pool = *state;
    const char *root = getenv("IDV_VECTORS");
    const char *folder =
        apr_pstrcat(pool, root ? root : "../shared/vectors", "/aamva", NULL);
    apr_dir_t *directory;
    apr_finfo_t info;
    int count = 0, doubts = 0;

    if (apr_dir_open(&directory, folder, pool) != APR_SUCCESS) {
        printf("# no public payloads at hand (IDV_VECTORS), skipped\n");
        skip();
    }
    while (apr_dir_read(&info, APR_FINFO_NAME | APR_FINFO_SIZE, directory)
           == APR_SUCCESS) {
        idv_bytes_t payload;
        idv_document_t *document;
        apr_file_t *file;
        char *text;

        if (!strstr(info.name, ".txt"))
            continue;
        text = apr_pcalloc(pool, info.size + 1);
        assert_int_equal(
            apr_file_open(&file,
                          apr_pstrcat(pool, folder, "/", info.name, NULL),
                          APR_READ, 0, pool),
            APR_SUCCESS);
        assert_int_equal(apr_file_read_full(file, text, info.size, NULL),
                         APR_SUCCESS);
        payload = (idv_bytes_t){(unsigned char *)text, strlen(text)};
        assert_null(idv_aamva_parse(payload, 1719835200000, &document, pool));
        idv_licence_rules_check(document, today);
        for (int name = IDV_DOCUMENT_CHECK_DOCUMENT_NUMBER_FORMAT;
             name <= IDV_DOCUMENT_CHECK_VALIDITY_TERM; name++) {
            const idv_document_check_t *check =
                idv_document_find_check(document, name);

            if (!check || check->reason == R(NONE)
                || idv_document_reason_is_silent(check->reason))
                continue;
            if (!idv_document_reason_is_undetermined(check->reason))
                fail_msg("%s: %s", info.name,
                         idv_document_reason_code(check->reason));
            printf("# %s: %s\n", info.name,
                   idv_document_reason_code(check->reason));
            doubts++;
        }
        count++;
    }
    assert_true(count > 0);
    printf("# %d public specimens, %d doubts\n", count, doubts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(numbers_have_forms),
        pooled_test(numbers_follow_from_their_holders),
        pooled_test(terms_have_ends),
        pooled_test(other_documents_have_no_numbers),
        pooled_test(public_specimens_do_not_fail),
    };

    return unit_run("document/licence_rules", tests);
}
