/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/document/barcode_reader.h"

#include <math.h>
#include <string.h>

#include <apr_strings.h>

#include "analyze/document/barcode_region.h"
#include "analyze/document/pdf417_scan.h"
#include "core/clock.h"

/* What the views of one photo are made from. */
typedef struct {
    const idv_image_t *gray;
    idv_barcode_regions_t regions;
    double turn; /* degrees that make most edges vertical */
} photo_t;

/* What a view shows. */
typedef enum { WHOLE, TURNED, REGION } subject_t;

/* One rung of the ladder: a subject and what is done to it, in this order. */
typedef struct {
    const char *name;
    subject_t subject;
    double which;   /* TURNED: degrees off the dominant turn; REGION: index */
    double scale;   /* of the sides */
    double sharpen; /* sigma; 0: not */
    double blur;    /* sigma; 0: not */
} rung_t;

/* What is known so far. */
typedef struct {
    idv_barcode_reading_t *reading;
    idv_pdf417_symbol_t first; /* valid when the status is UNCONFIRMED */
    idv_pdf417_symbol_t second;
} search_t;

static double distance(idv_point_t a, idv_point_t b)
{
    return hypot(a.x - b.x, a.y - b.y);
}

/* The region QUAD straightened, with MARGIN of its size around it and its
 * sides scaled by FACTOR. */
static idv_error_t *straighten(const idv_image_t *gray, const idv_quad_t *quad,
                               double factor, double margin, idv_image_t **view,
                               apr_pool_t *pool)
{
    enum { LEAST = 16, MOST = 4000 };
    const idv_point_t *c = quad->corner;
    double width = fmax(distance(c[0], c[1]), distance(c[3], c[2])) * factor;
    double height = fmax(distance(c[0], c[3]), distance(c[1], c[2])) * factor;
    idv_warp_t warp = {.from = *quad};

    *view = NULL;
    if (!(width >= LEAST && height >= LEAST && width <= MOST && height <= MOST))
        return NULL;
    warp.margin = (int)(margin * fmax(width, height)) + 4;
    warp.width = (int)width + 2 * warp.margin;
    warp.height = (int)height + 2 * warp.margin;
    return idv_image_warp(gray, &warp, view, pool);
}

static idv_error_t *filter(double sharpen, double blur, idv_image_t **view,
                           apr_pool_t *pool)
{
    if (sharpen > 0)
        IDV_TRY(idv_image_sharpen(*view, sharpen, 1.2, view, pool));
    if (blur > 0)
        IDV_TRY(idv_image_blur(*view, blur, view, pool));
    return NULL;
}

/* The view of a rung; *VIEW is NULL when the photo has no such region. */
static idv_error_t *make_view(const photo_t *photo, const rung_t *rung,
                              idv_image_t **view, apr_pool_t *pool)
{
    int region = (int)rung->which;

    *view = NULL;
    if (rung->subject == REGION) {
        if (region >= photo->regions.count)
            return NULL;
        IDV_TRY(straighten(photo->gray, &photo->regions.quads[region],
                           rung->scale, rung->sharpen > 0 ? 0.1 : 0.08, view,
                           pool));
        if (!*view)
            return NULL;
    } else {
        IDV_TRY(idv_image_rotate(photo->gray, photo->turn + rung->which, view,
                                 pool));
        if (rung->scale != 1)
            IDV_TRY(idv_image_scale(*view, rung->scale, view, pool));
    }
    return filter(rung->sharpen, rung->blur, view, pool);
}

/* The library reads symbols that stand nearly upright and sharp, and of those
 * that are turned by 15 degrees, blurred or noisy only few. So each rung brings
 * the symbol into that state on another guess of where it is and what ails it,
 * cheap guesses first: the regions straightened, then the whole photo turned by
 * what most edges say, then by what they may have been wrong about. */
static const rung_t direct = {"direct", WHOLE, 0, 1, 0, 0};

