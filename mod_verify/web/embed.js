// Puts the verification widget into a customer's page. See README.md.
//
//   const widget = IdvWidget.open({ sessionId, clientSecret, onEvent });
//   widget.close();
(function () {
  'use strict';

  const FRAME = 'idv-widget';
  const HOST = 'idv-host';
  const VERSION = 1;
  const WIDTH = '36rem';
  const script = document.currentScript;
  const LABELS = {
    en: { title: 'Verification', close: 'Close' },
    de: { title: 'Verifizierung', close: 'Schließen' },
  };

  // Where this script came from, without /verify/embed.js.
  function defaultBase() {
    return script && script.src
      ? new URL('..', script.src).href.replace(/\/$/, '') : '';
  }

  function readOptions(options) {
    const { sessionId, clientSecret } = options || {};
    if (!/^vks_[0-9a-z]+$/.test(sessionId || ''))
      throw new TypeError('IdvWidget.open: sessionId is missing or malformed');
    if (!String(clientSecret || '').startsWith(`${sessionId}_secret_`))
      throw new TypeError('IdvWidget.open: clientSecret does not fit');
    const base = String(options.baseUrl || defaultBase()).replace(/\/$/, '');
    if (!base) throw new TypeError('IdvWidget.open: baseUrl is missing');
    const container = typeof options.container === 'string'
      ? document.querySelector(options.container) : options.container;
    if (options.container && !container)
      throw new TypeError('IdvWidget.open: no such container');
    return { sessionId, clientSecret, base, container: container || null,
      lang: options.lang || null, onEvent: options.onEvent || function () {} };
  }

  // Styles are set one by one: a style sheet or a style attribute would need
  // an exception in the customer's content security policy.
  function styled(element, styles) {
    Object.assign(element.style, styles);
    return element;
  }

  function labelsFor(lang) {
    const wish = lang || document.documentElement.lang || navigator.language;
    return LABELS[String(wish).slice(0, 2).toLowerCase()] || LABELS.en;
  }

  function makeFrame(settings, labels) {
    const url = new URL(`${settings.base}/verify/${settings.sessionId}`,
      document.baseURI);
    if (settings.lang) url.searchParams.set('lang', settings.lang);
    const frame = document.createElement('iframe');
    frame.title = labels.title;
    frame.allow = 'camera';
    frame.referrerPolicy = 'no-referrer';
    frame.src = url.href;
    return styled(frame, { border: '0', width: '100%', height: '100%',
      minHeight: '36rem', display: 'block', colorScheme: 'light dark' });
  }

  function makeDialog(frame, labels, close) {
    const dialog = styled(document.createElement('dialog'), {
      position: 'fixed', inset: '0', width: '100%', height: '100%',
      maxWidth: '100%', maxHeight: '100%', margin: '0', border: '0',
      padding: `clamp(0px, (100vw - ${WIDTH}) / 2, 2rem)`,
      boxSizing: 'border-box', display: 'flex', alignItems: 'center',
      background: 'rgba(13, 20, 33, .72)',
    });
    dialog.setAttribute('aria-label', labels.title);
    const box = styled(document.createElement('div'), {
      position: 'relative', margin: '0 auto', width: '100%',
      maxWidth: WIDTH, height: '100%', maxHeight: '54rem',
      borderRadius: 'clamp(0px, (100vw - 38rem) * 99, 1.25rem)',
      overflow: 'hidden',
    });
    const button = styled(document.createElement('button'), {
      position: 'absolute', insetInlineEnd: '.5rem', top: '.375rem',
      width: '2.75rem', height: '2.75rem', border: '0', borderRadius: '50%',
      background: '#33445a', color: '#fff', font: '1.5rem/1 sans-serif',
      cursor: 'pointer', padding: '0', zIndex: '1',
    });
    button.type = 'button';
    button.textContent = '\u00d7';
    button.setAttribute('aria-label', labels.close);
    button.addEventListener('click', close);
    dialog.addEventListener('cancel', close);
    dialog.addEventListener('close', close);
    frame.style.minHeight = '0';
    box.append(button, frame);
    dialog.append(box);
    return dialog;
  }

  function show(dialog) {
    document.body.append(dialog);
    if (dialog.showModal) {
      dialog.showModal();
      return;
    }
    // Browsers without <dialog>: the roles by hand.
    dialog.setAttribute('role', 'dialog');
    dialog.setAttribute('aria-modal', 'true');
    dialog.setAttribute('open', '');
    dialog.querySelector('button').focus();
  }

  function open(options) {
    const settings = readOptions(options);
    const labels = labelsFor(settings.lang);
    const frame = makeFrame(settings, labels);
    const origin = new URL(frame.src).origin;
    const before = document.activeElement;
    const dialog = settings.container ? null
      : makeDialog(frame, labels, () => handle.close());
    let isOpen = true;

    const tell = (type, detail) => settings.onEvent(
      { type, sessionId: settings.sessionId, ...detail });
    const actions = {
      hello: () => frame.contentWindow.postMessage({ source: HOST,
        version: VERSION, type: 'start', sessionId: settings.sessionId,
        clientSecret: settings.clientSecret, dialog: Boolean(dialog) },
      origin),
      ready: ({ status }) => tell('ready', { status }),
      completed: ({ status, vpToken }) => tell('completed',
        { status, vpToken }),
      cancelled: ({ status }) => tell('cancelled', { status }),
      resize: ({ height }) => {
        if (!dialog && Number.isFinite(height))
          frame.style.height = `${Math.min(Math.max(height, 320), 4000)}px`;
      },
      close: () => handle.close(),
    };

    // Only the frame itself, only while it shows the service's own origin.
    function listen(event) {
      const message = event.data;
      if (event.origin !== origin || event.source !== frame.contentWindow
          || !message || message.source !== FRAME
          || message.version !== VERSION
          || message.sessionId !== settings.sessionId) return;
      if (Object.prototype.hasOwnProperty.call(actions, message.type))
        actions[message.type](message);
    }

    const handle = {
      close() {
        if (!isOpen) return;
        isOpen = false;
        window.removeEventListener('message', listen);
        (dialog || frame).remove();
        if (before && before.focus) before.focus();
        tell('closed', {});
      },
    };

    window.addEventListener('message', listen);
    if (dialog) show(dialog);
    else settings.container.append(frame);
    return handle;
  }

  window.IdvWidget = Object.freeze({ open });
}());
