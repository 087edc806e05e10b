/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/document/barcode_region.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/image_scale.h"

enum {
    REDUCED_SIDE = 800, /* pixels of the reduced image */
    AVERAGE_RADIUS = 7, /* of the edge density */
    OPENING_RADIUS = 6,
    LEAST_AREA = 900 /* pixels of the reduced image */
};

/* Sums of all values above and left, for averages in constant time. */
typedef struct {
    int width, height;
    apr_uint32_t *sums; /* (width + 1) * (height + 1) */
} integral_t;

static integral_t integrate(const idv_image_t *image, apr_pool_t *pool)
{
    integral_t integral = {image->width, image->height, NULL};
    apr_size_t stride = (apr_size_t)image->width + 1;
    apr_uint32_t *row;

    integral.sums = apr_pcalloc(pool, sizeof(apr_uint32_t) * stride
                                          * ((apr_size_t)image->height + 1));
    row = integral.sums + stride;
    for (int y = 0; y < image->height; y++, row += stride) {
        const unsigned char *from = idv_image_row(image, y);
        apr_uint32_t sum = 0;

        for (int x = 0; x < image->width; x++) {
            sum += from[x];
            row[x + 1] = row[x + 1 - stride] + sum;
        }
    }
    return integral;
}

static int clamp(int value, int most)
{
    if (value < 0)
        return 0;
    return value > most ? most : value;
}

/* The sum over the square of RADIUS around (x, y), and the number of its pixels
 * that are inside the image. */
static apr_uint32_t square_sum(const integral_t *integral, int x, int y,
                               int radius, int *count)
{
    apr_size_t stride = (apr_size_t)integral->width + 1;
    int left = clamp(x - radius, integral->width);
    int right = clamp(x + radius + 1, integral->width);
    const apr_uint32_t *top =
        integral->sums
        + stride * (apr_size_t)clamp(y - radius, integral->height);
    const apr_uint32_t *bottom =
        integral->sums
        + stride * (apr_size_t)clamp(y + radius + 1, integral->height);

    *count = (int)((bottom - top) / (long)stride) * (right - left);
    return bottom[right] - bottom[left] - top[right] + top[left];
}

/* The strength of edges: the range of brightness among the nine neighbours. */
static idv_error_t *edge_strength(const idv_image_t *gray, idv_image_t **out,
                                  apr_pool_t *pool)
{
    IDV_TRY(
        idv_image_create(gray->width, gray->height, IDV_IMAGE_GRAY, out, pool));
    for (int y = 1; y < gray->height - 1; y++) {
        unsigned char *to = idv_image_row(*out, y);

        for (int x = 1; x < gray->width - 1; x++) {
            unsigned char low = 255, high = 0;

            for (int v = y - 1; v <= y + 1; v++) {
                const unsigned char *p = idv_image_row(gray, v) + x - 1;

                for (int u = 0; u < 3; u++) {
                    low = p[u] < low ? p[u] : low;
                    high = p[u] > high ? p[u] : high;
                }
            }
            to[x] = (unsigned char)(high - low);
        }
    }
    return NULL;
}

/* Otsu's threshold, which divides the histogram with the greatest variance
 * between the classes. */
static int otsu_threshold(const idv_image_t *image)
{
    double total = 0, sum = 0, below = 0, below_sum = 0, best = -1;
    long histogram[256] = {0};
    int threshold = 0;

    for (int y = 0; y < image->height; y++) {
        const unsigned char *row = idv_image_row(image, y);

        for (int x = 0; x < image->width; x++)
            histogram[row[x]]++;
    }
    for (int i = 0; i < 256; i++) {
        total += histogram[i];
        sum += (double)i * histogram[i];
    }
    for (int i = 0; i < 255; i++) {
        double difference, variance;

        below += histogram[i];
        below_sum += (double)i * histogram[i];
        if (below <= 0 || below >= total)
            continue;
        difference = below_sum / below - (sum - below_sum) / (total - below);
        variance = below * (total - below) * difference * difference;
        if (variance > best) {
            best = variance;
            threshold = i;
        }
    }
    return threshold;
}

