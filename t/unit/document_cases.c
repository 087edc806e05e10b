/* SPDX-License-Identifier: Apache-2.0 */
/* Payloads of barcodes from public bug reports, where they are at hand: how
 * each is read and decided. t/unit/document_aamva.c makes siblings of them. */
#include "unit.h"

#include <apr_file_io.h>
#include <apr_strings.h>

#include "methods/document/aamva.h"
#include "methods/document/document_decision.h"

#define CASES "../shared/cases/documents"

static idv_bytes_t read_file(const char *path, apr_pool_t *pool)
{
    apr_file_t *file;
    apr_finfo_t info;
    apr_size_t length;
    unsigned char *data;

    assert_int_equal(apr_file_open(&file, path,
                                   APR_FOPEN_READ | APR_FOPEN_BINARY,
                                   APR_FPROT_OS_DEFAULT, pool),
                     APR_SUCCESS);
    assert_int_equal(apr_file_info_get(&info, APR_FINFO_SIZE, file),
                     APR_SUCCESS);
    data = apr_palloc(pool, (apr_size_t)info.size);
    assert_int_equal(
        apr_file_read_full(file, data, (apr_size_t)info.size, &length),
        APR_SUCCESS);
    apr_file_close(file);
    return (idv_bytes_t){data, length};
}

#define PASSED IDV_METHOD_PASSED
#define IN_DOUBT IDV_METHOD_UNDETERMINED
#define FAILED IDV_METHOD_FAILED

/* How each of them ends on the day that they were made for. REASON is that of
 * the check that the case is about; NULL: all passed. */
static const struct {
    const char *file;
    idv_method_verdict_t verdict;
    const char *reason, *country, *surname, *given_names;
    char sex;
    idv_date_t birth;
} cases[] = {
    {"A1-WV-2009",
     PASSED,
     "date_without_zeros",
     "US",
     "SAMPLE",
     "ALEXIS QUINN",
     'F',
     {1972, 11, 3}},
    {"A1b-WV-control",
     PASSED,
     NULL,
     "US",
     "SAMPLE",
     "ALEXIS QUINN",
     'F',
     {1972, 11, 3}},
    {"A2-NC-v1",
     PASSED,
     NULL,
     "US",
     "SAMPLE",
     "ALEXIS QUINN",
     'F',
     {1951, 6, 27}},
    {"A2b-NC-header-right",
     PASSED,
     NULL,
     "US",
     "SAMPLE",
     "ALEXIS QUINN",
     'F',
     {1951, 6, 27}},
    /* Its holder was replaced, and the number still encodes the former one. */
    {"A3b-IL-v02-control",
     IN_DOUBT,
     "document_number_holder_mismatch",
     "US",
     "SAMPLE",
     "ALEXIS QUINN",
     'F',
     {1975, 3, 7}},
    {"A4-MD-v01", PASSED, NULL, "US", "SAMPLE", "ALEXIS", 'F', {1975, 3, 7}},
    {"A5-BC-track-format",
     PASSED,
     NULL,
     "CA",
     "SAMPLE",
     "ALEXIS QUINN",
     'F',
     {1975, 3, 7}},
    {"A6-IA-ID",
     PASSED,
     NULL,
     "US",
     "SAMPLE",
     "PROFILE SIX",
     'M',
     {1985, 1, 1}},
    {"A7-PA-blank-ends",
     PASSED,
     NULL,
     "US",
     "SAMPLE",
     "JANICE ANN",
     'F',
     {1969, 8, 4}},
    {"A7b-PA-line-ends",
     PASSED,
     NULL,
     "US",
     "SAMPLE",
     "JANICE ANN",
     'F',
     {1969, 8, 4}},
    {"A8-NJ-v04", PASSED, NULL, "US", "SAMPLE", "ALEXIS", 'F', {1975, 3, 7}},
    {"A9-QC-no-country",
     PASSED,
     "country_element_missing",
     "CA",
     "SAMPLE",
     "ALEXIS QUINN",
     'F',
     {1975, 3, 7}},
    {"A10-v11-new-elements",
     PASSED,
     NULL,
     "US",
     "SAMPLE",
     "ALEXIS QUINN",
     'F',
     {1975, 3, 7}},
    {"A11-n-tilde-cp437",
     PASSED,
     NULL,
     "US",
     "PE\xc3\x91"
     "A",
     "ALEXIS QUINN",
     'F',
     {1975, 3, 7}},
    {"A11b-n-tilde-latin1",
     PASSED,
     NULL,
     "US",
     "PE\xc3\x91"
     "A",
     "ALEXIS QUINN",
     'F',
     {1975, 3, 7}},
    /* The middle name is "unavl", which is not a name. Its number is a former
     * holder's, too. */
    {"A12-unavl-small",
     IN_DOUBT,
     "document_number_holder_mismatch",
     "US",
     "SAMPLE",
     "ALEXIS",
     'F',
     {1975, 3, 7}},
    {"A13-diplomatic",
     PASSED,
     NULL,
     "US",
     "SAMPLE",
     "ALEXIS QUINN",
     'F',
     {1975, 3, 7}},
    {"A14-sex-blank-v10",
     PASSED,
     NULL,
     "US",
     "SAMPLE",
     "ALEXIS QUINN",
     0,
     {1975, 3, 7}},
    {"A15-expires-today",
     PASSED,
     NULL,
     "US",
     "SAMPLE",
     "ALEXIS QUINN",
     'F',
     {1975, 3, 7}},
    {"A15b-expired-yesterday",
     FAILED,
     "expired",
     "US",
     "SAMPLE",
     "ALEXIS QUINN",
     'F',
     {1975, 3, 7}},
    {"A16-no-DCF",
     IN_DOUBT,
     "discriminator_missing",
     "US",
     "SAMPLE",
     "ALEXIS QUINN",
     'F',
     {1975, 3, 7}},
};
#define COUNT ((int)(sizeof(cases) / sizeof(*cases)))

