/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/document/barcode_reader.h"

#include <math.h>
#include <string.h>

#include <apr_strings.h>

#include "analyze/document/barcode_region.h"
#include "analyze/document/pdf417_scan.h"
#include "analyze/image_scale.h"
#include "core/clock.h"

/* The limits of a region that looks like stacked bars. All of 72 generated
 * photos of cards whose symbol needed the ladder had one, with a likeness of
 * 0.43 to 0.61. Of 63 photos of documents without a symbol, about one in ten
 * had one. */
static const double least_likeness = 0.33, most_likeness = 0.9,
                    least_share = 0.004;

/* The least mean width of a bar, in pixels; a row has 17 modules in 8 bars and
 * spaces (ISO/IEC 15438, 5.3). Then the distance to the edge of the photo, as a
 * share of its width, below which a symbol counts as cut off: edges are
 * averaged over 7 of 800 pixels (barcode_region.c). */
static const double least_bar = 1.5 * 17 / 8, edge_share = 0.012;

/* As a share of the photo. A symbol fills a third of its card, so a larger
 * region is not a symbol. */
static const double most_share = 0.4;

/* Pixels of the largest view. */
#define VIEW_PIXELS 3000000

/* The source of all views of one photo. */
typedef struct {
    const idv_image_t *gray;
    idv_barcode_regions_t regions;
    double turn; /* the rotation that makes most edges vertical, in degrees */
} photo_t;

/* The subject of a view. */
typedef enum { WHOLE, TURNED, CORNERS, FRAME } subject_t;

/* One rung of the ladder: a subject and the steps applied to it, in this
 * order. */
typedef struct {
    const char *name;
    subject_t subject;
    double which;   /* TURNED: degrees off the dominant turn; else the region */
    double scale;   /* of the sides */
    double sharpen; /* sigma; 0: skipped */
    double blur;    /* sigma; 0: skipped */
    int is_first;   /* climbed on any photo */
} rung_t;

/* A search for symbols and its state. */
typedef struct {
    idv_barcode_reading_t *reading;
    apr_pool_t *result; /* for the payloads */
    idv_pdf417_symbol_t symbols[IDV_PDF417_SYMBOLS_MAX]; /* of one view */
    idv_pdf417_symbol_t again[IDV_PDF417_SYMBOLS_MAX];
} search_t;

/* The image that a rung makes of a photo, and its position there. */
typedef struct {
    const idv_image_t *image;
    const photo_t *photo;
    const rung_t *rung;
} view_t;

static double distance(idv_point_t a, idv_point_t b)
{
    return hypot(a.x - b.x, a.y - b.y);
}

/* Straightens the region QUAD, with a margin of MARGIN times its size, and
 * scales its sides by FACTOR. */
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
    if ((apr_int64_t)warp.width * warp.height > VIEW_PIXELS)
        return NULL;
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

/* The region of a rung with the subject CORNERS or FRAME; NULL if there is
 * none. */
static const idv_barcode_region_t *region_of(const photo_t *photo,
                                             const rung_t *rung)
{
    int index = (int)rung->which;

    return (rung->subject == CORNERS || rung->subject == FRAME)
                && index < photo->regions.count
             ? &photo->regions.at[index]
             : NULL;
}

