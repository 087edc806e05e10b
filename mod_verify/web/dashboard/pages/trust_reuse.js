// Trust reuse: which verifications of others were accepted here, and which of ours
// elsewhere.

import { html, t, useState } from '../view.js';
import { useAddress } from '../address.js';
import { useResource, useDeed } from '../resource.js';
import { useService } from '../operator.js';
import { valueName } from '../format.js';
import { Badge, Button, Card, Head, Id, Loaded, Pager, Question, State, Status, Table,
  Time, pageOf } from '../parts.js';

const seconds = (iso) => Date.parse(iso) / 1000;

export function TrustReuse() {
  const { api, organization, may } = useService();
  const state = useAddress();
  const [grant, ask] = useState(null);
  const list = useResource(JSON.stringify([organization.id, state.after, state.before]),
    (signal) => api.get('trust_reuse/grants', { signal, query: pageOf(state) }));
  const revoke = useDeed(async () => {
    await api.delete(`trust_reuse/grants/${grant.id}`);
    list.reload();
    return true;
  });
  const mine = (row) => row.target_org_id === organization.id;
  return html`<${Head} title=${t('ways.trust_reuse')}>${t('trustReuse.lead')}<//>
    <${Card} title=${t('trustReuse.grants')} flush><${Loaded} resource=${list}>
      ${(data) => (data.data.length ? html`<${Table} label=${t('trustReuse.grants')}
        rows=${data.data} columns=${[
          { title: t('trustReuse.direction'), cell: (row) => html`<span class="badges">
            <${Badge} kind=${mine(row) ? 'accent' : ''}>${t(mine(row)
              ? 'trustReuse.accepted' : 'trustReuse.given')}<//></span>` },
          { title: t('trustReuse.other'), class: 'p2', cell: (row) => html`
            <${Id} of=${mine(row) ? row.source_org_id : row.target_org_id} short />` },
          { title: t('sessions.session'), class: 'p2', cell: (row) => html`
            <${Id} of=${row.session_id} short />` },
          { title: t('persons.method'), class: 'p4', cell: (row) =>
            valueName('methods', row.method.toLowerCase()) },
          { title: t('session.ageTier'), class: 'p4', cell: (row) =>
            valueName('tiers', (row.age_tier || '').toLowerCase()) },
          { title: t('trustReuse.granted'), class: 'time', cell: (row) => html`
            <${Time} at=${seconds(row.granted_at)} />` },
          { title: t('sessions.status'), cell: (row) => html`<span class="badges">
            <${Status} of=${row.revoked_at ? 'revoked' : 'active'} />
            ${row.revoked_reason && html`<span class="code small muted">
              ${row.revoked_reason}</span>`}</span>` },
          ...(may('admin') ? [{ title: html`<span class="visually-hidden">
            ${t('trustReuse.revoke')}</span>`, cell: (row) => !row.revoked_at && mine(row)
              && html`<${Button} kind="danger tiny" onClick=${() => ask(row)}>
              ${t('trustReuse.revoke')}<//>` }] : [])]} />
        <${Pager} list=${data} state=${state} />`
        : html`<${State} icon="trust_reuse" title=${t('trustReuse.empty')}>
          <p>${t('trustReuse.emptyText')}</p><//>`)}<//><//>
    ${grant && html`<${Question} title=${t('trustReuse.revokeTitle')} deed=${revoke}
      yes=${t('trustReuse.revoke')} onClose=${() => ask(null)}>
      <p>${t('trustReuse.revokeText')}</p><//>`}`;
}