static const rung_t ladder[] = {
    {"region", REGION, 0, 1.1, 0, 0},
    {"region", REGION, 1, 1.1, 0, 0},
    {"region blurred", REGION, 0, 1.1, 0, 1.2},
    {"region blurred", REGION, 1, 1.1, 0, 1.2},
    {"region sharpened", REGION, 0, 1.6, 2, 0},
    {"region sharpened", REGION, 1, 1.6, 2, 0},
    {"region sharpened", REGION, 0, 2, 3, 0},
    {"turned", TURNED, 0, 1, 0, 0},
    {"turned blurred", TURNED, 0, 1, 0, 1},
    {"sharpened", TURNED, 0, 1.5, 3, 0},
    {"second region", REGION, 2, 1.1, 0, 0},
    {"second region", REGION, 3, 1.1, 0, 0},
    {"turned", TURNED, 4, 1, 0, 0},
    {"turned", TURNED, -4, 1, 0, 0},
    {"turned blurred", TURNED, 0, 1, 0, 1.8},
    {"scaled", TURNED, 0, 1.6, 0, 0},
    {"scaled", TURNED, 0, 0.6, 0, 0},
    {"third region", REGION, 4, 1.1, 0, 0},
    {"third region", REGION, 5, 1.1, 0, 0},
    {"turned", TURNED, 20, 1, 0, 0},
    {"turned", TURNED, -20, 1, 0, 0},
    {"turned", TURNED, 40, 1, 0, 0},
    {"turned", TURNED, -40, 1, 0, 0},
};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static idv_error_t *scan(const idv_image_t *view, int how,
                         idv_pdf417_symbol_t *symbol, int *found,
                         apr_pool_t *pool)
{
    idv_pdf417_result_t result = idv_pdf417_scan(
        view->pixels, view->width, view->height, view->stride, how, symbol);

    *found = result == IDV_PDF417_FOUND;
    if (result == IDV_PDF417_FAILED)
        return idv_error_internal(pool, "the barcode library failed");
    return NULL;
}

/* Where the symbol stands in VIEW. The library leaves corners at zero when it
 * met only one of the guard patterns; then it is the whole view. */
static idv_quad_t symbol_quad(const idv_image_t *view,
                              const idv_pdf417_symbol_t *symbol)
{
    enum { LEAST = 16 };
    idv_quad_t whole = {{{0, 0},
                         {view->width, 0},
                         {view->width, view->height},
                         {0, view->height}}};
    idv_quad_t quad;

    for (int i = 0; i < 4; i++)
        quad.corner[i] = (idv_point_t){symbol->x[i], symbol->y[i]};
    for (int i = 0; i < 4; i++)
        if (distance(quad.corner[i], quad.corner[(i + 1) % 4]) < LEAST
            || symbol->x[i] <= 0 || symbol->y[i] <= 0)
            return whole;
    return quad;
}

/* How the symbol is looked at again: scale, filter and rule differ from those
 * of the first read. */
static const struct {
    double scale, sharpen, blur;
    int how;
} second_looks[] = {
    {1.37, 0, 0, IDV_PDF417_SCAN_GLOBAL},
    {1.37, 0, 0, IDV_PDF417_SCAN_LOCAL},
    {1.83, 2.5, 0, IDV_PDF417_SCAN_LOCAL},
    {1.37, 0, 1.2, IDV_PDF417_SCAN_LOCAL},
};

static int same_payload(const idv_pdf417_symbol_t *a,
                        const idv_pdf417_symbol_t *b)
{
    return a->length == b->length
        && memcmp(a->payload, b->payload, a->length) == 0;
}

