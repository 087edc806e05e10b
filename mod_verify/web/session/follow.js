// Waiting for another device: by long poll for three minutes, then with growing
// pauses, as long as a screen is shown.

import { EARLY_MS, POLL_SECONDS, watchPause } from './flow.js';

const LONG_MS = 3 * 60 * 1000;
const SLOW_MS = 30 * 1000; // the longest pause

// Calls changed(view) with each new view of the session until it says true;
// then WIDGET takes that view over.
export function follow(widget, changed) {
  const abort = new AbortController();
  const started = Date.now();
  let pauses = 0;

  // An answer before the time with nothing new means that too many wait.
  async function next(revision) {
    const isLong = Date.now() - started < LONG_MS;
    const asked = Date.now();
    const view = await widget.client.watch(revision,
      isLong ? POLL_SECONDS : 0, abort.signal);
    const isEarly = view.revision === revision && Date.now() - asked < EARLY_MS;
    pauses = isEarly ? pauses + 1 : 0;
    if (isEarly)
      await widget.breathe(Math.min(SLOW_MS, watchPause(pauses)), abort);
    return view;
  }

  widget.onLeave(() => abort.abort());
  widget.attempt(async () => {
    let { revision } = widget.view;
    while (!abort.signal.aborted) {
      const view = await next(revision);
      if (abort.signal.aborted) return;
      if (view.revision !== revision && changed(view)) {
        widget.apply(view);
        return;
      }
      revision = view.revision;
    }
  });
}
