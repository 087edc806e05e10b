// What an organization is set to: name, money, browsers' keys, for what two people are
// needed, and its looks.

import { html, t, useState } from '../view.js';
import { useDeed, useGet } from '../resource.js';
import { useService } from '../operator.js';
import { number } from '../format.js';
import { Button, Card, Choice, Fault, Field, Head, Id, Loaded, Note, Select
  } from '../parts.js';
import { BrandForm } from './brand.js';

function Form({ of, onSaved }) {
  const { api, may } = useService();
  const [form, set] = useState({ name: of.name, billing_status: of.billing_status,
    free_allotment: of.free_allotment,
    publishable_session_create: of.publishable_session_create,
    four_eyes_publish: of.four_eyes.publish, four_eyes_reject: of.four_eyes.reject,
    four_eyes_erase: of.four_eyes.erase });
  const [saved, tell] = useState(null);
  const isFixed = !may('admin');
  const isMoneyFixed = !may('service');
  const put = (name, value) => set({ ...form, [name]: value });
  const save = useDeed(async () => {
    onSaved(await api.patch('.', { body: { ...form, name: form.name.trim(),
      free_allotment: Number(form.free_allotment) } }));
    tell(form);
  });
  const choice = (name, label, values, fixed) => html`<${Select}
    label=${t(`settings.${label}`)} disabled=${fixed} value=${form[name]}
    onChange=${(value) => put(name, value)} options=${values.map((one) =>
      [one, t(`settings.values.${one}`)])} />`;
  const tick = (name) => html`<${Choice} label=${t(`settings.${name}`)}
    hint=${t(`settings.${name}Hint`)} checked=${form[name]}
    disabled=${isFixed || (isMoneyFixed && of.four_eyes[name.slice(10)])}
    onChange=${(on) => put(name, on)} />`;
  return html`<form class="fields limited" onSubmit=${(event) => {
    event.preventDefault();
    save.run();
  }}><${Field} label=${t('settings.name')}>${(field) => html`<input ...${field} required
    maxlength="500" disabled=${isFixed} value=${form.name}
    onInput=${(event) => put('name', event.target.value)} />`}<//>
    ${!of.sandbox && html`${choice('billing_status', 'billing', ['active', 'suspended'],
      isMoneyFixed)}
      <${Field} label=${t('settings.free')}>${(field) => html`<input ...${field}
      type="number" min="0" max="1000000000" required disabled=${isMoneyFixed}
      value=${form.free_allotment}
      onInput=${(event) => put('free_allotment', event.target.value)} />`}<//>`}
    ${choice('publishable_session_create', 'browsers', ['allowed', 'blocked'], isFixed)}
    <p class="small muted">${t('settings.rate', {
      secret: number(of.rate_limit.secret), publishable: number(of.rate_limit.publishable) })}</p>
    <fieldset><legend>${t('settings.fourEyes')}</legend>
      ${tick('four_eyes_publish')}${tick('four_eyes_reject')}
      ${tick('four_eyes_erase')}</fieldset>
    ${!isFixed && isMoneyFixed && html`<p class="small muted">${t('settings.service')}</p>`}
    <${Fault} fault=${save.fault} />
    <div role="status">${saved === form && html`<${Note} kind="good" title=${t('settings.saved')} />`}
    </div>
    ${!isFixed && html`<div class="actions"><${Button} kind="primary" type="submit"
      busy=${save.busy}>${t('parts.save')}<//></div>`}</form>`;
}

export function Settings() {
  const { organization } = useService();
  const found = useGet('.');
  return html`<${Head} title=${t('ways.settings')}><${Id} of=${organization.id} /><//>
    <${Card}><${Loaded} resource=${found}>${(data) => html`<${Form} of=${data}
      onSaved=${found.replace} />`}<//><//>
    <${Card} title=${t('brand.title')}><${Loaded} resource=${found}>${(data) => html`
      <${BrandForm} of=${data} onSaved=${found.replace} />`}<//><//>`;
}
