// The session as the service last told it, kept over a reload beside the secret:
// in this tab alone, and while the person has something to do. Its screen is
// there before the service has answered; what has ended or is being decided, the
// service alone tells.

import { ApiError } from './api.js';

const ACTED_ON = ['pending', 'requires_input'];

const keyOf = (id) => `idv:${id}:view`;

// Keeps VIEW in place of what was kept; nothing where no reload finds the secret.
export function keepView(view) {
  try {
    const isOfUse = ACTED_ON.includes(view.status)
      && sessionStorage.getItem(`idv:${view.id}`) !== null;
    if (isOfUse) sessionStorage.setItem(keyOf(view.id), JSON.stringify(view));
    else sessionStorage.removeItem(keyOf(view.id));
  } catch {
    // Storage is switched off or full: then a reload waits for the service.
    forgetView(view.id);
  }
}

export function forgetView(id) {
  try {
    sessionStorage.removeItem(keyOf(id));
  } catch {
    // As above: nothing is kept.
  }
}

// The kept view of the session ID; null when there is none that may be shown.
export function keptView(id, now = Date.now()) {
  try {
    const view = JSON.parse(sessionStorage.getItem(keyOf(id)));
    const isGood = view.object === 'widget_session' && view.id === id
      && ACTED_ON.includes(view.status) && now < view.expires_at * 1000;
    return isGood ? view : null;
  } catch {
    return null;
  }
}

export function isSame(view, other) {
  return JSON.stringify(view) === JSON.stringify(other);
}

// What a person does on the screen of a kept view waits for `over`: let through
// by end(true), and dropped by end(false), because its screen has gone.
export function createHold() {
  const hold = { isOver: false };
  hold.over = new Promise((resolve, reject) => {
    hold.end = (stands) => {
      hold.isOver = true;
      if (stands) resolve();
      else reject(new ApiError(0, 'aborted'));
    };
  });
  hold.over.catch(() => {}); // who waits hears of it
  return hold;
}
