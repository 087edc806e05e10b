// A statement that the person declares. The box is empty until they tick it.

import { actions, alertBox, button, h, heading, leaveButton, moreOptions,
  otherMethodButton, scene }
  from '../widget.js';

const SHEET_SCENE = [['', 'M33 4h30a4 4 0 0 1 4 4v48a4 4 0 0 1-4 4H33a4 4 0 0 1-4-4V8a4 4 0 0 1'
  + ' 4-4zM38 15h20M38 23h20M38 31h11'], ['sign', 'm39 46 6 6 12-13']];

// The text in the person's language, else the statement's first.
function textOf({ t, view: { statement } }) {
  const languages = Object.keys(statement.texts);
  const language = languages.find((tag) => tag === t.language)
    || languages.find((tag) => tag.split('-')[0] === t.language)
    || languages[0];
  return { language, text: statement.texts[language] };
}

function selfAttestation(widget, { isMissing }) {
  const { t } = widget;
  const { language, text } = textOf(widget);
  const { name } = widget.view.statement;
  const box = h('input', { type: 'checkbox', id: 'statement' });
  const declare = () => (box.checked
    ? widget.attempt(() => widget.submit({ method: 'self_attestation',
      statement: name, language }))
    : widget.show('selfAttestation', { isMissing: true }, { replace: true }));
  return h('div', {},
    heading(t('self_attestation.title')),
    h('p', { class: 'lead' }, t('self_attestation.lead')),
    isMissing && alertBox(h('p', {}, t('self_attestation.missing'))),
    scene(SHEET_SCENE, { small: true }),
    h('div', { class: 'choice' }, box,
      h('label', { for: 'statement' }, h('strong', { lang: language }, h('bdi', {}, text)))),
    actions(button(t('self_attestation.declare'), declare, { id: 'declare' }),
      moreOptions(widget, otherMethodButton(widget), leaveButton(widget))));
}

export default {
  screens: { selfAttestation },
  screenFor: () => 'selfAttestation',
  takes: () => 10,
  isPossible: (view) => Boolean(view.statement),
};
