// The widget: who it talks for, which screen is shown, and the conversation
// with the service. What a screen looks like is in screens.js and in the modules
// of methods/.

import { brandOf, createClient } from './session/api.js';
import { dress, reword } from './page/brand.js';
import { release } from './page/dom.js';
import { browserSecret } from './session/browser.js';
import { opening } from './session/device.js';
import * as flow from './session/flow.js';
import { closeHelp, labelHelp } from './page/help.js';
import { connectToHost, isEmbedded } from './embedding/host.js';
import { isToken, joinSession } from './join.js';
import { createHold, forgetView, isSame, keepView, keptView } from './session/kept.js';
import { pinAction } from './page/pin.js';
import { createTrail } from './page/trail.js';
import { loadModule, methodsOf, stepsBefore } from './methods.js';
import { describe, forgetLate, forgetWallet, giveUp, labelPage,
  showConnection, showWaiting, takeEarly, takeReturn, takeSecret, wishes } from './page/page.js';
import { wantsPasskey } from './session/passkeys.js';
import { CONSENT_VERSION, screens as ownScreens } from './page/screens.js';
import { begin } from './texts.js';

const EXPIRY_LOOK_MS = 5000;
const SIGN_OF_LIFE_MS = 45000; // a phone keeps the session by being heard of
const BROWSER = { navigator, crypto, storage: () => localStorage };

class Widget {
  constructor(sessionId, t) {
    this.sessionId = sessionId;
    this.t = t;
    this.view = null;       // the session as the service last told it
    this.secret = null;     // what the service lets the person in by
    this.worn = null;       // the view whose looks and words the page has
    this.host = null;       // the embedding page, if there is one
    this.modules = new Map(); // name -> what loadModule() brought
    this.screens = { ...ownScreens };
    this.method = null;     // the method that the person works on
    this.leaving = [];      // what the current screen has to let go of
    this.trail = createTrail((entry) => this.returned(entry));
    this.current = null;    // {name, props} of the screen, if there is one
    this.foreshown = null;  // the screen of a kept view, until it is confirmed
    this.told = null;       // the status last told to the host
    this.reload = async () => this.apply(await this.client.view());
  }

  // ---- screens -----------------------------------------------------------

  // Shows a screen. Back leads from it to the one before, unless it REPLACES
  // that, or what it showed is over.
  show(name, props = {}, { replace = false } = {}) {
    this.tellHostStep(name);
    this.trail.enter({ name, props }, { replace: replace
      || !flow.canReturnTo(this.current && this.current.name) });
    this.draw(name, props);
  }

  // The focus moves to the heading of a screen, so that a screen reader starts
  // there; not in a frame amid a page that the person has not touched yet.
  draw(name, props) {
    this.leaveScreen();
    const repeated = this.current && this.current.name === name;
    const isFirst = !this.current;
    this.current = { name, props };
    const place = document.getElementById('screen');
    document.documentElement.classList.toggle('over', flow.isOver(this.view));
    place.replaceChildren(...this.frame(name),
      this.screens[name](this, props));
    place.dataset.screen = name;
    place.removeAttribute('aria-busy');
    this.onLeave(pinAction(place));
    const title = place.querySelector('h1');
    describe(title, place.querySelectorAll('.lead, .alert, .note'));
    document.title = `${title.textContent} – ${this.t('page.brand')}`;
    const isInline = this.host && !this.host.isDialog;
    if (isInline && isFirst) return this.tellHostSize();
    if (!repeated || !place.contains(document.activeElement)) title.focus();
    window.scrollTo(0, 0);
    return this.tellHostSize();
  }

  // One screen back, as the browser's own button does it.
  back() {
    this.trail.back();
  }

  // The person has gone to ENTRY of the trail; null: to before the first
  // screen, where they are asked whether they mean to leave.
  returned(entry) {
    if (!this.view || !this.current || this.view.status === 'processing') return;
    if (flow.hasEnded(this.view) || this.view.status === 'under_review')
      this.trail.skip();
    else if (entry) this.draw(entry.name, entry.props);
    else if (this.current.name !== 'leave')
      this.show('leave', { back: this.current });
  }

  // What the person chose here, kept over a reload of the tab.
  remember(key, value) {
    this.trail.keep(key, value);
  }

  recall(key) {
    return this.trail.kept(key);
  }

  // Fills the window, where the host shows the widget in a part of its page,
  // until the screen is left.
  expand() {
    if (!this.host || this.host.isDialog) return;
    this.host.send('expand', { isExpanded: true });
    this.onLeave(() => this.host.send('expand', { isExpanded: false }));
  }

  leaveScreen() {
    release();
    for (const leave of this.leaving.splice(0)) leave();
    closeHelp();
  }

  onLeave(callback) {
    this.leaving.push(callback);
  }

