/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/document/document_area.h"

#include <math.h>

#include "core/word_list.h"
#include "methods/document/mrz_layout.h"

#define COUNT(table) ((int)(sizeof(table) / sizeof(*(table))))

enum { CORNERS = 4 };

/* A tenth of a pixel of a photo that is 1,000 pixels wide. */
#define STEPS 1e4

/* Heights of a zone's rows, in widths of a character: from one to the next (ICAO Doc
 * 9303-3, 4.2: 6.35 mm by 2.54 mm), and from the middle of a row to its edge, which is
 * also the edge of the area (idv_mrz_placement_area). */
static const double row_height = 2.5, half_row = 0.8;

static const char *const side_codes[] = {
    [IDV_DOCUMENT_SIDE_NONE] = NULL,
    [IDV_DOCUMENT_SIDE_FRONT] = "front",
    [IDV_DOCUMENT_SIDE_BACK] = "back",
};

const char *idv_document_side_code(idv_document_side_name_t side)
{
    return side_codes[side];
}

static int find_side(const char *code)
{
    return idv_word_find(side_codes, COUNT(side_codes), code);
}

idv_document_side_name_t idv_document_side_find(const char *code)
{
    int found = find_side(code);

    return found < 0 ? IDV_DOCUMENT_SIDE_NONE : found;
}

idv_document_side_name_t
idv_document_side_read(idv_findings_reading_t *reading, const json_t *object)
{
    int found = idv_findings_code(reading, object, "side", find_side);

    return found < 0 ? IDV_DOCUMENT_SIDE_NONE : found;
}

/* --- the area --- */

/* A share with as many digits as a picture has pixels. */
static json_t *share(double value)
{
    return json_real(round(fmin(fmax(value, 0), 1) * STEPS) / STEPS);
}

json_t *idv_document_area_write(const idv_document_area_t *area)
{
    json_t *corners;

    if (area->side == IDV_DOCUMENT_SIDE_NONE)
        return json_null();
    corners = json_array();
    for (int i = 0; i < CORNERS; i++) {
        json_array_append_new(corners, share(area->corner[i].x));
        json_array_append_new(corners, share(area->corner[i].y));
    }
    return json_pack("{s:s, s:o}", "side", side_codes[area->side], "corners",
                     corners);
}

static double read_share(idv_findings_reading_t *reading, const json_t *corners,
                         size_t index)
{
    const json_t *value = json_array_get(corners, index);
    double number = json_number_value(value);

    if (json_is_number(value) && number >= 0 && number <= 1)
        return number;
    idv_findings_fault(reading, "corners");
    return 0;
}

void idv_document_area_read(idv_findings_reading_t *reading,
                            const json_t *object, idv_document_area_t *area)
{
    const json_t *value = idv_findings_member(reading, object, "area");
    const json_t *corners;

    *area = (idv_document_area_t){.side = IDV_DOCUMENT_SIDE_NONE};
    if (!value || json_is_null(value)
        || !idv_findings_has_members(reading, value, 2, "area"))
        return;
    area->side = idv_document_side_read(reading, value);
    corners = idv_findings_array(reading, value, "corners", 2 * CORNERS);
    if (area->side == IDV_DOCUMENT_SIDE_NONE
        || json_array_size(corners) != 2 * CORNERS)
        idv_findings_fault(reading, "area");
    for (size_t i = 0; i < CORNERS; i++)
        area->corner[i] = (idv_document_point_t){
            read_share(reading, corners, 2 * i),
            read_share(reading, corners, 2 * i + 1)};
}

/* --- the places of values --- */

/* The values that a zone spells out, and its fields. France has a field for the given
 * names, others write both names into one. */
static const struct {
    const char *value;
    idv_mrz_field_name_t field, otherwise;
} spelled[] = {
    {"kind", IDV_MRZ_FIELD_CODE, IDV_MRZ_FIELD_CODE},
    {"issuing_country", IDV_MRZ_FIELD_ISSUER, IDV_MRZ_FIELD_ISSUER},
    {"number", IDV_MRZ_FIELD_NUMBER, IDV_MRZ_FIELD_NUMBER},
    {"surname", IDV_MRZ_FIELD_NAMES, IDV_MRZ_FIELD_NAMES},
    {"given_names", IDV_MRZ_FIELD_GIVEN_NAMES, IDV_MRZ_FIELD_NAMES},
    {"date_of_birth", IDV_MRZ_FIELD_BIRTH, IDV_MRZ_FIELD_BIRTH},
    {"earlier_birth", IDV_MRZ_FIELD_BIRTH, IDV_MRZ_FIELD_BIRTH},
    {"date_of_expiry", IDV_MRZ_FIELD_EXPIRY, IDV_MRZ_FIELD_EXPIRY},
    {"sex", IDV_MRZ_FIELD_SEX, IDV_MRZ_FIELD_SEX},
    {"nationality", IDV_MRZ_FIELD_NATIONALITY, IDV_MRZ_FIELD_NATIONALITY},
};

static const char *const in_barcodes[] = {
    "kind", "issuing_country", "issuing_region", "number", "surname",
    "given_names", "date_of_birth", "date_of_expiry", "date_of_issue", "sex"};

/* Adds the point of AREA at the shares ACROSS and DOWN of its sides to CORNERS. */
static void add_point(const idv_document_area_t *area, double across,
                      double down, json_t *corners)
{
    const idv_document_point_t *c = area->corner;
    double weights[CORNERS] = {(1 - across) * (1 - down), across * (1 - down),
                               across * down, (1 - across) * down};
    double x = 0, y = 0;

    for (int i = 0; i < CORNERS; i++) {
        x += weights[i] * c[i].x;
        y += weights[i] * c[i].y;
    }
    json_array_append_new(corners, share(x));
    json_array_append_new(corners, share(y));
}

/* The part of AREA from LEFT to RIGHT and from TOP to BOTTOM, as shares of it. */
static json_t *part_of(const idv_document_area_t *area, double left, double top,
                       double right, double bottom)
{
    json_t *corners = json_array();

    add_point(area, left, top, corners);
    add_point(area, right, top, corners);
    add_point(area, right, bottom, corners);
    add_point(area, left, bottom, corners);
    return corners;
}

static json_t *place_of_field(const idv_document_area_t *area,
                              const idv_mrz_layout_t *layout,
                              const idv_mrz_field_t *field)
{
    double height = (layout->rows - 1) * row_height + 2 * half_row;
    double middle = field->row * row_height + half_row;

    return part_of(area, field->column / (double)layout->columns,
                   (middle - half_row) / height,
                   (field->column + field->length) / (double)layout->columns,
                   (middle + half_row) / height);
}

json_t *idv_document_area_places(idv_document_source_t source,
                                 const idv_document_area_t *area)
{
    const idv_mrz_layout_t *layout = idv_mrz_layout_of_source(source);
    json_t *places;

    if (area->side == IDV_DOCUMENT_SIDE_NONE)
        return json_null();
    places = json_object();
    for (int i = 0; !layout && i < COUNT(in_barcodes); i++)
        json_object_set_new(places, in_barcodes[i],
                            part_of(area, 0, 0, 1, 1));
    for (int i = 0; layout && i < COUNT(spelled); i++) {
        const idv_mrz_field_t *field = &layout->fields[spelled[i].field];

        if (field->length == 0)
            field = &layout->fields[spelled[i].otherwise];
        if (field->length > 0)
            json_object_set_new(places, spelled[i].value,
                                place_of_field(area, layout, field));
    }
    return places;
}