/* Replaces each pixel by the average around it. */
static void average(idv_image_t *image, apr_pool_t *pool)
{
    integral_t integral = integrate(image, pool);

    for (int y = 0; y < image->height; y++) {
        unsigned char *row = idv_image_row(image, y);

        for (int x = 0; x < image->width; x++) {
            int count;
            apr_uint32_t sum =
                square_sum(&integral, x, y, AVERAGE_RADIUS, &count);

            row[x] = (unsigned char)(sum / (apr_uint32_t)count);
        }
    }
}

/* Erodes (DILATE 0) or dilates a mask of zeros and ones by a square. */
static void morph(idv_image_t *mask, int dilate, apr_pool_t *pool)
{
    integral_t integral = integrate(mask, pool);

    for (int y = 0; y < mask->height; y++) {
        unsigned char *row = idv_image_row(mask, y);

        for (int x = 0; x < mask->width; x++) {
            int count;
            apr_uint32_t sum =
                square_sum(&integral, x, y, OPENING_RADIUS, &count);

            row[x] = dilate ? sum > 0 : sum == (apr_uint32_t)count;
        }
    }
}

/* A connected area of the mask, described by the ends of its rows. */
typedef struct {
    int area;
    int top, bottom;
    int *left, *right; /* by row, of the whole image's height */
} component_t;

static void grow(component_t *component, int x, int y)
{
    if (component->area == 0) {
        component->top = component->bottom = y;
    } else {
        component->top = y < component->top ? y : component->top;
        component->bottom = y > component->bottom ? y : component->bottom;
    }
    if (component->left[y] < 0 || x < component->left[y])
        component->left[y] = x;
    if (x > component->right[y])
        component->right[y] = x;
    component->area++;
}

/* Moves the area around (x, y) out of the mask. STACK has room for all of
 * it. */
static void flood(idv_image_t *mask, int x, int y, int *stack,
                  component_t *component)
{
    static const int dx[] = {1, -1, 0, 0}, dy[] = {0, 0, 1, -1};
    int depth = 0;

    memset(component->left, 0xFF, sizeof(int) * (size_t)mask->height);
    memset(component->right, 0xFF, sizeof(int) * (size_t)mask->height);
    component->area = 0;
    idv_image_row(mask, y)[x] = 0;
    stack[depth++] = y * mask->width + x;
    while (depth > 0) {
        int at = stack[--depth];

        x = at % mask->width;
        y = at / mask->width;
        grow(component, x, y);
        for (int i = 0; i < 4; i++) {
            int u = x + dx[i], v = y + dy[i];

            if (u < 0 || v < 0 || u >= mask->width || v >= mask->height
                || !idv_image_row(mask, v)[u])
                continue;
            idv_image_row(mask, v)[u] = 0;
            stack[depth++] = v * mask->width + u;
        }
    }
}

static component_t make_component(int height, apr_pool_t *pool)
{
    component_t component = {0};

    component.left = apr_palloc(pool, sizeof(int) * (apr_size_t)height);
    component.right = apr_palloc(pool, sizeof(int) * (apr_size_t)height);
    return component;
}

/* Finds the largest areas of MASK, in order of size; empties MASK. */
static void find_components(idv_image_t *mask, component_t largest[IDV_BARCODE_REGIONS_MAX],
                            apr_pool_t *pool)
{
    int *stack = apr_palloc(pool, sizeof(int) * (apr_size_t)mask->width
                                      * (apr_size_t)mask->height);
    component_t next = make_component(mask->height, pool);

    for (int i = 0; i < IDV_BARCODE_REGIONS_MAX; i++)
        largest[i] = make_component(mask->height, pool);
    for (int y = 0; y < mask->height; y++)
        for (int x = 0; x < mask->width; x++) {
            if (!idv_image_row(mask, y)[x])
                continue;
            flood(mask, x, y, stack, &next);
            for (int i = 0; i < IDV_BARCODE_REGIONS_MAX; i++)
                if (next.area > largest[i].area) {
                    component_t smaller = largest[i];

                    largest[i] = next;
                    next = smaller;
                }
        }
}

/* The outline of a component: both ends of each row. */
static int outline(const component_t *component, idv_point_t *points)
{
    int count = 0;

    for (int y = component->top; y <= component->bottom; y++) {
        if (component->left[y] < 0)
            continue;
        points[count++] = (idv_point_t){component->left[y], y + 0.5};
        points[count++] = (idv_point_t){component->right[y] + 1, y + 0.5};
    }
    return count;
}

