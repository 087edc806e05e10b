// Help, in reach of every screen: what helps with the method, and where to ask.

import { h, icon, list } from './dom.js';
import { safeUrl } from '../session/flow.js';

let dialog = null;

export function closeHelp() {
  if (dialog) dialog.remove();
  dialog = null;
}

// Where persons ask: of the organization of VIEW.
function contact(t, view) {
  const { support } = (view && view.brand) || {};
  const isMail = /^(mailto|tel):/.test(support || '');
  const href = isMail ? support : safeUrl(support);
  return href && h('p', {}, h('a', { href, target: '_blank',
    rel: 'noopener noreferrer' }, t('help.contact')));
}

// What helps with METHOD, or in general.
function tips(t, method) {
  return t.list(method && t.has(`${method}.help`) ? `${method}.help`
    : 'help.tips');
}

function open(t, { view, method }) {
  closeHelp();
  const close = h('button', { type: 'button', class: 'close', id: 'close-help',
    'aria-label': t('help.close'), onclick: closeHelp }, '\u00d7');
  dialog = h('dialog', { class: 'help', 'aria-label': t('help.title'),
    onclose: closeHelp },
  close, h('h2', {}, t('help.title')), list(tips(t, method), 'check'),
  contact(t, view));
  document.body.append(dialog);
  dialog.showModal();
}

// The button in the head of the page; place() is asked when it is pressed, and
// says which {view, method} help is wanted with.
export function labelHelp(t, place) {
  const button = document.getElementById('help');
  const label = h('span', { class: 'visually-hidden' }, t('help.button'));
  button.replaceChildren(icon('help'), label);
  button.onclick = () => open(t, place());
  button.hidden = false;
}