static int has_reason(const idv_method_outcome_t *outcome, const char *reason)
{
    for (int i = 0; i < outcome->check_count; i++)
        if (outcome->checks[i].reason
            && strcmp(outcome->checks[i].reason, reason) == 0)
            return 1;
    return 0;
}

static void check_case(int i, const idv_document_t *document, idv_time_t now,
                       apr_pool_t *pool)
{
    const idv_document_findings_t findings = {.readable = 1,
                                              .readers_agree = 1,
                                              .confidence = 0.9,
                                              .document = document};
    const idv_document_rule_t rule = {
        .now = now, .jurisdiction = "US-VA", .required_age = 21};
    idv_method_outcome_t *outcome;

    assert_null(idv_document_decide(&findings, &rule, &outcome, pool));
    assert_int_equal(outcome->verdict, cases[i].verdict);
    if (cases[i].reason)
        assert_true(has_reason(outcome, cases[i].reason));
    assert_string_equal(document->issuing_country, cases[i].country);
    assert_string_equal(document->surname, cases[i].surname);
    assert_string_equal(document->given_names, cases[i].given_names);
    assert_int_equal(document->sex, cases[i].sex);
    assert_int_equal(idv_date_compare(document->date_of_birth, cases[i].birth),
                     0);
}

/* Also: no file is without its line in the table. */
static void cases_end_as_they_should(void **state)
{
    apr_pool_t *pool = *state;
    const idv_time_t now =
        idv_date_days((idv_date_t){2026, 11, 27}) * IDV_DAY + 12 * IDV_HOUR;
    apr_dir_t *directory;
    apr_finfo_t info;
    int files = 0;

    if (apr_dir_open(&directory, CASES, pool) != APR_SUCCESS) {
        printf("# skipped: no cases in " CASES "\n");
        skip();
    }
    while (apr_dir_read(&info, APR_FINFO_NAME, directory) == APR_SUCCESS)
        files += strstr(info.name, ".bin") != NULL;
    apr_dir_close(directory);
    assert_int_equal(files, COUNT);
    for (int i = 0; i < COUNT; i++) {
        const char *path =
            apr_pstrcat(pool, CASES "/", cases[i].file, ".bin", NULL);
        idv_document_t *document;

        printf("# %s\n", cases[i].file);
        assert_null(
            idv_aamva_parse(read_file(path, pool), now, &document, pool));
        check_case(i, document, now, pool);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(cases_end_as_they_should),
    };

    return unit_run("methods/document of public reports", tests);
}
