/* SPDX-License-Identifier: Apache-2.0 */
/* The findings format: what is written reads back, and nothing else reads. */
#include "unit/unit.h"

#include <apr_strings.h>

#include "methods/document/document_findings.h"

#define LENGTH(table) (sizeof(table) / sizeof(*(table)))

static idv_document_t *specimen(apr_pool_t *pool)
{
    idv_document_t *document =
        idv_document_create(IDV_DOCUMENT_SOURCE_MRZ_TD3, pool);

    document->kind = IDV_DOCUMENT_PASSPORT;
    document->issuing_country = "UT";
    document->number = "L898902C3";
    document->surname = "MUSTERMANN";
    document->given_names = "ERIKA";
    document->nationality = "UT";
    document->sex = 'F';
    document->date_of_birth = (idv_date_t){ 1974, 8, 0 };
    document->date_of_expiry = (idv_date_t){ 2030, 4, 15 };
    document->repairs = 2;
    for (int name = 0; name < IDV_DOCUMENT_CHECK_COUNT; name++)
        if (idv_document_check_is_due(document->source, name))
            idv_document_check(document, name, IDV_DOCUMENT_REASON_NONE);
    return document;
}

static idv_document_findings_t readable(const idv_document_t *document)
{
    return (idv_document_findings_t){
        .readable = 1,
        .readers_agree = 1,
        .confidence = 0.97,
        .document = document,
        .barcode_cross_reference = IDV_DOCUMENT_MATCHES,
        .sides = 2,
        .area = {IDV_DOCUMENT_SIDE_BACK,
                 {{0.1, 0.5}, {0.9, 0.5}, {0.9, 0.705}, {0.1, 0.705}}},
        .portrait = IDV_DOCUMENT_PORTRAIT_FOUND,
        .print_was_sought = 1,
        .print = {{[IDV_PRINT_SURNAME] = IDV_PRINT_CONSISTENT,
                   [IDV_PRINT_NUMBER] = IDV_PRINT_CONTRADICTED},
             .dates = 0},
        .quality = { 1600, 1200, 812.5, 0.002 },
        .raster = {1, 0.75},
        .milliseconds = 123.4,
    };
}

static const char *written(const idv_document_findings_t *findings,
                           apr_pool_t *pool)
{
    const char *text;
    apr_size_t length;

    assert_null(idv_document_findings_write(findings, &text, &length, pool));
    assert_int_equal(strlen(text), length);
    return text;
}

static idv_error_t *read_text(const char *text,
                              idv_document_findings_t **findings,
                              apr_pool_t *pool)
{
    return idv_document_findings_read(text, strlen(text), findings, pool);
}

static void findings_read_back_as_written(void **state)
{
    apr_pool_t *pool = *state;
    idv_document_t *document = specimen(pool);
    idv_document_findings_t findings = readable(document), *back;
    const char *text;

    idv_document_check(document, IDV_DOCUMENT_CHECK_SEX,
                       IDV_DOCUMENT_REASON_SEX_INVALID);
    text = written(&findings, pool);
    assert_null(read_text(text, &back, pool));
    assert_string_equal(written(back, pool), text);
    assert_int_equal(back->readable, 1);
    assert_int_equal(back->document->source, IDV_DOCUMENT_SOURCE_MRZ_TD3);
    assert_int_equal(back->document->kind, IDV_DOCUMENT_PASSPORT);
    assert_string_equal(back->document->surname, "MUSTERMANN");
    assert_null(back->document->issuing_region);
    assert_int_equal(back->document->date_of_birth.month, 8);
    assert_int_equal(back->document->date_of_birth.day, 0);
    assert_int_equal(back->document->date_of_issue.year, 0);
    assert_int_equal(back->document->sex, 'F');
    assert_int_equal(back->document->repairs, 2);
    assert_int_equal(
        idv_document_find_check(back->document, IDV_DOCUMENT_CHECK_SEX)->reason,
        IDV_DOCUMENT_REASON_SEX_INVALID);
    assert_int_equal(back->barcode_cross_reference, IDV_DOCUMENT_MATCHES);
    assert_int_equal(back->sides, 2);
    assert_int_equal(back->portrait, IDV_DOCUMENT_PORTRAIT_FOUND);
    assert_int_equal(back->print_was_sought, 1);
    assert_memory_equal(&back->print, &findings.print, sizeof(back->print));
    assert_int_equal(back->quality.width, 1600);
    assert_true(back->raster.is_known && back->raster.score == 0.75);
    assert_false(back->paste.is_known);
    assert_true(back->confidence > 0.96 && back->confidence < 0.98);
}

