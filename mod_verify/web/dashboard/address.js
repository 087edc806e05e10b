// The address is the state: which organization, page and object, every filter and
// the place in a list stand in its query, so that whatever is shown can be sent to
// a colleague, opened in another tab and found again by the browser's way back.

import { useState, useEffect } from './view.js';

const listeners = new Set();

function parameters() {
  return Object.fromEntries(new URLSearchParams(location.search));
}

// The address of WANTED; what is empty is left out.
export function href(wanted) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(wanted))
    if (value !== null && value !== undefined && value !== '')
      query.set(name, value);
  return `?${query}`;
}

// The address of PAGE of the present organization.
export function to(page, more = {}) {
  return href({ org: parameters().org, page, ...more });
}

// The present address with CHANGES.
export function changed(changes) {
  return href({ ...parameters(), ...changes });
}

export function go(address, { replace = false } = {}) {
  history[replace ? 'replaceState' : 'pushState'](null, '', address);
  for (const listener of listeners) listener();
}

export function useAddress() {
  const [state, set] = useState(parameters);
  useEffect(() => {
    const listener = () => set(parameters());
    listeners.add(listener);
    addEventListener('popstate', listener);
    return () => {
      listeners.delete(listener);
      removeEventListener('popstate', listener);
    };
  }, []);
  return state;
}

// Whether the form of the page is open, and what opens or closes it. The address says so:
// other pages and commands lead to it.
export function useForm() {
  const isOpen = useAddress().form === 'new';
  return [isOpen, (open) => go(changed({ form: open ? 'new' : '' }), { replace: true })];
}

// A click that stays within the page does not load it anew; with a key pressed,
// or for another window, it does what links do.
export function followLinks() {
  document.addEventListener('click', (event) => {
    const link = event.target.closest && event.target.closest('a[href^="?"]');
    if (!link || event.defaultPrevented || event.button || event.metaKey
      || event.ctrlKey || event.shiftKey || event.altKey || link.target) return;
    event.preventDefault();
    const before = parameters();
    go(link.getAttribute('href'));
    const after = parameters();
    if (before.page !== after.page || before.id !== after.id
      || before.org !== after.org) scrollTo(0, 0);
  });
}
