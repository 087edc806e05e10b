// Puts the verification widget into a customer's page. See README.md.
//
//   const widget = IdvWidget.open({ sessionId, clientSecret, onEvent });
//   widget.close();
//   const { status } = await IdvWidget.verify({ sessionId, clientSecret });
(function () {
  'use strict';

  const FRAME = 'idv-widget';
  const HOST = 'idv-host';
  const VERSION = 1;
  const WIDTH = '36rem';
  const BLOCKED_AFTER_MS = 3000;  // without a word of a frame that has loaded
  const SILENT_AFTER_MS = 30000;  // without a word at all
  // Events after which the page's colors may differ.
  const ARRIVALS = ['transitionend', 'animationend', 'change'];
  const script = document.currentScript;
  const handles = [];             // of the widgets that are open
  const LABELS = {
    en: { title: 'Verification', close: 'Close',
      blocked: 'The verification cannot be shown on this page.',
      open: 'Open in a new window' },
    de: { title: 'Verifizierung', close: 'Schließen',
      blocked: 'Die Verifizierung lässt sich auf dieser Seite nicht anzeigen.',
      open: 'In neuem Fenster öffnen' },
    es: { title: 'Verificación', close: 'Cerrar',
      blocked: 'La verificación no se puede mostrar en esta página.',
      open: 'Abrir en una ventana nueva' },
    fr: { title: 'Vérification', close: 'Fermer',
      blocked: 'La vérification ne peut pas s’afficher sur cette page.',
      open: 'Ouvrir dans une nouvelle fenêtre' },
    it: { title: 'Verifica', close: 'Chiudi',
      blocked: 'La verifica non può essere mostrata in questa pagina.',
      open: 'Apri in una nuova finestra' },
    nl: { title: 'Verificatie', close: 'Sluiten',
      blocked: 'De verificatie kan niet op deze pagina worden getoond.',
      open: 'Openen in een nieuw venster' },
    pl: { title: 'Weryfikacja', close: 'Zamknij',
      blocked: 'Nie można wyświetlić weryfikacji na tej stronie.',
      open: 'Otwórz w nowym oknie' },
    pt: { title: 'Verificação', close: 'Fechar',
      blocked: 'Não é possível mostrar a verificação nesta página.',
      open: 'Abrir numa nova janela' },
    tr: { title: 'Doğrulama', close: 'Kapat',
      blocked: 'Doğrulama bu sayfada gösterilemiyor.',
      open: 'Yeni pencerede aç' },
    uk: { title: 'Верифікація', close: 'Закрити',
      blocked: 'Верифікацію неможливо показати на цій сторінці.',
      open: 'Відкрити в новому вікні' },
    ar: { title: 'التحقق', close: 'إغلاق',
      blocked: 'لا يمكن عرض التحقق في هذه الصفحة.',
      open: 'فتح في نافذة جديدة' },
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
      lang: options.lang || null, wish: options.theme, theme: themeOf(options.theme),
      onEvent: options.onEvent || function () {} };
  }

  // light or dark: what was asked for, else what the page around is.
  function themeOf(wish) {
    if (wish === 'light' || wish === 'dark') return wish;
    const scheme = getComputedStyle(document.documentElement).colorScheme;
    const canBeDark = /dark/.test(scheme), canBeLight = /light/.test(scheme);
    const wantsDark = window.matchMedia('(prefers-color-scheme: dark)').matches;
    return canBeDark && (wantsDark || !canBeLight) ? 'dark' : 'light';
  }

  // Whether the letters of THEME can be read on what lies behind PLACE: one color,
  // light or dark enough. Then the frame shows it through.
  function suits(place, theme) {
    for (let one = place; one; one = one.parentElement) {
      const { backgroundColor, backgroundImage } = getComputedStyle(one);
      const [r, g, b, share = 1] = (/^rgba?\((.*)\)$/.exec(backgroundColor)
        || ['', 'NaN'])[1].split(',').map(Number);
      if (backgroundImage !== 'none' || Number.isNaN(r)) return false;
      if (share === 0) continue;
      const light = .2126 * r + .7152 * g + .0722 * b;
      return share === 1 && (theme === 'dark' ? light <= 42 : light >= 236);
    }
    return theme === 'light';
  }

  // Calls CHANGED when the system or the page around PLACE may have become light or dark:
  // after changes of its ancestors' attributes, of style sheets and of fields, and at the
  // end of transitions. Returns a function that ends this.
  function watchScheme(place, changed) {
    const system = window.matchMedia('(prefers-color-scheme: dark)');
    const page = new MutationObserver(changed);
    system.addEventListener('change', changed);
    for (const type of ARRIVALS) document.addEventListener(type, changed);
    page.observe(document.head, { childList: true, subtree: true, attributes: true });
    for (let one = place; one; one = one.parentElement)
      page.observe(one, { attributes: true });
    return () => {
      system.removeEventListener('change', changed);
      for (const type of ARRIVALS) document.removeEventListener(type, changed);
      page.disconnect();
    };
  }

  // Styles are set one by one: a style sheet or a style attribute would need
  // an exception in the customer's content security policy.
  function styled(element, styles) {
    Object.assign(element.style, styles);
    return element;
  }

  function labelsFor(lang) {
    const wish = String(lang || document.documentElement.lang
      || navigator.language).slice(0, 2).toLowerCase();
    const language = LABELS[wish] ? wish : 'en';
    return { ...LABELS[language], language };
  }

  function addressOf(settings) {
    const url = new URL(`${settings.base}/verify/${settings.sessionId}`,
      document.baseURI);
    if (settings.lang) url.searchParams.set('lang', settings.lang);
    return url;
  }

  // What takes the place of a frame that is not shown: a way to the same session
  // in a window of its own, for which no framing is needed.
  function makeOffer(settings, labels) {
    const url = addressOf(settings);
    url.hash = settings.clientSecret;
    const isDark = settings.theme === 'dark';
    const text = document.createElement('p');
    text.textContent = labels.blocked;
    styled(text, { margin: '0 0 1rem' });
    const link = styled(document.createElement('a'), {
      display: 'inline-block', padding: '.75rem 1.25rem', borderRadius: '.75rem',
      fontWeight: '600', textDecoration: 'none',
      background: isDark ? '#8ebcf5' : '#1d4f91', color: isDark ? '#0b1a2c' : '#fff',
    });
    link.href = url.href;
    link.target = '_blank';
    link.rel = 'noopener noreferrer';
    link.textContent = labels.open;
    const offer = styled(document.createElement('div'), {
      padding: '3.75rem 1.5rem 2.25rem', textAlign: 'center',
      font: '1.0625rem/1.5 system-ui, sans-serif',
      background: isDark ? '#171f29' : '#fff', color: isDark ? '#e9eef4' : '#14202e',
    });
    offer.lang = labels.language;
    offer.dir = labels.language === 'ar' ? 'rtl' : 'ltr';
    offer.setAttribute('role', 'alert');
    offer.append(text, link);
    return offer;
  }

  function makeFrame(settings, labels) {
    const url = addressOf(settings);
    url.searchParams.set('theme', settings.theme);
    const frame = document.createElement('iframe');
    frame.title = labels.title;
    frame.allow = 'camera; digital-credentials-get; '
      + 'publickey-credentials-create; publickey-credentials-get';
    frame.referrerPolicy = 'no-referrer';
    frame.src = url.href;
    return styled(frame, { border: '0', width: '100%', height: '100%',
      minHeight: '36rem', display: 'block', colorScheme: settings.theme,
      borderRadius: settings.container ? '.75rem' : '0' });
  }

  function paint(button, theme) {
    return styled(button, { background: theme === 'dark' ? '#2f3b4a' : '#d5dde6',
      color: theme === 'dark' ? '#e9eef4' : '#14202e' });
  }

  function makeDialog(frame, labels, { theme, close }) {
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
    box.dir = labels.language === 'ar' ? 'rtl' : 'ltr'; // so is the head below the button
    const button = styled(paint(document.createElement('button'), theme), {
      position: 'absolute', insetInlineEnd: '.5rem', top: '.375rem',
      width: '2.75rem', height: '2.75rem', border: '0', borderRadius: '50%',
      font: '1.5rem/1 sans-serif', cursor: 'pointer', padding: '0', zIndex: '1',
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

  // The frame over the whole window, while the camera needs it, or back in its
  // place.
  function expand(frame, isExpanded) {
    if (isExpanded && !frame.dataset.height)
      frame.dataset.height = frame.style.height;
    styled(frame, isExpanded
      ? { position: 'fixed', inset: '0', height: '100%', zIndex: '2147483647' }
      : { position: '', inset: '', zIndex: '',
        height: frame.dataset.height || '100%' });
    if (!isExpanded) delete frame.dataset.height;
  }

  // One widget for one place: the same session again is the same widget, and
  // another one takes the place of the one before.
  function open(options) {
    const settings = readOptions(options);
    const there = handles.find((one) => one.container === settings.container);
    if (there && there.sessionId === settings.sessionId) {
      there.listeners.push(settings.onEvent);
      return there;
    }
    if (there) there.close();
    const labels = labelsFor(settings.lang);
    const frame = makeFrame(settings, labels);
    const origin = new URL(frame.src).origin;
    const before = document.activeElement;
    const dialog = settings.container ? null
      : makeDialog(frame, labels,
        { theme: settings.theme, close: () => handle.close() });
    let isOpen = true, isHeard = false, isOver = false, blockedTimer = null;
    let instead = null; // what is shown in place of a frame that says nothing

    const listeners = [settings.onEvent];
    const tell = (type, detail) => listeners.forEach((listener) => listener(
      { type, sessionId: settings.sessionId, ...detail }));
    // A frame that a policy refuses to show loads all the same, but says
    // nothing.
    const expectWord = (ms) => {
      clearTimeout(blockedTimer);
      if (isHeard || !isOpen) return;
      blockedTimer = setTimeout(refused, ms);
    };
    const post = (type, detail) => frame.contentWindow.postMessage({ source: HOST,
      version: VERSION, type, sessionId: settings.sessionId, ...detail }, origin);
    // As the page around is now: {theme, clear: whether it shows through}.
    const look = () => {
      const theme = themeOf(settings.wish);
      return { theme, clear: !dialog && suits(settings.container, theme) };
    };
    let worn = look();
    const wearAnew = () => {
      const { theme, clear } = look();
      if (!isHeard || (theme === worn.theme && clear === worn.clear)) return;
      worn = { theme, clear };
      frame.style.colorScheme = theme;
      if (dialog) paint(dialog.querySelector('button'), theme);
      post('theme', worn);
    };
    const unwatchScheme = watchScheme(settings.container || document.body, wearAnew);
    const showFrame = (isShown) => {
      frame.style.display = isShown ? 'block' : 'none';
      if (dialog) frame.parentElement.style.height = isShown ? '100%' : 'auto';
    };
    // Told after the offer is there, so that a host may close it.
    const refused = () => {
      if (!instead) {
        instead = makeOffer(settings, labels);
        frame.after(instead);
        showFrame(false);
      }
      tell('blocked', {});
    };
    const actions = {
      hello: () => {
        isHeard = true;
        clearTimeout(blockedTimer);
        if (instead) {
          instead.remove();
          instead = null;
          showFrame(true);
        }
        post('start', { clientSecret: settings.clientSecret, dialog: Boolean(dialog),
          clear: worn.clear });
        wearAnew();
      },
      step: ({ screen, step }) => tell('step', { screen, step }),
      error: ({ code }) => tell('error', { code }),
      expand: ({ isExpanded }) => {
        if (!dialog) expand(frame, isExpanded === true);
      },
      ready: ({ status }) => tell('ready', { status }),
      completed: ({ status, vpToken }) => {
        isOver = true;
        tell('completed', { status, vpToken });
      },
      cancelled: ({ status }) => {
        isOver = true;
        tell('cancelled', { status });
      },
      // A dialog keeps its height while the person has something to do in it, so
      // that nothing jumps, and wherever it fills the window.
      resize: ({ height }) => {
        if (!Number.isFinite(height)) return;
        const pixels = `${Math.min(Math.max(height, 160), 4000)}px`;
        if (!dialog && !frame.style.position)
          styled(frame, { height: pixels, minHeight: '0' });
        if (dialog && isOver && frame.clientWidth < window.innerWidth)
          frame.parentElement.style.height = pixels;
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
      sessionId: settings.sessionId,
      container: settings.container,
      listeners,
      close() {
        if (!isOpen) return;
        isOpen = false;
        clearTimeout(blockedTimer);
        handles.splice(handles.indexOf(handle), 1);
        window.removeEventListener('message', listen);
        unwatchScheme();
        (dialog || frame).remove();
        if (instead) instead.remove();
        if (before && before.focus) before.focus();
        tell('closed', {});
      },
    };

    handles.push(handle);
    window.addEventListener('message', listen);
    frame.addEventListener('load', () => expectWord(BLOCKED_AFTER_MS));
    expectWord(SILENT_AFTER_MS);
    if (dialog) show(dialog);
    else settings.container.append(frame);
    return handle;
  }

  // The same as a promise: of {status, vpToken} when the session has come to an
  // end or to a review and the widget is closed, or of {status: null} when it
  // is closed before, as after the person has gone on in another window. Rejects
  // with an Error whose code is that of an `error` event.
  function verify(options) {
    return new Promise((resolve, reject) => {
      let outcome = { status: null, vpToken: null };
      const refuse = (code) => {
        reject(Object.assign(new Error(`IdvWidget: ${code}`), { code }));
        handle.close();
      };
      const handle = open({ ...options, onEvent: (event) => {
        if (options.onEvent) options.onEvent(event);
        if (event.type === 'completed' || event.type === 'cancelled')
          outcome = { status: event.status, vpToken: event.vpToken || null };
        if (event.type === 'error') refuse(event.code);
        if (event.type === 'closed') resolve(outcome);
      } });
    });
  }

  window.IdvWidget = Object.freeze({ open, verify });
}());
