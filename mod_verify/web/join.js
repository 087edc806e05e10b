// The phone's side of a handoff: the page /verify/handoff#TOKEN. The person
// chooses the number that the other screen shows, and the page becomes the
// session's.

import { createHandoffClient } from './session/api.js';
import { showConnection } from './page/page.js';
import { alertBox } from './page/screens.js';
import { button, h, heading, icon } from './page/dom.js';

const TOKEN = /^[0-9a-z]{26}[\w-]{22}$/;

export const isToken = (text) => TOKEN.test(text);

function join({ t }, { scan, choose }) {
  return h('div', {},
    heading(t('handoff.join.title')),
    h('p', { class: 'lead' }, t('handoff.join.lead',
      { organization: scan.organization })),
    h('div', { class: 'pairings' }, scan.choices.map((number) => button(
      String(number), () => choose(number),
      { kind: 'secondary', id: `pairing-${number}` }))),
    alertBox(h('p', {}, t('handoff.join.warning'))));
}

function joinFailed({ t }, { reason }) {
  return h('div', { class: 'outcome calm' },
    h('div', { class: 'seal' }, icon('link')),
    heading(t(`handoff.join.${reason}.title`)),
    h('p', { class: 'lead' }, t(`handoff.join.${reason}.text`)));
}

const REASONS = { handoff_invalid: 'invalid', handoff_pairing_wrong: 'wrong' };

// Leads WIDGET from the link to the session; start(view) goes on with it.
export async function joinSession(widget, token, start) {
  const client = createHandoffClient({ base: '..',
    onConnection: (works) => showConnection(widget.t, works) });
  const fail = async (error) => {
    if (!REASONS[error.code]) throw error;
    await widget.wearOf(token);
    widget.show('joinFailed', { reason: REASONS[error.code] });
  };
  Object.assign(widget.screens, { join, joinFailed });
  await widget.attempt(async () => {
    try {
      const scan = await client.scan(token);
      widget.wear({ brand: scan.brand, organization_name: scan.organization });
      widget.show('join', { scan, choose: (number) => widget.attempt(
        () => client.take(token, number).then(start, fail)) });
    } catch (error) {
      await fail(error);
    }
  });
}
