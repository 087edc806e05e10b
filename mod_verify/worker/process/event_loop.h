/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_WORKER_PROCESS_EVENT_LOOP_H
#define IDV_WORKER_PROCESS_EVENT_LOOP_H

/*
 * The watchdog's event loop: descriptors by epoll, deadlines in a short list.
 *
 * A turn waits until a descriptor is ready or a deadline has come, calls the
 * callbacks of the ready descriptors, then those of the due timers, and clears
 * the scratch pool. In a turn without ready descriptors, one timer that waits
 * for idleness is called before its deadline.
 *
 * A callback may watch, forget, close and schedule anything: readiness that the
 * kernel reported before a descriptor was forgotten is dropped, even if its
 * number was reused.
 *
 * Threads: one. Memory: the loop lives in its pool; idv_event_loop_scratch() is
 * cleared after each turn. Failures: only to create the loop or to watch a
 * descriptor.
 */
#include "core/clock.h"
#include "core/error.h"

typedef struct idv_event_loop_t idv_event_loop_t;

/* Readiness of a descriptor, as or-ed flags. */
enum { IDV_EVENT_READABLE = 1, IDV_EVENT_WRITABLE = 2 };

typedef void idv_event_ready_t(void *baton, int fd, unsigned events);
typedef void idv_event_due_t(void *baton);

/* A deadline, embedded in its owner's structure and zero at first. There are
 * about a dozen in all, so they are in a list. */
typedef struct idv_event_timer_t idv_event_timer_t;
struct idv_event_timer_t {
    idv_event_timer_t *next;
    idv_time_t due; /* monotonic */
    int scheduled;
    int when_idle; /* flag: or earlier, when nothing is ready */
    idv_event_due_t *callback;
    void *baton;
};

/* An empty loop; ends with POOL. */
idv_error_t *idv_event_loop_create(idv_event_loop_t **loop,
                                   apr_pool_t *pool) IDV_CHECKED;

/* The clock of the timers, idv_time_steady(). */
idv_time_t idv_event_loop_now(void);

/* Calls CALLBACK whenever FD is ready for one of EVENTS; an error or a hang-up
 * counts as all of them. A repeated call replaces the previous settings. */
idv_error_t *idv_event_loop_watch(idv_event_loop_t *loop, int fd,
                                  unsigned events, idv_event_ready_t *callback,
                                  void *baton) IDV_CHECKED;

/* Stops watching FD; harmless if FD is not watched or already closed. */
void idv_event_loop_forget(idv_event_loop_t *loop, int fd);

/* Calls the timer's callback once in DELAY milliseconds; replaces an earlier
 * schedule. A cancelled timer is not called. */
void idv_event_loop_schedule(idv_event_loop_t *loop, idv_event_timer_t *timer,
                             idv_time_t delay);
void idv_event_loop_cancel(idv_event_loop_t *loop, idv_event_timer_t *timer);

/* Calls the timer's callback once, as soon as no descriptor is ready, in DELAY
 * milliseconds at the latest: for new work that can wait for current work. */
void idv_event_loop_schedule_idle(idv_event_loop_t *loop,
                                  idv_event_timer_t *timer, idv_time_t delay);

/* Runs until idv_event_loop_stop(). */
void idv_event_loop_run(idv_event_loop_t *loop);
void idv_event_loop_stop(idv_event_loop_t *loop);

/* Memory for the current turn. */
apr_pool_t *idv_event_loop_scratch(idv_event_loop_t *loop);

#endif
