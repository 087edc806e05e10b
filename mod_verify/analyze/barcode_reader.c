/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/barcode_reader.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include <apr_strings.h>

#include "analyze/barcode_region.h"
#include "analyze/pdf417_scan.h"

/* What the views of one photo are made from. */
typedef struct {
    const idv_image_t *gray;
    idv_barcode_regions_t regions;
    double turn; /* degrees that make most edges vertical */
} photo_t;

/* One rung of the ladder. */
typedef struct {
    const char *name;
    /* Makes the view; *VIEW stays NULL when the photo has none. */
    idv_error_t *(*make)(const photo_t *photo, double parameter,
                         double sigma, idv_image_t **view, apr_pool_t *pool);
    double parameter;
    double sigma; /* of a blur afterwards; 0: none */
} rung_t;

static idv_error_t *blur(double sigma, idv_image_t **view, apr_pool_t *pool)
{
    return sigma > 0 ? idv_image_blur(*view, sigma, view, pool) : NULL;
}

static double distance(idv_point_t a, idv_point_t b)
{
    return hypot(a.x - b.x, a.y - b.y);
}

/* The region QUAD straightened, with MARGIN of its size around it and its
 * sides scaled by FACTOR. */
static idv_error_t *straighten(const idv_image_t *gray, const idv_quad_t *quad,
                               double factor, double margin,
                               idv_image_t **view, apr_pool_t *pool)
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

static idv_error_t *region_view(const photo_t *photo, double region,
                                double sigma, idv_image_t **view,
                                apr_pool_t *pool)
{
    if ((int)region >= photo->regions.count)
        return NULL;
    IDV_TRY(straighten(photo->gray, &photo->regions.quads[(int)region], 1.1,
                       0.04, view, pool));
    return *view ? blur(sigma, view, pool) : NULL;
}

static idv_error_t *turned_view(const photo_t *photo, double offset,
                                double sigma, idv_image_t **view,
                                apr_pool_t *pool)
{
    IDV_TRY(idv_image_rotate(photo->gray, photo->turn + offset, view, pool));
    return blur(sigma, view, pool);
}

static idv_error_t *scaled_view(const photo_t *photo, double factor,
                                double sigma, idv_image_t **view,
                                apr_pool_t *pool)
{
    IDV_TRY(turned_view(photo, 0, 0, view, pool));
    IDV_TRY(idv_image_scale(*view, factor, view, pool));
    return blur(sigma, view, pool);
}

static idv_error_t *sharpened_view(const photo_t *photo, double factor,
                                   double sigma, idv_image_t **view,
                                   apr_pool_t *pool)
{
    IDV_TRY(turned_view(photo, 0, 0, view, pool));
    IDV_TRY(idv_image_sharpen(*view, sigma, 1.2, view, pool));
    return idv_image_scale(*view, factor, view, pool);
}

static const rung_t ladder[] = {
    {"region", region_view, 0, 0},
    {"region", region_view, 1, 0},
    {"region blurred", region_view, 0, 1.2},
    {"region blurred", region_view, 1, 1.2},
    {"turned", turned_view, 0, 0},
    {"turned blurred", turned_view, 0, 1.0},
    {"second region", region_view, 2, 0},
    {"second region", region_view, 3, 0},
    {"turned", turned_view, 4, 0},
    {"turned", turned_view, -4, 0},
    {"turned blurred", turned_view, 0, 1.8},
    {"scaled", scaled_view, 1.6, 0},
    {"scaled", scaled_view, 0.6, 0},
    {"sharpened", sharpened_view, 1.5, 2},
    {"third region", region_view, 4, 0},
    {"third region", region_view, 5, 0},
    {"turned", turned_view, 20, 0},
    {"turned", turned_view, -20, 0},
    {"turned", turned_view, 40, 0},
    {"turned", turned_view, -40, 0},
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
        if (distance(quad.corner[i], quad.corner[(i + 1) % 4]) < LEAST ||
            symbol->x[i] <= 0 || symbol->y[i] <= 0)
            return whole;
    return quad;
}

/* How the symbol is looked at again: scale, blur and rule differ from those of
 * the first read. */
static const struct {
    double factor, sigma;
    int how;
} second_looks[] = {
    {1.37, 0, IDV_PDF417_SCAN_GLOBAL},   {1.37, 0, IDV_PDF417_SCAN_LOCAL},
    {0.81, 0, IDV_PDF417_SCAN_GLOBAL},   {1.37, 1.2, IDV_PDF417_SCAN_GLOBAL},
    {1.83, 1.0, IDV_PDF417_SCAN_GLOBAL}, {1.83, 1.5, IDV_PDF417_SCAN_LOCAL},
    {0.81, 0, IDV_PDF417_SCAN_LOCAL},    {2.3, 1.5, IDV_PDF417_SCAN_GLOBAL},
    {2.3, 2.2, IDV_PDF417_SCAN_LOCAL},
};

