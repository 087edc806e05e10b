// Data that is asked for, and deeds that are done: their states as hooks.

import { useState, useEffect, useRef, useCallback } from './view.js';

// What LOADER(signal) answers, anew whenever KEY changes; null asks for nothing.
// What was there stays visible while it is asked again.
export function useResource(key, loader) {
  const [state, set] = useState({ key: null, data: null, error: null });
  const [turn, again] = useState(0);
  useEffect(() => {
    if (key === null) return undefined;
    const abort = new AbortController();
    loader(abort.signal).then(
      (data) => set({ key, data, error: null }),
      (error) => {
        if (!abort.signal.aborted)
          set((old) => ({ key, data: old.key === key ? old.data : null, error }));
      });
    return () => abort.abort();
  }, [key, turn]);
  const isOfKey = state.key === key;
  return { data: isOfKey ? state.data : null,
    error: isOfKey ? state.error : null,
    loading: key !== null && !isOfKey,
    reload: useCallback(() => again((n) => n + 1), []),
    replace: (data) => set({ key, data, error: null }) };
}

// A deed: run(…) does it once at a time; `fault` is what was refused.
export function useDeed(deed) {
  const [state, set] = useState({ busy: false, fault: null });
  const busy = useRef(false);
  const isThere = useRef(true);
  useEffect(() => () => { isThere.current = false; }, []);
  const run = async (...values) => {
    if (busy.current) return undefined;
    busy.current = true;
    set({ busy: true, fault: null });
    try {
      const result = await deed(...values);
      if (isThere.current) set({ busy: false, fault: null });
      return result;
    } catch (fault) {
      if (isThere.current) set({ busy: false, fault });
      return undefined;
    } finally {
      busy.current = false;
    }
  };
  return { ...state, run };
}

// Calls TICK every SECONDS while the page is looked at.
export function useInterval(tick, seconds) {
  const latest = useRef(tick);
  latest.current = tick;
  useEffect(() => {
    if (!seconds) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') latest.current();
    }, seconds * 1000);
    return () => clearInterval(timer);
  }, [seconds]);
}

// What the codes of checks and errors mean, by the name of their list; fetched
// when the first is asked for.
const codes = { list: null, asked: null };
const NOTHING = {};

export function useCodes() {
  const [, again] = useState(0);
  useEffect(() => {
    if (codes.list) return;
    codes.asked = codes.asked || fetch(new URL('codes.json', import.meta.url))
      .then((answer) => answer.json())
      .then((list) => { codes.list = list; });
    codes.asked.then(() => again(1), () => { codes.asked = null; });
  }, []);
  return (list, code) => (codes.list && codes.list[list]
    && codes.list[list][code]) || NOTHING;
}