static int is_at(const json_t *places, const char *name, size_t corner, double x,
                 double y)
{
    const json_t *corners = json_object_get(places, name);

    return json_array_size(corners) == 8
        && json_real_value(json_array_get(corners, 2 * corner)) == x
        && json_real_value(json_array_get(corners, 2 * corner + 1)) == y;
}

static void places_of_values_lie_in_the_zone(void **state)
{
    apr_pool_t *pool = *state;
    idv_document_findings_t findings = readable(specimen(pool)), *back;
    json_t *places;

    assert_null(read_text(written(&findings, pool), &back, pool));
    assert_int_equal(back->area.side, IDV_DOCUMENT_SIDE_BACK);
    places = idv_document_area_places(back->document->source, &back->area);
    /* The second row of a passport, columns 1 to 9 of 44. */
    assert_true(is_at(places, "number", 0, 0.1, 0.625));
    assert_true(is_at(places, "number", 2, 0.2636, 0.705));
    assert_non_null(json_object_get(places, "given_names"));
    assert_null(json_object_get(places, "date_of_issue"));
    json_decref(places);
    places = idv_document_area_places(IDV_DOCUMENT_SOURCE_PDF417_AAMVA,
                                      &back->area);
    assert_true(is_at(places, "date_of_issue", 0, 0.1, 0.5));
    assert_true(is_at(places, "date_of_issue", 2, 0.9, 0.705));
    json_decref(places);
    back->area.side = IDV_DOCUMENT_SIDE_NONE;
    places = idv_document_area_places(back->document->source, &back->area);
    assert_true(json_is_null(places));
    assert_null(read_text(written(back, pool), &back, pool));
}

static void corners_beyond_the_picture_move_to_its_edge(void **state)
{
    apr_pool_t *pool = *state;
    idv_document_findings_t findings = readable(specimen(pool)), *back;

    findings.area.corner[0] = (idv_document_point_t){-0.2, 1.5};
    assert_null(read_text(written(&findings, pool), &back, pool));
    assert_true(back->area.corner[0].x == 0 && back->area.corner[0].y == 1);
}

static void a_picture_to_take_again_reads_back(void **state)
{
    apr_pool_t *pool = *state;
    idv_document_findings_t findings = readable(specimen(pool)), *back;

    findings.is_cut = 1;
    findings.side = IDV_DOCUMENT_SIDE_BACK;
    assert_null(read_text(written(&findings, pool), &back, pool));
    assert_int_equal(back->is_cut, 1);
    assert_int_equal(back->side, IDV_DOCUMENT_SIDE_BACK);
    findings.side = IDV_DOCUMENT_SIDE_NONE;
    findings.sides = 2;
    assert_null(read_text(written(&findings, pool), &back, pool));
    assert_int_equal(back->is_cut, 1);
    assert_int_equal(back->side, IDV_DOCUMENT_SIDE_NONE);
    findings.sides = 1;
    assert_non_null(read_text(written(&findings, pool), &back, pool));
    findings = (idv_document_findings_t){.hint = IDV_DOCUMENT_HINT_GLARE,
                                         .side = IDV_DOCUMENT_SIDE_FRONT,
                                         .sides = 2};
    assert_null(read_text(written(&findings, pool), &back, pool));
    assert_int_equal(back->side, IDV_DOCUMENT_SIDE_FRONT);
    findings.is_cut = 1;
    assert_non_null(read_text(written(&findings, pool), &back, pool));
}

static void every_hint_source_and_kind_reads_back(void **state)
{
    apr_pool_t *pool = *state;
    idv_document_findings_t findings = { 0 }, *back;

    for (int hint = 1; hint < IDV_DOCUMENT_HINT_COUNT; hint++) {
        findings.hint = hint;
        assert_null(read_text(written(&findings, pool), &back, pool));
        assert_int_equal(back->hint, hint);
        assert_null(back->document);
    }
    for (int source = 0; source < IDV_DOCUMENT_SOURCE_COUNT; source++)
        for (int kind = 0; kind < IDV_DOCUMENT_KIND_COUNT; kind++) {
            idv_document_t *document = specimen(pool);

            document->source = source;
            document->kind = kind;
            apr_array_clear(document->checks);
            for (int name = 0; name < IDV_DOCUMENT_CHECK_COUNT; name++)
                if (idv_document_check_is_due(source, name))
                    idv_document_check(document, name,
                                       IDV_DOCUMENT_REASON_NONE);
            findings = readable(document);
            assert_null(read_text(written(&findings, pool), &back, pool));
            assert_int_equal(back->document->source, source);
            assert_int_equal(back->document->kind, kind);
        }
}