  frame(name) {
    return this.screens.frame(this, this.wayOf(name), this.workedOn(name));
  }

  // The module that brings the screen NAME; undefined: it is the widget's own.
  moduleOf(name) {
    return [...this.modules.values()].find((m) => m.screens[name]);
  }

  // The method that the screen NAME is about; null: it is about none.
  workedOn(name) {
    const module = this.moduleOf(name);
    if (module) return module.name;
    if (name === 'processing') return this.view.current_method || this.method;
    return name === 'sending' ? this.method : null;
  }

  // The way of the session, as it is shown above the screen NAME, or null.
  wayOf(name) {
    return flow.wayOf(this.view, name, { method: this.workedOn(name),
      isMethods: Boolean(this.moduleOf(name)) });
  }

  // For the host's own statistics; which screens there are may change.
  tellHostStep(screen) {
    if (!this.host) return;
    const at = (this.wayOf(screen) || []).findIndex(({ isCurrent }) => isCurrent);
    this.host.send('step', { screen, step: at < 0 ? null : at + 1 });
  }

  tellHostSize() {
    if (this.host)
      this.host.send('resize', { height: document.body.scrollHeight });
  }

  // ---- languages ---------------------------------------------------------

  // The address keeps the language over a reload.
  changeLanguage(t) {
    this.t = t;
    this.trail.address((url) => url.searchParams.set('lang', t.language));
    this.labelPage();
    if (this.current) this.redraw();
  }

  // Whose help is wanted: that of the method whose screen it is, or else that
  // the person works on.
  helpOf() {
    const module = this.current && this.moduleOf(this.current.name);
    return module ? module.name : this.method;
  }

  redraw() {
    const active = document.activeElement;
    this.draw(this.current.name, this.current.props);
    if (active && active.id === 'language') active.focus();
  }

  // Takes the looks and the words of the organization of VIEW.
  wear(view) {
    this.worn = view;
    dress(view);
    reword(this.t, view);
  }

  // The same, of the organization that SECRET was made for, where it opens nothing.
  async wearOf(secret) {
    if (this.worn || !secret) return;
    const told = await brandOf(secret);
    if (told) this.wear({ brand: told.brand, organization_name: told.organization });
  }

  labelPage() {
    labelPage(this.t, (t) => this.changeLanguage(t));
    if (this.worn) this.wear(this.worn);
    labelHelp(this.t, () => ({ view: this.view, method: this.helpOf() }));
  }

  // ---- the session -------------------------------------------------------

  // RETURNED: what a wallet has led back with; KEPT: the view of before a reload,
  // whose screen is shown until the service has answered. Or null.
  async start(secret, { returned = null, kept = null } = {}) {
    const hold = kept && createHold();
    this.secret = secret;
    this.client = createClient({
      base: '..',
      sessionId: this.sessionId,
      secret,
      browser: browserSecret(this.sessionId, BROWSER),
      onConnection: (works) => showConnection(this.t, works),
      onView: keepView,
      held: hold,
    });
    this.foreshown = kept && { kept, hold, isDrawn: this.foreshow(kept) };
    await this.attempt(async () => {
      const view = await this.client.view(takeEarly(secret))
        .catch(async (error) => { await this.confirm(null); throw error; });
      const stands = await this.confirm(view);
      if (view.device === 'mobile') this.giveSignsOfLife();
      if (!stands) await this.beginWith(view, returned);
    });
  }

  // Draws the screen of a KEPT view; whether it could.
  async foreshow(kept) {
    try {
      await this.apply(kept);
      return true;
    } catch {
      return false;
    }
  }

  // Whether the screen that was drawn of a kept view is that of VIEW, too; else
  // all is as if nothing had been drawn. False without one.
  async confirm(view) {
    const { foreshown } = this;
    if (!foreshown) return false;
    const stands = isSame(view, foreshown.kept) && await foreshown.isDrawn;
    this.foreshown = null;
    if (!stands) {
      clearTimeout(this.expiry);
      this.trail.close();
      this.view = null; // what is still being loaded is not drawn any more
      this.current = null;
    }
    foreshown.hold.end(stands);
    return stands;
  }

  async beginWith(told, returned) {
    let view = told;
    if (view.status === 'created')
      view = await this.client.open(opening(view, BROWSER));
    if (this.host) this.host.send('ready', { status: view.status });
    const { problem, ...answer } = returned || {};
    if (returned && !problem) view = await this.takeReturn(answer);
    await this.apply(view, problem && { problem });
  }

  // A code that is not good any more leaves the session as it is.
  takeReturn(returned) {
    return this.client.call('POST', '/mdl/responses', returned)
      .catch(() => this.client.view());
  }

  // Photos take their time, in which the service would hear nothing.
  giveSignsOfLife() {
    setInterval(() => {
      if (!flow.hasEnded(this.view) && document.visibilityState === 'visible')
        this.look();
    }, SIGN_OF_LIFE_MS);
  }

