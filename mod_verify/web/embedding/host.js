// The side of the embedding protocol that runs inside the frame; the other
// side is embed.js. See README.md for the messages.

const FRAME = 'idv-widget';
const HOST = 'idv-host';
const VERSION = 1;

export function isEmbedded() {
  return window.parent !== window;
}

// Whether EVENT is a message of TYPE for this session, from the page that frames this one.
function isOfHost({ source, origin, data: message }, type, parent, sessionId) {
  return source === parent && origin !== 'null'
    && Boolean(message) && message.source === HOST
    && message.version === VERSION && message.type === type
    && message.sessionId === sessionId;
}

// Whether EVENT is the host's first message. Which pages may frame this one is decided by
// the frame-ancestors of the server.
export function isStart(event, parent, sessionId) {
  const message = event.data;
  return isOfHost(event, 'start', parent, sessionId)
    && typeof message.clientSecret === 'string'
    && message.clientSecret.startsWith(`${sessionId}_secret_`);
}

// Asks the host for the secret. From its answer on, messages go to the origin
// that answered and to no other.
export function connectToHost(sessionId) {
  const parent = window.parent;
  const post = (type, detail, origin) => parent.postMessage(
    { source: FRAME, version: VERSION, type, sessionId, ...detail }, origin);
  return new Promise((resolve) => {
    window.addEventListener('message', function listen(event) {
      if (!isStart(event, parent, sessionId)) return;
      window.removeEventListener('message', listen);
      const { origin } = event;
      resolve({
        secret: event.data.clientSecret,
        isDialog: event.data.dialog === true,
        isClear: event.data.clear === true,
        send: (type, detail) => post(type, detail, origin),
        // Calls CHANGED with each later theme of the host's page.
        onTheme: (changed) => window.addEventListener('message', (next) => {
          if (next.origin === origin && isOfHost(next, 'theme', parent, sessionId))
            changed({ theme: next.data.theme, isClear: next.data.clear === true });
        }),
      });
    });
    // Nothing in here is confidential, and the origin is not known yet.
    post('hello', {}, '*');
  });
}