static void both_centuries_read_back(void **state)
{
    apr_pool_t *pool = *state;
    idv_document_t *document = specimen(pool);
    idv_document_findings_t findings = readable(document), *back;

    document->earlier_birth = (idv_date_t){1874, 8, 0};
    assert_null(read_text(written(&findings, pool), &back, pool));
    assert_memory_equal(&back->document->earlier_birth,
                        &document->earlier_birth, sizeof(idv_date_t));
}

static void every_answer_about_the_portrait_reads_back(void **state)
{
    static const idv_document_portrait_t answers[] = {
        IDV_DOCUMENT_PORTRAIT_NOT_SOUGHT, IDV_DOCUMENT_PORTRAIT_MISSING,
        IDV_DOCUMENT_PORTRAIT_FOUND};
    apr_pool_t *pool = *state;
    idv_document_findings_t findings = readable(specimen(pool)), *back;

    for (size_t i = 0; i < LENGTH(answers); i++) {
        findings.portrait = answers[i];
        assert_null(read_text(written(&findings, pool), &back, pool));
        assert_int_equal(back->portrait, answers[i]);
    }
}

static void print_that_nobody_looked_at_reads_back(void **state)
{
    apr_pool_t *pool = *state;
    idv_document_findings_t findings = readable(specimen(pool)), *back;

    findings.print_was_sought = 0;
    findings.print = (idv_print_verdicts_t){0};
    assert_non_null(strstr(written(&findings, pool), "\"print\":null"));
    assert_null(read_text(written(&findings, pool), &back, pool));
    assert_int_equal(back->print_was_sought, 0);
}

/* TEXT with its first OLD replaced. */
static const char *altered(const char *text, const char *old,
                           const char *replacement, apr_pool_t *pool)
{
    const char *place = strstr(text, old);

    assert_non_null(place);
    return apr_pstrcat(pool, apr_pstrmemdup(pool, text, place - text),
                       replacement, place + strlen(old), NULL);
}

static void findings_of_older_releases_say_less(void **state)
{
    apr_pool_t *pool = *state;
    idv_document_findings_t findings = readable(specimen(pool)), *back;
    const char *text = written(&findings, pool);

    text = altered(text,
                   "\"area\":{\"side\":\"back\",\"corners\":[0.1,0.5,0.9,0.5,0.9,"
                   "0.705,0.1,0.705]},",
                   "", pool);
    assert_null(read_text(text, &back, pool));
    assert_int_equal(back->area.side, IDV_DOCUMENT_SIDE_NONE);
    text = altered(text, "\"side\":null,", "", pool);
    text = altered(text, "\"cut\":false,", "", pool);
    assert_null(read_text(text, &back, pool));
    assert_int_equal(back->is_cut, 0);
    assert_int_equal(back->side, IDV_DOCUMENT_SIDE_NONE);
}