/* Reads the symbol found in VIEW a second time, from its pixels alone. */
static idv_error_t *confirm(const idv_image_t *view,
                            const idv_pdf417_symbol_t *first,
                            idv_barcode_reading_t *reading, apr_pool_t *pool)
{
    idv_pdf417_symbol_t *second = apr_palloc(pool, sizeof(*second));
    idv_quad_t quad = symbol_quad(view, first);

    reading->status = IDV_BARCODE_UNCONFIRMED;
    for (size_t i = 0; i < COUNT(second_looks); i++) {
        idv_image_t *again;
        int found;

        IDV_TRY(straighten(view, &quad, second_looks[i].factor, 0.05, &again,
                           pool));
        if (!again)
            continue;
        IDV_TRY(blur(second_looks[i].sigma, &again, pool));
        IDV_TRY(scan(again, second_looks[i].how, second, &found, pool));
        if (!found)
            continue;
        reading->status = second->length == first->length &&
                                  memcmp(second->payload, first->payload,
                                         first->length) == 0
                              ? IDV_BARCODE_READ
                              : IDV_BARCODE_DISAGREED;
        break;
    }
    return NULL;
}

/* One view: a first read and, when there is one, the second. */
static idv_error_t *look(const idv_image_t *view, const char *name,
                         idv_barcode_reading_t *reading, apr_pool_t *pool,
                         apr_pool_t *work)
{
    idv_pdf417_symbol_t *symbol = apr_palloc(work, sizeof(*symbol));
    int found;

    IDV_TRY(scan(view, IDV_PDF417_SCAN_TURNED, symbol, &found, work));
    if (!found)
        return NULL;
    reading->view = name;
    IDV_TRY(confirm(view, symbol, reading, work));
    if (reading->status == IDV_BARCODE_READ)
        reading->payload = (idv_bytes_t){
            apr_pmemdup(pool, symbol->payload, symbol->length),
            symbol->length};
    return NULL;
}

static double elapsed(const struct timespec *since)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - since->tv_sec) * 1e3 +
           (double)(now.tv_nsec - since->tv_nsec) / 1e6;
}

/* Two reads that differ end the climb; one without a second does not. */
static int is_settled(const idv_barcode_reading_t *reading)
{
    return reading->status == IDV_BARCODE_READ ||
           reading->status == IDV_BARCODE_DISAGREED;
}

static idv_error_t *climb(const idv_image_t *gray, double milliseconds,
                          idv_barcode_reading_t *reading, apr_pool_t *pool,
                          apr_pool_t *work)
{
    photo_t photo = {.gray = gray};
    struct timespec begin;
    apr_pool_t *round;

    clock_gettime(CLOCK_MONOTONIC, &begin);
    IDV_TRY(idv_barcode_regions_find(gray, &photo.regions, work));
    photo.turn = idv_barcode_dominant_turn(gray);
    if (apr_pool_create(&round, work) != APR_SUCCESS)
        return idv_error_internal(pool, "no pool");
    for (size_t i = 0; i < COUNT(ladder); i++) {
        idv_image_t *view = NULL;

        if (elapsed(&begin) > milliseconds)
            break;
        apr_pool_clear(round);
        IDV_TRY(ladder[i].make(&photo, ladder[i].parameter, ladder[i].sigma,
                               &view, round));
        if (!view)
            continue;
        IDV_TRY(look(view, ladder[i].name, reading, pool, round));
        if (is_settled(reading))
            break;
    }
    return NULL;
}

idv_error_t *idv_barcode_read(const idv_image_t *gray,
                              const idv_barcode_effort_t *effort,
                              idv_barcode_reading_t *reading,
                              apr_pool_t *pool)
{
    apr_pool_t *work;

    memset(reading, 0, sizeof(*reading));
    if (apr_pool_create(&work, pool) != APR_SUCCESS)
        return idv_error_internal(pool, "no pool");
    IDV_TRY(look(gray, "direct", reading, pool, work));
    if (!is_settled(reading) && !effort->only_direct)
        IDV_TRY(climb(gray, effort->milliseconds, reading, pool, work));
    apr_pool_destroy(work);
    return NULL;
}
