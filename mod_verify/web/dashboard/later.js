// Pages whose module comes when they are opened.

import { html, t, useLayoutEffect, useRef } from './view.js';
import { useResource } from './resource.js';
import { Card, Failure, Head, Loading } from './parts.js';

const views = new Map(); // those that came, by name

// The page NAME of the module that LOAD imports. The focus at the heading stays there.
export function later(name, load) {
  return function Later() {
    const isAtHeading = useRef(false);
    const coming = useResource(views.has(name) ? null : name, () => load().then((module) => {
      isAtHeading.current = document.activeElement.matches('main h1');
      views.set(name, module[name]);
      return name;
    }));
    const View = views.get(name);
    useLayoutEffect(() => {
      if (View && isAtHeading.current) document.querySelector('main h1').focus();
    }, [View]);
    if (View) return html`<${View} />`;
    return html`<${Head} title=${t('state.loading')} />${coming.error ? html`<${Failure}
      error=${{ kind: 'offline' }} retry=${() => location.reload()} />`
      : html`<${Card} flush><${Loading} /><//>`}`;
  };
}