/* Makes the view of a rung; *VIEW is NULL if the photo has no such region. */
static idv_error_t *make_view(const photo_t *photo, const rung_t *rung,
                              idv_image_t **view, apr_pool_t *pool)
{
    const idv_barcode_region_t *region = region_of(photo, rung);

    *view = NULL;
    if (rung->subject == CORNERS || rung->subject == FRAME) {
        if (!region)
            return NULL;
        IDV_TRY(straighten(photo->gray,
                           rung->subject == CORNERS ? &region->corners
                                                    : &region->frame,
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

/* The library reads symbols that are nearly upright and sharp, but few that are
 * rotated by 15 degrees, blurred or noisy. So each rung tries another
 * assumption about the symbol's position and defect, and corrects for it. Cheap
 * ones come first: the straightened regions, then the whole photo rotated
 * according to most edges, then rotations that allow for an error in that
 * angle. */
static const rung_t direct = {"direct", WHOLE, 0, 1, 0, 0, 0};

static const rung_t ladder[] = {
    {"region", CORNERS, 0, 1.1, 0, 0, 1},
    {"region", FRAME, 0, 1.1, 0, 0, 0},
    {"region blurred", CORNERS, 0, 1.1, 0, 1.2, 1},
    {"region blurred", FRAME, 0, 1.1, 0, 1.2, 0},
    {"region sharpened", CORNERS, 0, 1.6, 2, 0, 0},
    {"region sharpened", FRAME, 0, 1.6, 2, 0, 0},
    {"region sharpened", CORNERS, 0, 2, 3, 0, 0},
    {"turned", TURNED, 0, 1, 0, 0, 1},
    {"turned blurred", TURNED, 0, 1, 0, 1, 0},
    {"sharpened", TURNED, 0, 1.5, 3, 0, 0},
    {"second region", CORNERS, 1, 1.1, 0, 0, 0},
    {"second region", FRAME, 1, 1.1, 0, 0, 0},
    {"turned", TURNED, 4, 1, 0, 0, 0},
    {"turned", TURNED, -4, 1, 0, 0, 0},
    {"turned blurred", TURNED, 0, 1, 0, 1.8, 0},
    {"scaled", TURNED, 0, 1.6, 0, 0, 0},
    {"scaled", TURNED, 0, 0.6, 0, 0, 0},
    {"third region", CORNERS, 2, 1.1, 0, 0, 0},
    {"third region", FRAME, 2, 1.1, 0, 0, 0},
    {"turned", TURNED, 20, 1, 0, 0, 0},
    {"turned", TURNED, -20, 1, 0, 0, 0},
    {"turned", TURNED, 40, 1, 0, 0, 0},
    {"turned", TURNED, -40, 1, 0, 0, 0},
};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* Fills SYMBOLS with *COUNT symbols. */
static idv_error_t *scan(const idv_image_t *image, int how,
                         idv_pdf417_symbol_t *symbols, int *count,
                         apr_pool_t *pool)
{
    *count = idv_pdf417_scan(image->pixels, image->width, image->height,
                             image->stride, how, symbols);
    if (*count < 0)
        return idv_error_internal(pool, "the barcode library failed");
    return NULL;
}

/* The position of the symbol in IMAGE. The library leaves the corners at zero
 * if it found only one of the guard patterns; then it is the whole view. */
static idv_quad_t symbol_quad(const idv_image_t *image,
                              const idv_pdf417_symbol_t *symbol)
{
    enum { LEAST = 16 };
    idv_quad_t whole = {{{0, 0},
                         {image->width, 0},
                         {image->width, image->height},
                         {0, image->height}}};
    idv_quad_t quad;

    for (int i = 0; i < 4; i++)
        quad.corner[i] = (idv_point_t){symbol->x[i], symbol->y[i]};
    for (int i = 0; i < 4; i++)
        if (distance(quad.corner[i], quad.corner[(i + 1) % 4]) < LEAST
            || symbol->x[i] <= 0 || symbol->y[i] <= 0)
            return whole;
    return quad;
}

/* The position in the photo of POINT of VIEW, which shows the photo turned and
 * scaled. */
static idv_point_t turn_back(const view_t *view, idv_point_t point)
{
    const idv_image_t *photo = view->photo->gray;
    double angle = (view->photo->turn + view->rung->which) * M_PI / 180;
    double dx = (point.x - view->image->width / 2.0) / view->rung->scale;
    double dy = (point.y - view->image->height / 2.0) / view->rung->scale;

    return (idv_point_t){cos(angle) * dx - sin(angle) * dy + photo->width / 2.0,
                         sin(angle) * dx + cos(angle) * dy
                             + photo->height / 2.0};
}

/* The position in the photo of SYMBOL, which was found in VIEW. */
static idv_quad_t place_in_photo(const view_t *view,
                                 const idv_pdf417_symbol_t *symbol)
{
    const idv_barcode_region_t *region = region_of(view->photo, view->rung);
    idv_quad_t quad = symbol_quad(view->image, symbol);

    if (region) /* which shows only the symbol */
        return region->frame;
    for (int i = 0; view->rung->subject != WHOLE && i < 4; i++)
        quad.corner[i] = turn_back(view, quad.corner[i]);
    return quad;
}

/* The second look at a symbol: scale, filter and rule differ from those of the
 * first read. */
static const struct {
    double scale, sharpen, blur;
    int how;
} second_looks[] = {
    {1.37, 0, 0, IDV_PDF417_SCAN_GLOBAL},
    {1.37, 0, 0, IDV_PDF417_SCAN_LOCAL},
    {1.83, 2.5, 0, IDV_PDF417_SCAN_LOCAL},
    {1.37, 0, 1.2, IDV_PDF417_SCAN_LOCAL},
};

static int has_payload(const idv_pdf417_symbol_t *symbol, idv_bytes_t payload)
{
    return symbol->length == payload.length
        && memcmp(symbol->payload, payload.data, payload.length) == 0;
}

static idv_bytes_t payload_of(const idv_pdf417_symbol_t *symbol)
{
    return (idv_bytes_t){symbol->payload, symbol->length};
}

/* Reads SYMBOL, found in VIEW, a second time, from its own pixels: UNCONFIRMED
 * if no second look decodes. */
static idv_error_t *confirm(const view_t *view,
                            const idv_pdf417_symbol_t *symbol, search_t *search,
                            idv_barcode_status_t *status, apr_pool_t *pool)
{
    idv_quad_t quad = symbol_quad(view->image, symbol);

    *status = IDV_BARCODE_UNCONFIRMED;
    for (size_t i = 0; i < COUNT(second_looks); i++) {
        idv_image_t *again;
        int count;

        IDV_TRY(straighten(view->image, &quad, second_looks[i].scale, 0.05,
                           &again, pool));
        if (!again)
            continue;
        IDV_TRY(filter(second_looks[i].sharpen, second_looks[i].blur, &again,
                       pool));
        IDV_TRY(
            scan(again, second_looks[i].how, search->again, &count, pool));
        if (count == 0)
            continue;
        *status = IDV_BARCODE_DISAGREED;
        for (int k = 0; k < count; k++)
            if (has_payload(&search->again[k], payload_of(symbol)))
                *status = IDV_BARCODE_READ;
        break;
    }
    return NULL;
}

static void add_payload(const view_t *view, const idv_pdf417_symbol_t *symbol,
                        search_t *search)
{
    idv_barcode_reading_t *reading = search->reading;

    reading->payloads[reading->count] = (idv_bytes_t){
        apr_pmemdup(search->result, symbol->payload, symbol->length),
        symbol->length};
    reading->areas[reading->count++] = place_in_photo(view, symbol);
}

/* Handles the first symbol found. A payload that an earlier view read counts as
 * the first of two reads. */
static idv_error_t *take_first(const view_t *view,
                               const idv_pdf417_symbol_t *symbol,
                               search_t *search, apr_pool_t *pool)
{
    idv_barcode_reading_t *reading = search->reading;

    reading->view = view->rung->name;
    if (reading->status == IDV_BARCODE_UNCONFIRMED) {
        reading->status = has_payload(symbol, reading->unconfirmed)
                            ? IDV_BARCODE_READ
                            : IDV_BARCODE_DISAGREED;
    } else {
        IDV_TRY(confirm(view, symbol, search, &reading->status, pool));
        if (reading->status == IDV_BARCODE_UNCONFIRMED)
            reading->unconfirmed = (idv_bytes_t){
                apr_pmemdup(search->result, symbol->payload, symbol->length),
                symbol->length};
    }
    if (reading->status == IDV_BARCODE_READ)
        add_payload(view, symbol, search);
    return NULL;
}

/* Handles a further symbol. If it is not confirmed, it may be the first one,
 * misread, so it is ignored. */
static idv_error_t *take_other(const view_t *view,
                               const idv_pdf417_symbol_t *symbol,
                               search_t *search, apr_pool_t *pool)
{
    idv_barcode_reading_t *reading = search->reading;
    idv_barcode_status_t status;

    for (int i = 0; i < reading->count; i++)
        if (has_payload(symbol, reading->payloads[i]))
            return NULL;
    if (reading->count == IDV_BARCODE_PAYLOADS_MAX)
        return NULL;
    IDV_TRY(confirm(view, symbol, search, &status, pool));
    if (status == IDV_BARCODE_READ)
        add_payload(view, symbol, search);
    return NULL;
}

static idv_error_t *look(const view_t *view, search_t *search, apr_pool_t *work)
{
    int how = view->rung->subject == WHOLE ? IDV_PDF417_SCAN_TURNED
                                           : IDV_PDF417_SCAN_LOCAL;
    int count;

    IDV_TRY(scan(view->image, how, search->symbols, &count, work));
    for (int i = 0; i < count; i++) {
        if (search->reading->status == IDV_BARCODE_READ)
            IDV_TRY(take_other(view, &search->symbols[i], search, work));
        else if (search->reading->status != IDV_BARCODE_DISAGREED)
            IDV_TRY(take_first(view, &search->symbols[i], search, work));
    }
    return NULL;
}

/* --- the ladder --- */

/* Non-zero if REGION looks like bars and does not show a symbol that was
 * already read. */
static int is_open(const idv_barcode_region_t *region,
                   const idv_barcode_reading_t *reading)
{
    if (region->likeness < least_likeness || region->likeness > most_likeness
        || region->share < least_share)
        return 0;
    for (int i = 0; i < reading->count; i++)
        if (idv_quad_contains(&region->frame,
                              idv_quad_middle(&reading->areas[i])))
            return 0;
    return 1;
}

static int is_any_open(const photo_t *photo,
                       const idv_barcode_reading_t *reading)
{
    for (int i = 0; i < photo->regions.count; i++)
        if (is_open(&photo->regions.at[i], reading))
            return 1;
    return 0;
}

/* The mean width of a bar or space, in pixels, along a line through REGION at
 * SHARE of its height. */
static double bar_width(const idv_image_t *gray,
                        const idv_barcode_region_t *region, double share)
{
    const idv_point_t *c = region->frame.corner;
    idv_point_t a = {c[0].x + share * (c[3].x - c[0].x),
                     c[0].y + share * (c[3].y - c[0].y)};
    idv_point_t b = {c[1].x + share * (c[2].x - c[1].x),
                     c[1].y + share * (c[2].y - c[1].y)};
    int length = (int)distance(a, b), changes = 0, before = 0;
    double mean = 0;

    for (int pass = 0; pass < 2 && length > 0; pass++)
        for (int i = 0; i < length; i++) {
            int x = (int)(a.x + (b.x - a.x) * i / length);
            int y = (int)(a.y + (b.y - a.y) * i / length);
            int level = x >= 0 && y >= 0 && x < gray->width && y < gray->height
                          ? idv_image_row(gray, y)[x]
                          : 128;

            if (pass == 0) {
                mean += (double)level / length;
            } else {
                changes += i > 0 && (level > mean) != before;
                before = level > mean;
            }
        }
    return changes > 0 ? (double)length / changes : HUGE_VAL;
}

/* The least width along several lines, since anything that hides bars makes
 * them wider. */
static double least_bar_width(const idv_image_t *gray,
                              const idv_barcode_region_t *region)
{
    double least = HUGE_VAL;

    for (int i = 2; i <= 8; i++)
        least = fmin(least, bar_width(gray, region, i / 10.0));
    return least;
}

/* The flaw of the first region that looks like bars. */
static idv_barcode_flaw_t find_flaw(const photo_t *photo,
                                    const idv_barcode_reading_t *reading)
{
    const idv_barcode_region_t *region = NULL;
    double near;

    for (int i = 0; i < photo->regions.count && !region; i++)
        if (is_open(&photo->regions.at[i], reading))
            region = &photo->regions.at[i];
    if (!region || region->share > most_share)
        return IDV_BARCODE_WHOLE;
    near = edge_share * photo->gray->width;
    for (int i = 0; i < 4; i++) {
        idv_point_t corner = region->corners.corner[i];

        if (corner.x < near || corner.y < near
            || corner.x > photo->gray->width - near
            || corner.y > photo->gray->height - near)
            return IDV_BARCODE_CUT_OFF;
    }
    return least_bar_width(photo->gray, region) < least_bar
             ? IDV_BARCODE_FAR
             : IDV_BARCODE_COVERED;
}

/* Non-zero if RUNG is worth its time: it shows a region that looks like bars,
 * or all of a photo that has one. Without such a region, few rungs are worth
 * it. Once a document was read, only the regions are searched for another. */
static int is_worthwhile(const photo_t *photo, const rung_t *rung,
                         const idv_barcode_effort_t *effort,
                         const idv_barcode_reading_t *reading)
{
    const idv_barcode_region_t *region = region_of(photo, rung);
    int is_second = effort->is_second || reading->count > 0;

    if (region && is_open(region, reading))
        return 1;
    return !is_second
        && (rung->is_first || (!region && is_any_open(photo, reading)));
}

/* Two different reads end the climb, and so do two symbols. One read without a
 * second one does not. */
static int is_settled(const idv_barcode_reading_t *reading)
{
    return reading->status == IDV_BARCODE_DISAGREED
        || reading->count == IDV_BARCODE_PAYLOADS_MAX;
}

static idv_error_t *climb(const idv_image_t *gray,
                          const idv_barcode_effort_t *effort, search_t *search,
                          apr_pool_t *work)
{
    idv_time_t begin = idv_processor_time_used();
    photo_t photo = {.gray = gray};
    int milliseconds = effort->milliseconds;
    apr_pool_t *round;

    IDV_TRY(idv_barcode_regions_find(gray, &photo.regions, work));
    search->reading->looks_like_one = is_any_open(&photo, search->reading);
    if (!search->reading->looks_like_one && milliseconds > effort->unlikely)
        milliseconds = effort->unlikely;
    search->reading->flaw = find_flaw(&photo, search->reading);
    photo.turn = idv_barcode_dominant_turn(gray);
    if (apr_pool_create(&round, work) != APR_SUCCESS)
        return idv_error_internal(work, "no pool");
    for (size_t i = 0; i < COUNT(ladder) && !is_settled(search->reading); i++) {
        view_t view = {.photo = &photo, .rung = &ladder[i]};
        idv_image_t *image;

        if (!is_worthwhile(&photo, &ladder[i], effort, search->reading))
            continue;
        if (idv_processor_time_used() - begin > milliseconds)
            break;
        apr_pool_clear(round);
        IDV_TRY(make_view(&photo, &ladder[i], &image, round));
        if (!image)
            continue;
        view.image = image;
        IDV_TRY(look(&view, search, round));
    }
    return NULL;
}

/* Errors are allocated in WORK, a child of the caller's pool. */
static idv_error_t *look_at_whole(const idv_image_t *gray, search_t *search,
                                  apr_pool_t *work)
{
    photo_t photo = {.gray = gray};
    view_t view = {.image = gray, .photo = &photo, .rung = &direct};

    return look(&view, search, work);
}

idv_error_t *idv_barcode_look(const idv_image_t *gray,
                              idv_barcode_reading_t *reading, apr_pool_t *pool)
{
    search_t search = {.reading = reading, .result = pool};
    apr_pool_t *work;

    memset(reading, 0, sizeof(*reading));
    if (apr_pool_create(&work, pool) != APR_SUCCESS)
        return idv_error_internal(pool, "no pool");
    IDV_TRY(look_at_whole(gray, &search, work));
    apr_pool_destroy(work);
    return NULL;
}

idv_error_t *idv_barcode_search(const idv_image_t *gray,
                                const idv_barcode_effort_t *effort,
                                idv_barcode_reading_t *reading,
                                apr_pool_t *pool)
{
    search_t search = {.reading = reading, .result = pool};
    apr_pool_t *work;

    if (is_settled(reading))
        return NULL;
    if (apr_pool_create(&work, pool) != APR_SUCCESS)
        return idv_error_internal(pool, "no pool");
    IDV_TRY(climb(gray, effort, &search, work));
    apr_pool_destroy(work);
    return NULL;
}