  // Hands the session over to a phone.
  async handOver() {
    await this.attempt(async () => {
      const { begin: offer } = await this.module('handoff');
      await offer(this);
    });
  }

  // Takes over what the service says and shows the screen for it.
  apply(view, props) {
    if (this.view && this.view.revision !== view.revision) this.trail.close();
    this.view = view;
    this.wear(view);
    clearTimeout(this.expiry);
    if (!flow.hasEnded(view) && view.status !== 'under_review')
      this.expireLater(view.expires_at);
    if (flow.hasEnded(view)) forgetWallet(`idv:${this.sessionId}`);
    this.tellHostOutcome();
    return this.proceed(props);
  }

  // Shows what comes next: the end, a step that comes before the methods, a
  // screen of the widget's own, or the method's.
  async proceed(props) {
    const { view } = this;
    if (wantsPasskey(view)) return this.show('passkeyUse', props);
    const own = flow.screenFor(view);
    const [before] = flow.hasEnded(view) ? [] : stepsBefore(view);
    if (own && !before) return this.show(own, props);
    const name = before || await this.findMethod();
    if (view !== this.view) return null; // something newer is on its way
    if (!before) this.method = name;
    if (!name) return this.show(this.possible.length ? 'chooseMethod'
      : 'methodUnavailable', props);
    const module = await this.module(name);
    if (view !== this.view) return null;
    return this.show(module.screenFor(this), props);
  }

  // The method that the person works on; null when there is none, or when they
  // have to choose one of this.possible.
  async findMethod() {
    const { view } = this;
    const names = methodsOf(view);
    const modules = await Promise.all(names.map((name) => this.module(name)));
    const possible = modules.filter((m) => m.isPossible(view))
      .sort((a, b) => a.takes(view) - b.takes(view)).map((m) => m.name);
    if (view === this.view) this.possible = possible;
    return flow.methodOf(view, possible, this.recall('method'));
  }

  async module(name) {
    if (!this.modules.has(name)) {
      const module = await loadModule(name);
      Object.assign(this.screens, module.screens);
      this.modules.set(name, module);
    }
    return this.modules.get(name);
  }

  // Begins with the method NAME; without one the person chooses again.
  choose(name = null) {
    this.remember('method', name);
    if (!name) return this.show('chooseMethod');
    return this.attempt(() => this.proceed());
  }

  expireLater(expiresAt) {
    const rest = expiresAt * 1000 - Date.now();
    // Timers hold 31 bits; nobody looks at a page that long. After the time
    // the service may need a moment to notice.
    if (rest < 2 ** 31 - 1)
      this.expiry = setTimeout(() => this.look().then(() => {
        if (!flow.hasEnded(this.view)) this.expireLater(expiresAt);
      }), rest > 0 ? rest + 500 : EXPIRY_LOOK_MS);
  }

  // Asks where the session stands; the screen changes only if that does.
  async look() {
    const view = await this.client.view().catch(() => null);
    if (view && view.status !== this.view.status) this.apply(view);
  }

  tellHostOutcome() {
    const { status } = this.view;
    if (!this.host || this.told === status) return;
    this.told = status;
    if (status === 'cancelled') this.host.send('cancelled', { status });
    else if (flow.isOver(this.view))
      this.host.send('completed',
        { status, vpToken: this.view.vp_token || null });
  }

  refresh() {
    return this.attempt(this.reload);
  }

  // Runs an action against the service; whatever goes wrong for good becomes
  // a screen from which the person can go on.
  async attempt(action) {
    try {
      await action();
    } catch (error) {
      await this.fail(error, action);
    }
  }

  async fail(error, action) {
    if (error.code === 'aborted') return;
    if (error.status === 401 || error.status === 404) await this.showLinkInvalid(error);
    else if (error.status === 409 && action !== this.reload) this.refresh();
    else if (error.code === 'session_locked_to_other_device') {
      await this.wearOf(this.secret);
      this.show('elsewhere');
    } else if (error.status === 413 || error.status === 415)
      this.proceed({ problem: 'unsupported_image' });
    else this.show('problem', { again: () => this.attempt(action) });
  }

  async showLinkInvalid({ code }) {
    forgetView(this.sessionId);
    if (this.host) this.host.send('error', { code });
    await this.wearOf(this.secret);
    this.show('linkInvalid');
  }

  agree(share) {
    return this.attempt(async () => this.apply(
      await this.client.consent(share,
        `${CONSENT_VERSION} ${this.t.language}`)));
  }

  cancel() {
    return this.attempt(async () => this.apply(await this.client.cancel()));
  }

