'use client';

// The widget as a React component: it is there while the component is.

import { createElement, useEffect, useRef } from 'react';
import { loadWidget } from './index.js';

// PROPS: those of open() but for the container; without INLINE a dialog.
export function Verification({ inline = false, className, ...options }) {
  const place = useRef(null);
  const latest = useRef(options);
  latest.current = options;
  const { sessionId, clientSecret, baseUrl, lang, theme } = options;

  useEffect(() => {
    let handle = null, isGone = false;
    const tell = (event) => {
      if (!isGone && latest.current.onEvent) latest.current.onEvent(event);
    };
    // An effect that React has taken back by then (StrictMode begins each of them
    // twice) opens nothing: the same session in the same place is one widget, and
    // closing it would close that of the second effect.
    loadWidget(baseUrl).then((widget) => {
      if (!isGone)
        handle = widget.open({ sessionId, clientSecret, baseUrl, lang, theme,
          onEvent: tell, container: inline ? place.current : undefined });
    }).catch((error) => tell({ type: 'error', sessionId,
      code: error.code || 'options_invalid' }));
    return () => {
      isGone = true;
      if (handle) handle.close();
    };
  }, [sessionId, clientSecret, baseUrl, lang, theme, inline]);

  return inline ? createElement('div', { ref: place, className }) : null;
}