/* The extent of points along two perpendicular axes. */
typedef struct {
    double least_u, most_u, least_v, most_v;
    double c, s; /* direction of u */
} frame_t;

static frame_t frame_at(const idv_point_t *points, int count, double angle)
{
    frame_t f = {HUGE_VAL,  -HUGE_VAL,  HUGE_VAL,
                 -HUGE_VAL, cos(angle), sin(angle)};

    for (int i = 0; i < count; i++) {
        double u = f.c * points[i].x + f.s * points[i].y;
        double v = f.c * points[i].y - f.s * points[i].x;

        f.least_u = fmin(f.least_u, u);
        f.most_u = fmax(f.most_u, u);
        f.least_v = fmin(f.least_v, v);
        f.most_v = fmax(f.most_v, v);
    }
    return f;
}

static idv_point_t unframe(const frame_t *f, double u, double v)
{
    return (idv_point_t){f->c * u - f->s * v, f->s * u + f->c * v};
}

/* The frame with the smallest area; u is along its longer side. */
static frame_t tightest_frame(const idv_point_t *points, int count)
{
    double least = HUGE_VAL;
    frame_t best = {0};

    for (int degrees = 0; degrees < 180; degrees++) {
        frame_t f = frame_at(points, count, degrees * M_PI / 180);
        double width = f.most_u - f.least_u, height = f.most_v - f.least_v;

        if (width >= height && width * height < least) {
            least = width * height;
            best = f;
        }
    }
    return best;
}

static idv_quad_t frame_quad(const frame_t *f)
{
    return (idv_quad_t){
        {unframe(f, f->least_u, f->least_v), unframe(f, f->most_u, f->least_v),
         unframe(f, f->most_u, f->most_v), unframe(f, f->least_u, f->most_v)}};
}

/* The points that reach furthest into each corner of the frame. */
static idv_quad_t corner_quad(const idv_point_t *points, int count,
                              const frame_t *f)
{
    static const int along[] = {-1, 1, 1, -1}, down[] = {-1, -1, 1, 1};
    double width = f->most_u - f->least_u, height = f->most_v - f->least_v;
    idv_quad_t quad = frame_quad(f);

    for (int k = 0; k < 4; k++) {
        double furthest = -HUGE_VAL;

        for (int i = 0; i < count; i++) {
            double u = f->c * points[i].x + f->s * points[i].y;
            double v = f->c * points[i].y - f->s * points[i].x;
            double reach = along[k] * u / width + down[k] * v / height;

            if (reach > furthest) {
                furthest = reach;
                quad.corner[k] = points[i];
            }
        }
    }
    return quad;
}

/* How uniform the direction of the brightness gradient is within COMPONENT, 0
 * to 1: the coherence of its structure tensor (Bigun and Granlund, "Optimal
 * Orientation Detection of Linear Symmetry", 1987). The gradient of a symbol's
 * bars has one direction, that of print and patterns all directions. IMAGE has
 * FACTOR times the sides of the image that COMPONENT belongs to; some of its
 * rows are enough. */
static double measure_likeness(const idv_image_t *image, double factor,
                               const component_t *component)
{
    enum { ROWS_APART = 3 };
    double xx = 0, yy = 0, xy = 0;

    for (int y = (int)(component->top * factor) + 1;
         y < (component->bottom + 1) * factor && y < image->height - 1;
         y += ROWS_APART) {
        int row = (int)(y / factor);
        int end = (int)((component->right[row] + 1) * factor);

        if (row > component->bottom || component->left[row] < 0)
            continue;
        for (int x = (int)(component->left[row] * factor) + 1;
             x < end && x < image->width - 1; x++) {
            const unsigned char *p = idv_image_row(image, y) + x;
            int gx = p[1] - p[-1], gy = p[image->stride] - p[-image->stride];

            xx += gx * gx;
            yy += gy * gy;
            xy += gx * gy;
        }
    }
    return xx + yy > 0 ? hypot(xx - yy, 2 * xy) / (xx + yy) : 0;
}