  // Submits BODY ({method, ...}) and shows what comes of it. After a lost
  // answer the session itself says whether the submission arrived.
  async submit(body) {
    const { revision } = await this.client.view();
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.apply(await this.client.submit(body));
      } catch (error) {
        if (!flow.isTransient(error) || attempt >= 4) throw error;
        const view = await this.client.view();
        if (view.revision !== revision) return this.apply(view);
        await new Promise((resolve) => {
          setTimeout(resolve, flow.retryDelay(attempt, error.retryAfter));
        });
      }
    }
  }

  showProgress(share) {
    if (this.current && this.current.name === 'sending')
      this.screens.sending.update(Math.min(share, 1));
  }

  // Long-polls until the session leaves the status that is on the screen.
  watch({ until } = {}) {
    const abort = new AbortController();
    this.onLeave(() => abort.abort());
    const { status } = this.view;
    let early = 0;
    this.attempt(async () => {
      while (!until || Date.now() < until) {
        const asked = Date.now();
        const view = await this.client.watch(this.view.revision,
          flow.POLL_SECONDS, abort.signal);
        if (abort.signal.aborted) return;
        if (view.status !== status) {
          this.apply(view);
          return;
        }
        // A service with too many waiting answers at once; then less often.
        const isEarly = view.revision === this.view.revision
          && Date.now() - asked < flow.EARLY_MS;
        early = isEarly ? early + 1 : 0;
        if (early) await this.breathe(flow.watchPause(early), abort);
        this.view = view;
      }
    });
  }

  breathe(pause, abort) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, pause);
      abort.signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  // Asks again whenever the person comes back to this tab.
  watchFocus() {
    const look = () => {
      if (document.visibilityState === 'visible') this.look();
    };
    document.addEventListener('visibilitychange', look);
    this.onLeave(() => document.removeEventListener('visibilitychange', look));
  }

  close() {
    if (this.host) this.host.send('close', {});
  }
}

// Makes the page fit the place that the host has for it. Amid the host's page it has
// no head and no foot of its own; help and languages follow the screen.
function settleIn(widget) {
  const { isDialog, isClear } = widget.host;
  const { classList } = document.documentElement;
  classList.add(isDialog ? 'in-dialog' : 'embedded');
  classList.toggle('clear', isClear);
  widget.host.onTheme((later) => {
    wearTheme(later.theme);
    classList.toggle('clear', later.isClear);
  });
  if (!isDialog)
    document.getElementById('screen').after(document.querySelector('.bar-tools'));
  new ResizeObserver(() => widget.tellHostSize()).observe(document.body);
}

// Escape leaves what is on top: the help, which the browser sees to, else the
// camera, else the host's own dialog, which does not hear keys that are pressed
// in here.
function leaveByEscape(widget) {
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || document.querySelector('dialog[open]')) return;
    const camera = document.getElementById('leave-camera');
    if (camera) camera.click();
    else if (widget.host && widget.host.isDialog) widget.close();
  });
}

function wearTheme(theme) {
  if (['light', 'dark'].includes(theme))
    document.documentElement.dataset.theme = theme;
}

// What a phone has taken over by its link becomes this page's session.
function adopt(widget, { id, client_secret: secret }) {
  try {
    sessionStorage.setItem(`idv:${id}`, secret);
  } catch {
    // Storage is switched off: then a reload needs another link.
  }
  widget.trail.address((url) => { url.pathname = url.pathname.replace(
    /[^/]*$/, id); });
  widget.sessionId = id;
  return widget.start(secret);
}

async function main() {
  // What the embedding page asked for in the address.
  wearTheme(new URLSearchParams(location.search).get('theme'));
  forgetLate();
  const sessionId = location.pathname.split('/').pop();
  showWaiting();
  if (sessionId === 'handoff') {
    const token = takeSecret('idv:handoff', isToken);
    const widget = new Widget(sessionId, await begin(wishes()));
    widget.labelPage();
    leaveByEscape(widget);
    window.addEventListener('hashchange', () => location.reload());
    if (token)
      await joinSession(widget, token, (view) => adopt(widget, view));
    else widget.show('linkInvalid');
    return;
  }
  // An address with a fragment is no reload, and what it brings may be newer.
  if (location.hash) forgetView(sessionId);
  const returned = takeReturn(`idv:${sessionId}`);
  const secret = takeSecret(`idv:${sessionId}`,
    (text) => text.startsWith(`${sessionId}_secret_`));
  const widget = new Widget(sessionId, await begin(wishes()));
  widget.labelPage();
  leaveByEscape(widget);
  // The same link opened again in this tab changes only the fragment.
  window.addEventListener('hashchange', () => location.reload());
  if (secret) {
    await widget.start(secret, { returned, kept: keptView(sessionId) });
  } else if (isEmbedded()) {
    widget.host = await connectToHost(sessionId);
    settleIn(widget);
    await widget.start(widget.host.secret);
  } else {
    widget.show('linkInvalid');
  }
}

main().catch(giveUp);
