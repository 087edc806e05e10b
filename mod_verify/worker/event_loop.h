/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_EVENT_LOOP_H
#define IDV_WORKER_EVENT_LOOP_H

/*
 * The watchdog's one loop: descriptors by epoll, deadlines by a short list.
 *
 * A turn waits until a descriptor is ready or a deadline has come, calls the
 * callbacks of the ready descriptors, then those of the timers that are due,
 * and clears the scratch pool. In a turn that finds nothing ready, one timer
 * that waits for idleness is called before its deadline.
 *
 * A callback may watch, forget, close and schedule whatever it likes: readiness
 * that the kernel told before a descriptor was forgotten is dropped, also when
 * its number was given out again.
 *
 * Threads: one. Memory: the loop lives in its pool; idv_event_loop_scratch() is
 * cleared after each turn. Failures: a loop that cannot be made, a descriptor
 * that cannot be watched.
 */
#include "core/clock.h"
#include "core/error.h"

typedef struct idv_event_loop_t idv_event_loop_t;

/* What a descriptor can be ready for; or-ed. */
enum { IDV_EVENT_READABLE = 1, IDV_EVENT_WRITABLE = 2 };

typedef void idv_event_ready_t(void *baton, int fd, unsigned events);
typedef void idv_event_due_t(void *baton);

/* A deadline, part of its owner's structure and zeroed at first. There are a
 * dozen in all, so they stand in a list. */
typedef struct idv_event_timer_t idv_event_timer_t;
struct idv_event_timer_t {
    idv_event_timer_t *next;
    idv_time_t due; /* monotonic */
    int scheduled;
    int when_idle; /* or before that, when nothing is ready */
    idv_event_due_t *callback;
    void *baton;
};

/* A loop that watches nothing; ends with POOL. */
idv_error_t *idv_event_loop_create(idv_event_loop_t **loop,
                                   apr_pool_t *pool) IDV_CHECKED;

/* idv_time_steady(), by which timers are due. */
idv_time_t idv_event_loop_now(void);

/* Calls CALLBACK whenever FD is ready for one of EVENTS; an error or a hang-up
 * is all of them. Again with other wishes: they replace the old ones. */
idv_error_t *idv_event_loop_watch(idv_event_loop_t *loop, int fd,
                                  unsigned events, idv_event_ready_t *callback,
                                  void *baton) IDV_CHECKED;

/* Watches FD no longer; harmless when FD is not watched or closed already. */
void idv_event_loop_forget(idv_event_loop_t *loop, int fd);

/* Calls the timer's callback once, in DELAY milliseconds; replaces an earlier
 * schedule of the timer. A cancelled timer is not called. */
void idv_event_loop_schedule(idv_event_loop_t *loop, idv_event_timer_t *timer,
                             idv_time_t delay);
void idv_event_loop_cancel(idv_event_loop_t *loop, idv_event_timer_t *timer);

/* Calls the timer's callback once, as soon as no descriptor is ready, and in
 * DELAY milliseconds at the latest: for new work that can wait until the work
 * under way is done. */
void idv_event_loop_schedule_idle(idv_event_loop_t *loop,
                                  idv_event_timer_t *timer, idv_time_t delay);

/* Turns until idv_event_loop_stop(). */
void idv_event_loop_run(idv_event_loop_t *loop);
void idv_event_loop_stop(idv_event_loop_t *loop);

/* Memory for the current turn. */
apr_pool_t *idv_event_loop_scratch(idv_event_loop_t *loop);

#endif
