// Asks for the session while the page is still being loaded: the build puts this
// into the page itself (apxs/embed_web.pl), and app.js takes over the answer that
// stands in window.idvEarly. Whatever it does not know how to do is left to app.js,
// which asks again: other pages, frames, links of wallets.

(() => {
  const id = location.pathname.split('/').pop();
  if (!/^vks_\w+$/.test(id)) return;
  let secret = location.hash.slice(1);
  try {
    secret = secret || sessionStorage.getItem(`idv:${id}`);
  } catch {
    // Storage is switched off.
  }
  if (!secret || !secret.startsWith(`${id}_secret_`)) return;
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 45000);
  const ask = (method, path, body) => fetch(
    `../v1/widget/sessions/${id}${path}`, {
      method,
      headers: { Authorization: `Bearer ${secret}`,
        ...(body && { 'Content-Type': 'application/json' }) },
      body,
      cache: 'no-store',
      credentials: 'omit',
      signal: abort.signal,
    });
  // A new session is opened at once, if nothing has to be said of the browser.
  const open = async () => {
    const answer = await ask('GET', '');
    const view = answer.ok ? await answer.clone().json() : {};
    const isNew = view.status === 'created'
      && Array.isArray(view.passive_checks) && !view.passive_checks.length;
    return isNew ? ask('POST', '/open', '{}') : answer;
  };
  window.idvEarly = { secret, answer: open() };
  window.idvEarly.answer.catch(() => {}); // app.js hears of it
})();
