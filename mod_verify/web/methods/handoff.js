// Going on with a phone: the first device shows a link and a number, and waits
// while the phone has the session. The phone's side is in ../join.js.

import { actions, announce, button, cancelButton, follow, h, heading, icon,
  leaveButton } from '../widget.js';

// The picture comes from the service as a document of its own; shown as an
// image it can run nothing and reach nothing.
function picture(svg, label) {
  const image = h('img', { class: 'qr', alt: label });
  image.src = `data:image/svg+xml;utf8,${encodeURIComponent(svg)}`;
  return image;
}

function copyButton({ t }, url) {
  const copy = button(t('handoff.copy'), async () => {
    await navigator.clipboard.writeText(url);
    announce(t('handoff.copied'));
    copy.querySelector('span').textContent = t('handoff.copied');
  }, { kind: 'secondary', symbol: 'link', id: 'copy-link' });
  return navigator.clipboard ? copy : null;
}

function stayButton(widget, key) {
  return button(widget.t(key), () => widget.attempt(async () => widget.apply(
    await widget.client.call('DELETE', '/handoff'))),
  { kind: 'quiet', id: 'stay' });
}

function newLinkButton(widget) {
  return button(widget.t('handoff.again'), () => offer(widget),
    { id: 'new-link' });
}

// A screen that is left as soon as the session is another's or over, or the
// link is void; `scanned` is told on it.
function watchHandoff(widget, { onScanned = () => {}, onVoid = () => {} }) {
  follow(widget, (view) => {
    if (view.status !== widget.view.status || view.active_device
      !== widget.view.active_device) return true;
    if (view.handoff === 'scanned') onScanned();
    if (view.handoff === null) onVoid();
    return false;
  });
}

function handoffOffer(widget, { link }) {
  const { t } = widget;
  const said = h('p', { class: 'muted', id: 'handoff-state' },
    t('handoff.waiting'));
  const stop = (key) => widget.show('handoffVoid', { key }, { replace: true });
  const timer = setTimeout(() => stop('expired'),
    Math.max(0, link.expires_at * 1000 - Date.now()));
  widget.onLeave(() => clearTimeout(timer));
  watchHandoff(widget, {
    onScanned: () => {
      said.textContent = t('handoff.scanned');
      announce(t('handoff.scanned'));
    },
    onVoid: () => stop('declined'),
  });
  return h('div', {},
    heading(t('handoff.title')),
    h('p', { class: 'lead' }, t('handoff.lead',
      { organization: link.organization })),
    h('div', { class: 'handoff' },
      picture(link.qr_svg, t('handoff.code')),
      h('p', {}, t('handoff.number')),
      h('p', { class: 'pairing', id: 'pairing' }, String(link.pairing)),
      said),
    actions(copyButton(widget, link.url),
      stayButton(widget, 'handoff.stay'), cancelButton(widget)));
}

// A link that is good no longer, `expired` or `declined` as KEY says: nothing of
// it is shown any more. A phone may have taken it at the last moment.
function handoffVoid(widget, { key }) {
  const { t } = widget;
  watchHandoff(widget, {});
  return h('div', { class: 'outcome' },
    h('div', { class: 'seal' }, icon(key === 'expired' ? 'clock' : 'warning')),
    heading(t(`handoff.${key}.title`)),
    h('p', { class: 'lead' }, t(`handoff.${key}.text`)),
    actions(newLinkButton(widget), stayButton(widget, 'handoff.stay'),
      cancelButton(widget)));
}

// While the phone has the session.
function handoffWaiting(widget) {
  const { t } = widget;
  watchHandoff(widget, {});
  return h('div', { class: 'outcome' },
    h('div', { class: 'seal' }, icon('phone')),
    heading(t('handoff.held.title')),
    h('p', { class: 'lead' }, t('handoff.held.text')),
    actions(stayButton(widget, 'handoff.held.back'), leaveButton(widget)));
}

// Asks for a link and shows it.
function offer(widget) {
  return widget.attempt(async () => {
    const link = await widget.client.call('POST', '/handoff', {});
    widget.view = await widget.client.view();
    widget.show('handoffOffer', { link });
  });
}

export default {
  screens: { handoffOffer, handoffVoid, handoffWaiting },
  screenFor: () => 'handoffWaiting',
  begin: offer,
};