static void any_deviation_is_refused(void **state)
{
    static const char *const rows[][2] = {
        { "\"readable\":true", "\"readable\":1" },
        { "\"readable\":true", "\"readable\":false" },
        { "\"readable\":true", "\"readable\":true,\"more\":1" },
        { "\"readable\":true,", "" },
        { "\"hint\":null", "\"hint\":\"blurred\"" },
        { "\"sides\":2", "\"sides\":3" },
        { "\"sides\":2", "\"sides\":-1" },
        { "\"sides\":2,", "" },
        { "\"side\":null", "\"side\":\"left\"" },
        { "\"side\":null", "\"side\":\"front\"" },
        { "\"side\":null,", "" },
        { "\"cut\":false", "\"cut\":null" },
        { "\"cut\":false,", "" },
        { "\"area\":{\"side\":\"back\"", "\"area\":{\"side\":null" },
        { "\"area\":{", "\"area\":{\"more\":1," },
        { "\"corners\":[0.1", "\"corners\":[1.1" },
        { "\"corners\":[0.1", "\"corners\":[-0.1" },
        { "\"corners\":[0.1", "\"corners\":[\"0.1\"" },
        { "\"corners\":[0.1,", "\"corners\":[" },
        { "\"corners\":[0.1,", "\"corners\":[0.1,0.1," },
        { "\"corners\":[", "\"corners\":null,\"other\":[" },
        { "\"portrait\":true", "\"portrait\":1" },
        { "\"portrait\":true", "\"portrait\":\"found\"" },
        { "\"surname\":\"consistent\"", "\"surname\":\"right\"" },
        { "\"surname\":\"consistent\"", "\"surname\":null" },
        { "\"surname\":\"consistent\",", "" },
        { "\"surname\":\"consistent\"",
          "\"surname\":\"consistent\",\"more\":\"consistent\"" },
        { "\"print\":{", "\"print\":7,\"other\":{" },
        { "\"hint\":null", "\"hint\":\"unheard_of\"" },
        { "\"hint\":null", "\"hint\":7" },
        { "\"source\":\"mrz_td3\"", "\"source\":\"mrz_td9\"" },
        { "\"source\":\"mrz_td3\"", "\"source\":null" },
        { "\"source\":\"mrz_td3\"", "\"source\":\"pdf417_aamva\"" },
        { "\"confidence\":0.9", "\"confidence\":1.9" },
        { "\"confidence\":0.9", "\"confidence\":-0.9" },
        { "\"kind\":\"passport\"", "\"kind\":\"library_card\"" },
        { "\"kind\":\"passport\"", "\"kind\":null" },
        { "\"issuing_country\":\"UT\"", "\"issuing_country\":\"UTO\"" },
        { "\"issuing_country\":\"UT\"", "\"issuing_country\":\"ut\"" },
        { "\"issuing_region\":null", "\"issuing_region\":\"NEWYORK\"" },
        { "\"surname\":\"MUSTERMANN\"", "\"surname\":\"\"" },
        { "\"surname\":\"MUSTERMANN\"", "\"surname\":\"A\\u0007\"" },
        { "\"surname\":\"MUSTERMANN\"", "\"surname\":[\"A\"]" },
        { "\"date_of_birth\":\"1974-08\"", "\"date_of_birth\":\"1974-13\"" },
        { "\"date_of_birth\":\"1974-08\"", "\"date_of_birth\":1974" },
        { "\"date_of_expiry\":\"2030-04-15\"", "\"date_of_expiry\":\"2030\"" },
        { "\"earlier_birth\":null", "\"earlier_birth\":\"1873-08\"" },
        { "\"earlier_birth\":null", "\"earlier_birth\":\"1874\"" },
        { "\"earlier_birth\":null,", "" },
        { "\"sex\":\"F\"", "\"sex\":\"FM\"" },
        { "\"sex\":\"F\"", "\"sex\":\"Q\"" },
        { "\"sex\":\"F\",", "" },
        { "\"passed\":true,\"reason\":null",
          "\"passed\":true,\"reason\":\"sex_invalid\"" },
        { "\"passed\":true,\"reason\":null",
          "\"passed\":false,\"reason\":null" },
        { "\"passed\":true,\"reason\":null",
          "\"passed\":false,\"reason\":\"sex_invalid\"" },
        { "\"passed\":true,\"reason\":null",
          "\"passed\":false,\"reason\":\"bad_hair\"" },
        { "\"name\":\"sex\"", "\"name\":\"names\"" },
        { "\"name\":\"sex\"", "\"name\":\"issuer_cross_check\"" },
        { "\"name\":\"sex\"", "\"name\":\"hair\"" },
        { "\"checks\":[", "\"checks\":[{\"name\":\"sex\",\"passed\":true,"
                        "\"reason\":null}," },
        { "\"repairs\":2", "\"repairs\":-1" },
        { "\"repairs\":2", "\"repairs\":65" },
        { "\"repairs\":2", "\"repairs\":2.5" },
        { "\"barcode_cross_ref_match\":true",
          "\"barcode_cross_ref_match\":\"true\"" },
        { "\"width\":1600", "\"width\":70000" },
        { "\"width\":1600", "\"width\":1600,\"depth\":3" },
        { "\"glare\":0.002", "\"glare\":2" },
        { "\"quality\":{", "\"quality\":7,\"ignored\":{" },
        { "\"milliseconds\":123.4", "\"milliseconds\":1e300" },
        { "{\"readable\"", "[{\"readable\"" },
        { "MUSTERMANN", "MUSTER\xff" },
    };
    apr_pool_t *pool = *state;
    idv_document_findings_t findings = readable(specimen(pool)), *back;
    const char *text = written(&findings, pool);
    char *longest = apr_palloc(pool, IDV_DOCUMENT_FINDINGS_MAX + 2);

    for (size_t i = 0; i < LENGTH(rows); i++) {
        idv_error_t *error =
            read_text(altered(text, rows[i][0], rows[i][1], pool), &back, pool);

        if (!error)
            fail_msg("accepted: %s", rows[i][1]);
        assert_int_equal(error->code, IDV_E_INTERNAL);
        assert_null(strstr(error->detail, "MUSTER"));
    }
    memset(longest, ' ', IDV_DOCUMENT_FINDINGS_MAX + 1);
    longest[IDV_DOCUMENT_FINDINGS_MAX + 1] = '\0';
    memcpy(longest, text, strlen(text));
    assert_non_null(read_text(longest, &back, pool));
    longest[IDV_DOCUMENT_FINDINGS_MAX] = '\0';
    assert_null(read_text(longest, &back, pool));
}

