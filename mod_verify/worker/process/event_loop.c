/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/process/event_loop.h"

#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <apr_tables.h>

#define EVENTS_PER_TURN 256
/* How long a turn of the loop waits in which nothing happens. */
#define LONGEST_WAIT IDV_MINUTE

typedef struct {
    idv_event_ready_t *callback; /* NULL: not watched */
    void *baton;
    unsigned generation; /* tells the descriptor from an earlier one of the
                          * same number */
} watch_t;

struct idv_event_loop_t {
    apr_pool_t *pool, *scratch;
    int epoll;
    int stopping;
    apr_array_header_t *watches; /* of watch_t, by descriptor */
    idv_event_timer_t *timers;
    int idle_count; /* timers that wait for an idle turn */
};

idv_time_t idv_event_loop_now(void)
{
    return idv_time_steady();
}

static apr_status_t close_epoll(void *loop)
{
    close(((idv_event_loop_t *)loop)->epoll);
    return APR_SUCCESS;
}

idv_error_t *idv_event_loop_create(idv_event_loop_t **out, apr_pool_t *pool)
{
    idv_event_loop_t *loop = apr_pcalloc(pool, sizeof(*loop));

    loop->pool = pool;
    loop->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (loop->epoll < 0)
        return idv_error_apr(pool, errno, "epoll_create1");
    apr_pool_cleanup_register(pool, loop, close_epoll, apr_pool_cleanup_null);
    apr_pool_create(&loop->scratch, pool);
    loop->watches = apr_array_make(pool, 64, sizeof(watch_t));
    *out = loop;
    return NULL;
}

static watch_t *find_watch(idv_event_loop_t *loop, int fd)
{
    while (loop->watches->nelts <= fd)
        memset(apr_array_push(loop->watches), 0, sizeof(watch_t));
    return &APR_ARRAY_IDX(loop->watches, fd, watch_t);
}

idv_error_t *idv_event_loop_watch(idv_event_loop_t *loop, int fd,
                                  unsigned events, idv_event_ready_t *callback,
                                  void *baton)
{
    watch_t *watch = find_watch(loop, fd);
    struct epoll_event event = {0};
    int known = watch->callback != NULL;

    if (!known)
        watch->generation++;
    watch->callback = callback;
    watch->baton = baton;
    if (events & IDV_EVENT_READABLE)
        event.events |= EPOLLIN;
    if (events & IDV_EVENT_WRITABLE)
        event.events |= EPOLLOUT;
    event.data.u64 = (uint64_t)watch->generation << 32 | (unsigned)fd;
    if (epoll_ctl(loop->epoll, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd,
                  &event)
            == 0
        /* The descriptor was closed, which ends the kernel's watch, and its
         * number given out again before anybody called _forget(). */
        || (known && errno == ENOENT
            && epoll_ctl(loop->epoll, EPOLL_CTL_ADD, fd, &event) == 0))
        return NULL;
    watch->callback = NULL;
    return idv_error_apr(loop->scratch, errno, "epoll_ctl");
}

void idv_event_loop_forget(idv_event_loop_t *loop, int fd)
{
    watch_t *watch = find_watch(loop, fd);

    if (!watch->callback)
        return;
    watch->callback = NULL;
    epoll_ctl(loop->epoll, EPOLL_CTL_DEL, fd, NULL);
}

void idv_event_loop_cancel(idv_event_loop_t *loop, idv_event_timer_t *timer)
{
    idv_event_timer_t **link = &loop->timers;

    if (!timer->scheduled)
        return;
    while (*link != timer)
        link = &(*link)->next;
    *link = timer->next;
    timer->scheduled = 0;
    loop->idle_count -= timer->when_idle;
    timer->when_idle = 0;
}

void idv_event_loop_schedule(idv_event_loop_t *loop, idv_event_timer_t *timer,
                             idv_time_t delay)
{
    idv_event_timer_t **link = &loop->timers;

    idv_event_loop_cancel(loop, timer);
    timer->due = idv_event_loop_now() + delay;
    while (*link && (*link)->due <= timer->due)
        link = &(*link)->next;
    timer->next = *link;
    *link = timer;
    timer->scheduled = 1;
}

void idv_event_loop_schedule_idle(idv_event_loop_t *loop,
                                  idv_event_timer_t *timer, idv_time_t delay)
{
    idv_event_loop_schedule(loop, timer, delay);
    timer->when_idle = 1;
    loop->idle_count++;
}

static void fire(idv_event_loop_t *loop, idv_event_timer_t *timer)
{
    idv_event_loop_cancel(loop, timer);
    timer->callback(timer->baton);
}

static void fire_timers(idv_event_loop_t *loop)
{
    idv_time_t now = idv_event_loop_now();

    while (loop->timers && loop->timers->due <= now)
        fire(loop, loop->timers);
}

/* Fires one timer only, as its callback may have made descriptors ready. */
static void fire_idle(idv_event_loop_t *loop)
{
    idv_event_timer_t *timer = loop->timers;

    while (timer && !timer->when_idle)
        timer = timer->next;
    if (timer)
        fire(loop, timer);
}

static void dispatch(idv_event_loop_t *loop, const struct epoll_event *event)
{
    int fd = (int)(uint32_t)event->data.u64;
    watch_t *watch = find_watch(loop, fd);
    unsigned events = 0;

    if (event->events & (EPOLLIN | EPOLLERR | EPOLLHUP))
        events |= IDV_EVENT_READABLE;
    if (event->events & (EPOLLOUT | EPOLLERR | EPOLLHUP))
        events |= IDV_EVENT_WRITABLE;
    if (watch->callback && watch->generation == event->data.u64 >> 32)
        watch->callback(watch->baton, fd, events);
}

static int wait_time(const idv_event_loop_t *loop)
{
    idv_time_t left;

    if (!loop->timers)
        return -1;
    if (loop->idle_count)
        return 0;
    left = loop->timers->due - idv_event_loop_now();
    if (left < 0)
        return 0;
    return (int)(left < LONGEST_WAIT ? left : LONGEST_WAIT);
}

void idv_event_loop_run(idv_event_loop_t *loop)
{
    struct epoll_event events[EVENTS_PER_TURN];

    while (!loop->stopping) {
        int count = epoll_wait(loop->epoll, events, EVENTS_PER_TURN,
                               wait_time(loop));

        for (int i = 0; i < count && !loop->stopping; i++)
            dispatch(loop, &events[i]);
        if (!loop->stopping && count == 0 && loop->idle_count)
            fire_idle(loop);
        if (!loop->stopping)
            fire_timers(loop);
        apr_pool_clear(loop->scratch);
    }
}

void idv_event_loop_stop(idv_event_loop_t *loop)
{
    loop->stopping = 1;
}

apr_pool_t *idv_event_loop_scratch(idv_event_loop_t *loop)
{
    return loop->scratch;
}
