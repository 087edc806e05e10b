// Data that is asked for, and deeds that are done: their states as hooks.

import { useState, useEffect, useLayoutEffect, useRef, useCallback, language, opened,
  preference } from './view.js';
import { useService } from './operator.js';

// What LOADER(signal) answers, anew whenever KEY changes; null asks for nothing.
// What was there stays visible while it is asked again.
export function useResource(key, loader) {
  const [state, set] = useState({ key: null, data: null, error: null });
  const [turn, again] = useState(0);
  useEffect(() => {
    if (key === null) return undefined;
    const abort = new AbortController();
    loader(abort.signal).then((data) => ({ data, error: null }), (error) => ({ error }))
      .then((now) => {
        if (!abort.signal.aborted)
          set((old) => ({ key, data: old.key === key ? old.data : null, ...now }));
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

// What the organization has at PATH for QUERY; null asks for nothing.
export function useGet(path, query) {
  const { api } = useService();
  return useResource(path ? JSON.stringify([path, query]) : null, (signal) =>
    api.get(path, { signal, query }));
}

// A deed: run(…) does it once at a time, and says whether it was done; `fault` is what
// was refused. A dialog that is left drops it: what comes of it is nothing of the next
// dialog's. THEN(result) leads on, unless whoever pressed has gone elsewhere meanwhile.
export function useDeed(deed, then) {
  const [state, set] = useState({});
  const now = useRef();
  // At once: an ordinary effect waits for the browser to paint, which may come late.
  useLayoutEffect(() => () => { now.isGone = true; }, []);
  const run = async (...values) => {
    if (now.current) return false;
    const own = {};
    now.current = own;
    set({ busy: true });
    let result;
    let fault;
    try {
      result = await deed(...values);
    } catch (error) {
      fault = error;
    }
    const isOwn = now.current === own;
    if (isOwn) {
      now.current = null;
      set({ fault });
    }
    if (then && !fault && !now.isGone) then(result);
    return isOwn && !fault;
  };
  return { ...state, run, drop: () => {
    now.current = null;
    set({});
  } };
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

// Keys of a page: key → deed. None while a dialog is open or somebody types, nor with
// shortcuts switched off.
export function useKey(deeds) {
  const latest = useRef(deeds);
  latest.current = deeds;
  useEffect(() => {
    const press = (event) => {
      const deed = Object.hasOwn(latest.current, event.key) && latest.current[event.key];
      if (!deed || preference('shortcuts') !== 'on' || event.repeat
        || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented
        || document.querySelector('dialog[open]')
        || event.target.closest('input, select, textarea')) return;
      event.preventDefault();
      deed();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

// What the codes of checks and errors mean, by the name of their list; `lang`: of the
// words. Fetched when the first is asked for, unless nothing is asked (ISASKED).
const codes = { list: null, asked: null };
const meant = (code) => (typeof code === 'string' ? { meaning: code } : code);

export function useCodes(isAsked = true) {
  const [, again] = useState(0);
  useEffect(() => {
    if (codes.list || !isAsked) return;
    codes.asked = codes.asked || fetch(new URL(language() === 'en' ? 'codes.json'
      : `codes-${language()}.json`, import.meta.url))
      .then((answer) => answer.json())
      .then((list) => { codes.list = opened(list); });
    codes.asked.then(() => again(1), () => { codes.asked = null; });
  }, []);
  return (list, code) => ({ ...meant(codes.list?.[list]?.[code]),
  lang: codes.list && codes.list.own[list] ? language() : 'en' });
}
