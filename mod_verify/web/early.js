// Asks for the session while the page is still being loaded: the build puts this
// into the page itself (apxs/embed_web.pl), and app.js takes over the answer that
// stands in window.idvEarly. Whatever it does not know how to do is left to app.js,
// which asks again: other pages, frames, links of wallets.

(() => {
  const id = location.pathname.split('/').pop();
  if (!/^vks_\w+$/.test(id)) return;
  let secret = location.hash.slice(1);
  let browser = null;
  try {
    secret = secret || sessionStorage.getItem(`idv:${id}`);
    browser = JSON.parse(localStorage.getItem(`idv:${id}:browser`));
  } catch {
    // Storage is switched off.
  }
  if (!secret || !secret.startsWith(`${id}_secret_`)) return;
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 45000);
  // Opens a new session, if nothing has to be said of the browser, and reads
  // every other one.
  const answer = fetch(`../v1/widget/sessions/${id}/open`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${secret}`,
      'Content-Type': 'application/json',
      ...(browser && { 'Verify-Browser': browser.secret }) },
    body: '{"unless_checked":true}',
    cache: 'no-store',
    credentials: 'omit',
    signal: abort.signal,
  });
  window.idvEarly = { secret, answer };
  answer.catch(() => {}); // app.js hears of it
})();
