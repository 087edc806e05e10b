// Who works here: oneself, and everybody in the newest sign-ins and the newest records of
// the audit, each with the role that allowed it and the rule that gave the role.

import { html, t } from '../view.js';
import { to } from '../address.js';
import { useGet } from '../resource.js';
import { useService } from '../operator.js';
import { number, roleName, valueName } from '../format.js';
import { Badge, Card, Code, Facts, Head, Loaded, Named, Rule, State, Table, timeColumn } from '../parts.js';

const LOOKED_AT = 100;
const SIGN_IN = 'POST /dashboard/v1/organizations/:org/sign_ins';

// The newest record of each operator, with all of the person's roles in RECORDS.
function people(records) {
  const found = new Map();
  for (const one of records.filter(({ actor_type: type }) => type === 'operator')) {
    const person = found.get(one.actor) || { ...one, id: one.actor, roles: new Map(),
      count: 0 };
    person.count++;
    // A sign-in tells all that the person has; other records what they were done by.
    for (const { role, rule } of (one.details && one.details.roles) || [one])
      if (!person.roles.has(role)) person.roles.set(role, rule);
    found.set(one.actor, person);
  }
  return [...found.values()];
}

export function Team() {
  const { me, organization } = useService();
  const records = useGet('audit', { limit: LOOKED_AT });
  // Few of them are among the newest records where much is done.
  const signIns = useGet('audit', { limit: LOOKED_AT, action: SIGN_IN });
  return html`<${Head} title=${t('ways.team')}>${t('team.lead')}<//>
    <${Card} title=${t('team.you')}><${Facts} of=${[
      [t('audit.actor'), me.name && me.name !== me.user ? `${me.name} (${me.user})` : me.user],
      [t('audit.authentication'), html`<${Named} list="authentications"
        of=${me.authentication} />`],
      [t('team.roles'), html`${(organization.roles || []).map((one) => html`<div key=${one}>
        <${Named} list="roles" of=${one} /></div>`)}`]]} /><//>
    <${Card} title=${t('team.others')} flush><${Loaded} resource=${signIns.data ? records
    : signIns}>${(data) => {
    const rows = people([...new Map([...data.data, ...signIns.data.data].map((one) =>
      [one.id, one])).values()].sort((a, b) => b.created - a.created));
    return rows.length ? html`<${Table} label=${t('team.others')} rows=${rows}
      at=${(row) => to('audit', { by: 'actor', search: row.actor })} columns=${[
        { title: t('audit.actor'), cell: (row) => html`<a class="row wrap" href=${to('audit',
          { by: 'actor', search: row.actor })}>${row.actor}</a>` },
        { title: t('team.roles'), cell: (row) => [...row.roles].map(([role, rule]) => html`
          <div>${role ? html`<${Badge}>${roleName(role)}<//> <${Rule} of=${rule} />` : '–'}
          </div>`) },
        { title: t('audit.authentication'), class: 'p3', cell: (row) =>
          valueName('authentications', row.authentication) },
        { title: t('team.deeds'), class: 'number p2', cell: (row) => number(row.count) },
        timeColumn(t('team.last'))]} />`
      : html`<${State} icon="persons" title=${t('team.nobody')} />`;
  }}<//><//>
    <${Card} title=${t('team.add')}><p>${t('team.addText')}</p><${Code}
      text=${`VerifyOperator reviewer ${organization.id} user NAME`} /><//>`;
}