/* Reads the symbol found in VIEW a second time, from its pixels alone. */
static idv_error_t *confirm(const idv_image_t *view, search_t *search,
                            apr_pool_t *pool)
{
    idv_quad_t quad = symbol_quad(view, &search->first);

    for (size_t i = 0; i < COUNT(second_looks); i++) {
        idv_image_t *again;
        int found;

        IDV_TRY(
            straighten(view, &quad, second_looks[i].scale, 0.05, &again, pool));
        if (!again)
            continue;
        IDV_TRY(filter(second_looks[i].sharpen, second_looks[i].blur, &again,
                       pool));
        IDV_TRY(
            scan(again, second_looks[i].how, &search->second, &found, pool));
        if (!found)
            continue;
        search->reading->status = same_payload(&search->first, &search->second)
                                    ? IDV_BARCODE_READ
                                    : IDV_BARCODE_DISAGREED;
        break;
    }
    return NULL;
}

/* One view. What it reads is the second read when an earlier view had the
 * first one, otherwise the first, to be confirmed. */
static idv_error_t *look(const idv_image_t *view, const rung_t *rung,
                         search_t *search, apr_pool_t *work)
{
    int how =
        rung->subject == WHOLE ? IDV_PDF417_SCAN_TURNED : IDV_PDF417_SCAN_LOCAL;
    idv_barcode_reading_t *reading = search->reading;
    int found;

    IDV_TRY(scan(view, how, &search->second, &found, work));
    if (!found)
        return NULL;
    reading->view = rung->name;
    if (reading->status == IDV_BARCODE_UNCONFIRMED) {
        reading->status = same_payload(&search->first, &search->second)
                            ? IDV_BARCODE_READ
                            : IDV_BARCODE_DISAGREED;
        return NULL;
    }
    search->first = search->second;
    reading->status = IDV_BARCODE_UNCONFIRMED;
    return confirm(view, search, work);
}

/* Two reads that differ end the climb; one without a second does not. */
static int is_settled(const search_t *search)
{
    return search->reading->status == IDV_BARCODE_READ
        || search->reading->status == IDV_BARCODE_DISAGREED;
}

static idv_error_t *climb(const idv_image_t *gray, int milliseconds,
                          search_t *search, apr_pool_t *work)
{
    photo_t photo = {.gray = gray};
    idv_time_t begin = idv_processor_time_used();
    apr_pool_t *round;

    IDV_TRY(idv_barcode_regions_find(gray, &photo.regions, work));
    photo.turn = idv_barcode_dominant_turn(gray);
    if (apr_pool_create(&round, work) != APR_SUCCESS)
        return idv_error_internal(work, "no pool");
    for (size_t i = 0; i < COUNT(ladder) && !is_settled(search); i++) {
        idv_image_t *view;

        if (idv_processor_time_used() - begin > milliseconds)
            break;
        apr_pool_clear(round);
        IDV_TRY(make_view(&photo, &ladder[i], &view, round));
        if (view)
            IDV_TRY(look(view, &ladder[i], search, round));
    }
    return NULL;
}

/* Errors live in WORK, which is a child of the caller's pool. */
static idv_error_t *search_symbol(const idv_image_t *gray,
                                  const idv_barcode_effort_t *effort,
                                  search_t *search, apr_pool_t *work)
{
    IDV_TRY(look(gray, &direct, search, work));
    if (is_settled(search) || effort->only_direct)
        return NULL;
    return climb(gray, effort->milliseconds, search, work);
}

idv_error_t *idv_barcode_read(const idv_image_t *gray,
                              const idv_barcode_effort_t *effort,
                              idv_barcode_reading_t *reading, apr_pool_t *pool)
{
    search_t search = {.reading = reading};
    apr_pool_t *work;

    memset(reading, 0, sizeof(*reading));
    if (apr_pool_create(&work, pool) != APR_SUCCESS)
        return idv_error_internal(pool, "no pool");
    IDV_TRY(search_symbol(gray, effort, &search, work));
    if (reading->status == IDV_BARCODE_READ)
        reading->payload = (idv_bytes_t){
            apr_pmemdup(pool, search.first.payload, search.first.length),
            search.first.length};
    apr_pool_destroy(work);
    return NULL;
}