static void names_may_be_long_but_not_endless(void **state)
{
    apr_pool_t *pool = *state;
    idv_document_t *document = specimen(pool);
    idv_document_findings_t findings = readable(document), *back;
    char *name = apr_pcalloc(pool, 300);

    memset(name, 'A', 257);
    document->surname = name;
    assert_non_null(read_text(written(&findings, pool), &back, pool));
    name[256] = '\0';
    assert_null(read_text(written(&findings, pool), &back, pool));
}

/* Only a code that stands for itself, and matches, confirms another. */
static void confirmations_are_checked(void **state)
{
    static const struct {
        idv_document_source_t source, confirmed_by;
        idv_document_comparison_t comparison;
        int is_good;
    } rows[] = {
        { IDV_DOCUMENT_SOURCE_PDF417_AAMVA, IDV_DOCUMENT_SOURCE_MRZ_TD1,
          IDV_DOCUMENT_MATCHES, 1 },
        { IDV_DOCUMENT_SOURCE_MRZ_TD2, IDV_DOCUMENT_SOURCE_PDF417_AAMVA,
          IDV_DOCUMENT_MATCHES, 1 },
        { IDV_DOCUMENT_SOURCE_PDF417_AAMVA, IDV_DOCUMENT_SOURCE_MRZ_TD1,
          IDV_DOCUMENT_DIFFERS, 0 },
        { IDV_DOCUMENT_SOURCE_PDF417_AAMVA, IDV_DOCUMENT_SOURCE_MRZ_TD1,
          IDV_DOCUMENT_NOT_COMPARED, 0 },
        { IDV_DOCUMENT_SOURCE_PDF417_AAMVA, IDV_DOCUMENT_SOURCE_PDF417_AAMVA,
          IDV_DOCUMENT_MATCHES, 0 },
        { IDV_DOCUMENT_SOURCE_MRZ_TD1, IDV_DOCUMENT_SOURCE_MRZ_TD1,
          IDV_DOCUMENT_MATCHES, 0 },
        { IDV_DOCUMENT_SOURCE_MRZ_TD3, IDV_DOCUMENT_SOURCE_PDF417_AAMVA,
          IDV_DOCUMENT_MATCHES, 0 },
    };
    apr_pool_t *pool = *state;
    idv_document_findings_t findings, *back;

    for (size_t i = 0; i < LENGTH(rows); i++) {
        idv_document_t *document = specimen(pool);

        document->source = rows[i].source;
        apr_array_clear(document->checks);
        for (int name = 0; name < IDV_DOCUMENT_CHECK_COUNT; name++)
            if (idv_document_check_is_due(document->source, name))
                idv_document_check(document, name, IDV_DOCUMENT_REASON_NONE);
        findings = readable(document);
        findings.barcode_cross_reference = rows[i].comparison;
        findings.is_confirmed = 1;
        findings.confirmed_by = rows[i].confirmed_by;
        if (rows[i].is_good) {
            assert_null(read_text(written(&findings, pool), &back, pool));
            assert_true(back->is_confirmed);
            assert_int_equal(back->confirmed_by, rows[i].confirmed_by);
        } else {
            assert_non_null(read_text(written(&findings, pool), &back, pool));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(findings_read_back_as_written),
        pooled_test(both_centuries_read_back),
        pooled_test(every_answer_about_the_portrait_reads_back),
        pooled_test(print_that_nobody_looked_at_reads_back),
        pooled_test(places_of_values_lie_in_the_zone),
        pooled_test(corners_beyond_the_picture_move_to_its_edge),
        pooled_test(a_picture_to_take_again_reads_back),
        pooled_test(every_hint_source_and_kind_reads_back),
        pooled_test(findings_of_older_releases_say_less),
        pooled_test(any_deviation_is_refused),
        pooled_test(names_may_be_long_but_not_endless),
        pooled_test(confirmations_are_checked),
    };

    return unit_run("document/findings", tests);
}
