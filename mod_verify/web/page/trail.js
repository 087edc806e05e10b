// The way through the screens in the browser's history, so that Back leads to
// the screen before and not off the page, and what the tab remembers of the
// person's choices over a reload.
//
// An entry of the history holds its number and the choices; the screens
// themselves, with photos in them, are in memory alone, so a reload begins
// where the session stands.

const KEPT = 'idv_kept';
const NUMBER = 'idv_number';

// returned(entry) is told where the person went: {name, props}, or null where
// there is no screen to return to.
export function createTrail(returned) {
  const { history, location } = window;
  const entries = [];
  const state = () => history.state || {};
  let number = state()[NUMBER] || 0;

  function write(changes, url = location.href) {
    history.replaceState({ ...state(), ...changes }, '', url);
  }

  window.addEventListener('popstate', () => {
    number = state()[NUMBER] || 0;
    returned(entries[number] || null);
  });

  return {
    // A new screen; one that REPLACES the last one is not returned from.
    enter(entry, { replace }) {
      if (!replace) {
        number++;
        entries.length = number;
        history.pushState({ ...state(), [NUMBER]: number }, '',
          location.href);
      }
      entries[number] = entry;
    },
    back: () => history.back(),
    // To the first entry, from which Back leaves the page.
    skip() {
      if (number > 0) history.go(-number);
    },
    // What has been is over: nothing before the present screen is returned to.
    close() {
      entries.length = 0;
    },
    keep(key, value) {
      write({ [KEPT]: { ...state()[KEPT], [key]: value } });
    },
    kept: (key) => (state()[KEPT] || {})[key],
    // Changes the address in place; change(url) gets a URL.
    address(change) {
      const url = new URL(location.href);
      change(url);
      write({}, url.href);
    },
  };
}
