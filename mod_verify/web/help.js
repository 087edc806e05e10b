// Help, in reach of every screen: what makes a good picture, and where to ask.

import { h, icon, list } from './dom.js';
import { safeUrl } from './flow.js';

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

function open(t, view) {
  closeHelp();
  const close = h('button', { type: 'button', class: 'button secondary',
    id: 'close-help', onclick: closeHelp }, t('help.close'));
  dialog = h('dialog', { class: 'help', 'aria-label': t('help.title'),
    onclose: closeHelp },
  h('h2', {}, t('help.title')), list(t.list('help.tips'), 'check'),
  contact(t, view), close);
  document.body.append(dialog);
  dialog.showModal();
}

// The button in the head of the page; view() is asked when it is pressed.
export function labelHelp(t, view) {
  const button = document.getElementById('help');
  const label = h('span', { class: 'visually-hidden' }, t('help.button'));
  button.replaceChildren(icon('help'), label);
  button.onclick = () => open(t, view());
  button.hidden = false;
}
