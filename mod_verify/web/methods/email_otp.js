// The proof of the e-mail address: it is typed, and then the code that was sent
// there. Whether it was the right address nobody is told.

import { actions, alertBox, announce, button, h, heading, leaveButton,
  moreOptions, skipStep } from '../widget.js';

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

function ask(widget, email) {
  return widget.attempt(async () => {
    try {
      const sent = await widget.client.once('POST', '/email_otp',
        { email, language: widget.t.language });
      widget.show('emailOtpCode', { email, sent });
    } catch (error) {
      widget.show('emailOtpAddress', { email, problem: problemOf(error) });
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
      widget.show('emailOtpCode', { ...props, problem: problemOf(error) },
        { replace: true });
    }
  });
}

// The button that sends again, as soon as the service would.
function resendButton(widget, { email, sent }) {
  const resend = button(widget.t('email_otp.resend'),
    () => ask(widget, email), { kind: 'secondary', id: 'resend' });
  const rest = sent.resend_at * 1000 - Date.now();
  if (rest > 0) {
    resend.disabled = true;
    const timer = setTimeout(() => {
      resend.disabled = false;
      announce(widget.t('email_otp.mayResend'));
    }, rest);
    widget.onLeave(() => clearTimeout(timer));
  }
  return resend;
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
    form(t('email_otp.code.label'), input, submit, actions(
      h('button', { type: 'submit', class: 'button primary', id: 'check-code' },
        h('span', {}, t('email_otp.code.check'))),
      resendButton(widget, props), moreOptions(widget,
        button(t('email_otp.other'), () => widget.show('emailOtpAddress',
          { email: props.email }), { kind: 'quiet', id: 'other-address' }),
        skipButton(widget), leaveButton(widget)))));
}

export default {
  screens: { emailOtpAddress, emailOtpCode },
  screenFor: () => 'emailOtpAddress',
};
