// The page behind the link of the notification e-mail: what an organization
// accepted, and how to end it, for that organization or for all.

import { createRevokeClient } from './session/api.js';
import { button, h, heading, icon, list, release } from './page/dom.js';
import { describe, giveUp, labelPage, showConnection, showWaiting, takeSecret,
  wishes } from './page/page.js';
import { pinAction } from './page/pin.js';
import { begin, isolated } from './texts.js';

class RevokePage {
  constructor(t) {
    this.t = t;
    this.grant = null;   // as the service told it
    this.current = null; // [screen, props]
    this.unpin = () => {};
  }

  // Shows a screen; the focus moves to its heading.
  show(name, props = {}) {
    this.current = [name, props];
    release();
    const place = document.getElementById('screen');
    place.replaceChildren(SCREENS[name](this, props));
    place.dataset.screen = name;
    place.removeAttribute('aria-busy');
    this.unpin();
    this.unpin = pinAction(place);
    const title = place.querySelector('h1');
    describe(title, place.querySelectorAll('.lead, .note'));
    document.title = `${title.textContent} – ${this.t('page.brand')}`;
    title.focus();
    window.scrollTo(0, 0);
  }

  label() {
    labelPage(this.t, (t) => {
      this.t = t;
      this.label();
      if (!this.current) return;
      this.show(...this.current);
      document.getElementById('language').focus();
    }, 'revoke.secure');
  }

  // The values that texts may name.
  values() {
    const { organization_name: name, granted_at: granted } = this.grant;
    return {
      organization: isolated(name),
      date: new Intl.DateTimeFormat(this.t.language, { dateStyle: 'long',
        timeStyle: 'short' }).format(new Date(granted * 1000)),
    };
  }

  async attempt(action) {
    try {
      await action();
    } catch (error) {
      if (error.status === 401 || error.status === 404) this.show('unknown');
      else this.show('problem', { again: () => this.attempt(action) });
    }
  }

  start(secret) {
    this.client = createRevokeClient({ base: '..', secret,
      onConnection: (works) => showConnection(this.t, works) });
    return this.attempt(async () => {
      this.grant = await this.client.grant();
      this.show(this.grant.status);
    });
  }

  revoke(scope) {
    return this.attempt(async () => {
      this.show('working');
      const { grants_revoked: n } = await this.client.revoke(scope);
      this.show(scope === 'all' ? 'allStopped' : 'stopped', { n });
    });
  }
}

// What ending everything means, and the button for it.
function stopAll(page) {
  const { t } = page;
  return h('section', { class: 'other', 'aria-labelledby': 'all-title' },
    h('h2', { id: 'all-title' }, t('revoke.all.title')),
    h('p', {}, t('revoke.all.text')),
    button(t('revoke.all.button'), () => page.revoke('all'),
      { kind: 'secondary', id: 'stop-all' }));
}

function active(page) {
  const { t, grant } = page;
  const values = page.values();
  const age = grant.age_tier && grant.age_tier.replace(/\D/g, '');
  return h('div', {},
    heading(t('revoke.title')),
    h('p', { class: 'lead' }, t('revoke.lead', values)),
    h('p', { class: 'note' }, icon('info'), h('span', {}, age
      ? t('revoke.learned.age', { age }) : t('revoke.learned.other'))),
    h('h2', {}, t('revoke.effects')),
    list(['told', 'again', 'past'].map((key) => (
      t(`revoke.effect.${key}`, values))), 'check'),
    h('div', { class: 'actions' },
      button(t('revoke.button'), () => page.revoke('grant'), { id: 'stop' })),
    stopAll(page));
}

function outcome(page, { key, symbol, tone, values, more }) {
  const { t } = page;
  return h('div', {},
    h('div', { class: `outcome ${tone}` },
      h('div', { class: 'seal' }, icon(symbol)),
      heading(t(`${key}.title`, values)),
      h('p', { class: 'lead' }, t(`${key}.text`, values))),
    more || h('p', { class: 'muted outcome' }, t('page.mayClose')));
}

const SCREENS = {
  active,
  revoked: (page) => outcome(page, { key: 'revoke.revoked', symbol: 'info',
    tone: 'calm', values: page.values(), more: stopAll(page) }),
  expired: (page) => outcome(page, { key: 'revoke.expired', symbol: 'clock',
    tone: 'calm', values: page.values(), more: stopAll(page) }),
  stopped: (page) => outcome(page, { key: 'revoke.stopped', symbol: 'check',
    tone: 'good', values: page.values(), more: stopAll(page) }),
  allStopped: (page, { n }) => outcome(page, { symbol: 'check', tone: 'good',
    key: n ? 'revoke.allStopped' : 'revoke.nothing', values: { n } }),
  unknown: (page) => outcome(page, { key: 'revoke.unknown', symbol: 'link',
    tone: 'calm' }),
  working: ({ t }) => h('div', { class: 'outcome' },
    h('div', { class: 'spinner', 'aria-hidden': 'true' }),
    heading(t('revoke.working'))),
  problem: ({ t }, { again }) => h('div', { class: 'outcome calm' },
    h('div', { class: 'seal' }, icon('info')),
    heading(t('problem.title')),
    h('p', { class: 'lead' }, t('problem.text')),
    h('div', { class: 'actions' },
      button(t('problem.again'), again, { id: 'again' }))),
};

async function main() {
  showWaiting();
  const secret = takeSecret('idv:revoke',
    (text) => /^trg_\w+_revoke_\w+$/.test(text));
  const page = new RevokePage(await begin(wishes()));
  page.label();
  // Another link opened in this tab changes only the fragment.
  window.addEventListener('hashchange', () => location.reload());
  if (secret) await page.start(secret);
  else page.show('unknown');
}

main().catch(giveUp);
