// The proof of the e-mail address: it is typed, and then the code that was sent
// there. Whether it was the right address nobody is told.

import { actions, alertBox, announce, button, h, heading, icon, leaveButton,
  moreOptions, scene, skipStep } from '../widget.js';

const ENVELOPE = 'M20 18h56a4 4 0 0 1 4 4v32a4 4 0 0 1-4 4H20a4 4 0 0 1-4-4V22a4 4 0 0 1 4-4z';
const ADDRESS_SCENE = [['', ENVELOPE], ['', 'm17 20 31 22 31-22'],
  ['rising', 'M48 30V6M40 13l8-8 8 8']];
const CODE_SCENE = [['', ENVELOPE], ['', 'm17 56 22-19M79 56 57 37'],
  ['lowering solid', 'M32 6h32a3 3 0 0 1 3 3v24L48 46 29 33V9a3 3 0 0 1 3-3z'],
  ['sign', 'M38 20v.01M45 20v.01M52 20v.01M59 20v.01']];

// Codes of errors that a text below `email_otp.problem` explains.
const PROBLEMS = ['otp_not_proven', 'otp_expired', 'otp_attempts_exceeded',
  'rate_limit_exceeded', 'parameter_invalid'];

function problemOf(error) {
  if (!PROBLEMS.includes(error.code)) throw error;
  return error.code;
}

function box({ t }, problem) {
  return problem && alertBox(h('p', {}, t(`email_otp.problem.${problem}`)));
}

function skipButton(widget) {
  return button(widget.t('email_otp.skip'), () => {
    skipStep('email_otp');
    widget.apply(widget.view);
  }, { kind: 'quiet', id: 'skip-email' });
}

// A form with one field, sent by its button or by the return key.
function form(label, input, submit, ...children) {
  return h('form', { novalidate: true, onsubmit: (event) => {
    event.preventDefault();
    submit();
  } }, h('p', { class: 'labelled' }, h('label', { for: input.id }, label), input),
  children);
}

// BEFORE: what was sent before, in place of which comes another.
function ask(widget, email, before = null) {
  return widget.attempt(async () => {
    try {
      const sent = await widget.client.once('POST', '/email_otp',
        { email, language: widget.t.language });
      widget.show('emailOtpCode', { email, sent, isAnother: Boolean(before) },
        { replace: Boolean(before) });
    } catch (error) {
      const problem = problemOf(error);
      if (!before) widget.show('emailOtpAddress', { email, problem });
      else widget.show('emailOtpCode', { email, problem, sent: { ...before,
        resend_at: Date.now() / 1000 + error.retryAfter } }, { replace: true });
    }
  });
}

function emailOtpAddress(widget, { email = '', problem }) {
  const { t } = widget;
  const input = h('input', { id: 'email', name: 'email', type: 'email',
    class: 'field', autocomplete: 'email', inputmode: 'email', required: true,
    autocapitalize: 'off', spellcheck: 'false', value: email });
  const submit = () => (input.value.trim() ? ask(widget, input.value.trim())
    : widget.show('emailOtpAddress', { problem: 'parameter_invalid' }));
  return h('div', {},
    heading(t('email_otp.title')),
    h('p', { class: 'lead' }, t('email_otp.lead')),
    box(widget, problem),
    !problem && scene(ADDRESS_SCENE, { small: true }),
    form(t('email_otp.email'), input, submit, actions(
      h('button', { type: 'submit', class: 'button primary', id: 'send-code' },
        h('span', {}, t('email_otp.send'))),
      moreOptions(widget, skipButton(widget), leaveButton(widget)))));
}

function check(widget, props, code) {
  return widget.attempt(async () => {
    try {
      await widget.apply(await widget.client.once('POST', '/email_otp/check',
        { code }));
    } catch (error) {
      widget.show('emailOtpCode', { ...props, isAnother: false,
        problem: problemOf(error) }, { replace: true });
    }
  });
}

// "1:05" in the person's digits.
function clock({ t }, seconds) {
  const two = new Intl.NumberFormat(t.language, { minimumIntegerDigits: 2 });
  return `${new Intl.NumberFormat(t.language).format(Math.floor(seconds / 60))}:${
    two.format(seconds % 60)}`;
}

// The button that sends another code, as soon as the service would, and when that
// is: counted down for the eye, and said once to whoever hears it.
function resendPart(widget, { email, sent }) {
  const { t } = widget;
  const resend = button(t('email_otp.resend'), () => ask(widget, email, sent),
    { kind: 'secondary', id: 'resend' });
  const left = () => Math.ceil(sent.resend_at - Date.now() / 1000);
  if (left() <= 0) return [resend];
  const seen = h('span', { 'aria-hidden': 'true' });
  const heard = h('span', { class: 'visually-hidden' }, t('email_otp.wait', {
    time: new Intl.NumberFormat(t.language, { style: 'unit', unit: 'second',
      unitDisplay: 'long' }).format(left()) }));
  const when = h('p', { class: 'muted when', id: 'resend-when' }, seen, heard);
  resend.disabled = true;
  const tell = () => {
    if (left() > 0) {
      seen.textContent = t('email_otp.wait', { time: clock(widget, left()) });
      return;
    }
    clearInterval(timer);
    resend.disabled = false;
    when.textContent = t('email_otp.mayResend');
    announce(t('email_otp.mayResend'));
  };
  const timer = setInterval(tell, 1000);
  widget.onLeave(() => clearInterval(timer));
  tell();
  return [resend, when];
}

// An address that is not broken at its signs, only where it is longer than a line.
const joined = (address) => address.replace(/\W/g, '\u2060$&\u2060');

// One field, into which browsers fill the code and persons paste it.
function emailOtpCode(widget, props) {
  const { t } = widget;
  const input = h('input', { id: 'code', name: 'code', type: 'text',
    class: 'field code', inputmode: 'numeric', autocomplete: 'one-time-code',
    maxlength: '16', required: true, spellcheck: 'false' });
  const submit = () => check(widget, props, input.value.trim() || '-');
  return h('div', {},
    heading(t('email_otp.code.title')),
    h('p', { class: 'lead' }, t('email_otp.code.lead',
      { address: joined(props.sent.sent_to) })),
    box(widget, props.problem),
    props.isAnother && !props.problem && h('p', { class: 'note' }, icon('info'),
      h('span', {}, t('email_otp.resent'))),
    !props.isAnother && !props.problem && scene(CODE_SCENE, { small: true }),
    form(t('email_otp.code.label'), input, submit, actions(
      h('button', { type: 'submit', class: 'button primary', id: 'check-code' },
        h('span', {}, t('email_otp.code.check'))),
      resendPart(widget, props), moreOptions(widget,
        button(t('email_otp.other'), () => widget.show('emailOtpAddress',
          { email: props.email }), { kind: 'quiet', id: 'other-address' }),
        skipButton(widget), leaveButton(widget)))));
}

export default {
  screens: { emailOtpAddress, emailOtpCode },
  screenFor: () => 'emailOtpAddress',
};