static idv_quad_t enlarge(idv_quad_t quad, double factor)
{
    for (int i = 0; i < 4; i++) {
        quad.corner[i].x *= factor;
        quad.corner[i].y *= factor;
    }
    return quad;
}

static idv_error_t *find_regions(const idv_image_t *gray,
                                 idv_barcode_regions_t *regions,
                                 apr_pool_t *work)
{
    int longest = gray->width > gray->height ? gray->width : gray->height;
    double factor = longest > REDUCED_SIDE ? (double)longest / REDUCED_SIDE : 1;
    component_t components[IDV_BARCODE_REGIONS_MAX];
    idv_image_t *reduced, *density;
    idv_point_t *points;
    int threshold;

    IDV_TRY(idv_image_scale(gray, 1 / factor, &reduced, work));
    IDV_TRY(idv_image_blur(reduced, 0.8, &reduced, work));
    IDV_TRY(edge_strength(reduced, &density, work));
    average(density, work);
    threshold = otsu_threshold(density);
    for (int y = 0; y < density->height; y++)
        for (int x = 0; x < density->width; x++)
            idv_image_row(density, y)[x] =
                idv_image_row(density, y)[x] > threshold;
    morph(density, 0, work);
    morph(density, 1, work);
    find_components(density, components, work);
    points =
        apr_palloc(work, sizeof(*points) * 2 * (apr_size_t)density->height);
    for (int i = 0; i < IDV_BARCODE_REGIONS_MAX; i++) {
        int count = outline(&components[i], points);
        idv_barcode_region_t *region = &regions->at[i];
        frame_t frame;

        if (components[i].area < LEAST_AREA)
            break;
        frame = tightest_frame(points, count);
        region->corners =
            enlarge(corner_quad(points, count, &frame), factor);
        region->frame = enlarge(frame_quad(&frame), factor);
        region->likeness = fmax(measure_likeness(reduced, 1, &components[i]),
                                measure_likeness(gray, factor, &components[i]));
        region->share = (double)components[i].area
                      / ((double)density->width * density->height);
        regions->count++;
    }
    return NULL;
}

idv_error_t *idv_barcode_regions_find(const idv_image_t *gray,
                                      idv_barcode_regions_t *regions,
                                      apr_pool_t *pool)
{
    apr_pool_t *work;

    memset(regions, 0, sizeof(*regions));
    if (apr_pool_create(&work, pool) != APR_SUCCESS)
        return idv_error_internal(pool, "no pool");
    IDV_TRY(find_regions(gray, regions, work));
    apr_pool_destroy(work);
    return NULL;
}

/* Adds the directions of strong edges of one row (Sobel) to HISTOGRAM. */
static void add_directions(const idv_image_t *image, int y, double *histogram)
{
    enum { WEAKEST = 60 };
    const unsigned char *a = idv_image_row(image, y - 1);
    const unsigned char *b = idv_image_row(image, y);
    const unsigned char *c = idv_image_row(image, y + 1);

    for (int x = 1; x < image->width - 1; x++) {
        int gx = a[x + 1] + 2 * b[x + 1] + c[x + 1] - a[x - 1] - 2 * b[x - 1]
               - c[x - 1];
        int gy =
            c[x - 1] + 2 * c[x] + c[x + 1] - a[x - 1] - 2 * a[x] - a[x + 1];
        double strength, degrees;

        if (abs(gx) + abs(gy) <= WEAKEST)
            continue;
        strength = sqrt((double)gx * gx + (double)gy * gy);
        degrees = atan2(gy, gx) * 180 / M_PI + 360;
        histogram[(int)degrees % 180] += strength;
    }
}

double idv_barcode_dominant_turn(const idv_image_t *gray)
{
    enum { BINS = 180, SMOOTH = 4, ROWS_APART = 2 };
    double histogram[BINS] = {0}, most = -1;
    int best = 0;

    for (int y = 1; y < gray->height - 1; y += ROWS_APART)
        add_directions(gray, y, histogram);
    for (int i = 0; i < BINS; i++) {
        double sum = 0;

        for (int k = -SMOOTH; k <= SMOOTH; k++)
            sum += histogram[(i + k + BINS) % BINS];
        if (sum > most) {
            most = sum;
            best = i;
        }
    }
    return best < 90 ? best + 0.5 : best - 180 + 0.5;
}
