// Passkeys: whether this browser can save one and use one, and the two
// ceremonies. A passkey redeems an earlier verification by the same
// organization; what the person reads of it is in screens.js.

const skipped = new Set(); // sessions to verify without a passkey, in this tab

// Which organizations this browser has saved one for, by name: where one is
// known it is offered first.
const keyOf = (view) => `idv:passkey:${view.organization_name || ''}`;

function isRemembered(view) {
  try {
    return localStorage.getItem(keyOf(view)) !== null;
  } catch {
    return false; // storage is switched off
  }
}

function remember(view, isSaved) {
  try {
    if (isSaved) localStorage.setItem(keyOf(view), '1');
    else localStorage.removeItem(keyOf(view));
  } catch {
    // As above: nothing is remembered.
  }
}

// Whether the page may `create` or `get` one. In a frame of another site it has
// to be told so, and only some browsers say whether it was.
function isAllowed(action) {
  if (!window.isSecureContext || !window.PublicKeyCredential) return false;
  const policy = document.featurePolicy;
  return window === window.top || Boolean(policy
    && policy.allowsFeature(`publickey-credentials-${action}`));
}

export function canSavePasskey(view) {
  return view.passkey === 'save' && isAllowed('create');
}

export function canUsePasskey(view) {
  return view.passkey === 'use' && isAllowed('get');
}

// Whether it is to be offered before everything else.
export function wantsPasskey(view) {
  return canUsePasskey(view) && !skipped.has(view.id) && isRemembered(view);
}

// The person goes the usual way.
export function skipPasskey(view) {
  skipped.add(view.id);
}

function bytesOf(text) {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(plain, (c) => c.charCodeAt(0));
}

function textOf(buffer) {
  return btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

// Saves the verification of the session; rejects with a DOMException when the
// person or the device refuses.
export async function savePasskey({ client, view }) {
  const { public_key: options } = await client.once('POST',
    '/passkeys/registration', {});
  const { response } = await navigator.credentials.create({ publicKey: {
    ...options,
    challenge: bytesOf(options.challenge),
    user: { ...options.user, id: bytesOf(options.user.id) },
  } });
  await client.once('POST', '/passkeys/registration/finish', {
    client_data: textOf(response.clientDataJSON),
    attestation_object: textOf(response.attestationObject),
  });
  remember(view, true);
}

// Error codes of a refused passkey, and what they mean for the person. Of an invalid
// response, only the challenge may have expired: another attempt has a new one. If the
// passkey itself is refused, that attempt gets passkey_unknown.
const REFUSALS = { passkey_unknown: 'over', vp_token_invalid: 'over',
  passkey_invalid: 'cancelled', no_matching_vp: 'unfit' };

// Uses one that the person chooses; resolves to {view}, or to {problem}: over,
// unfit or cancelled.
export async function usePasskey({ client, view }) {
  try {
    const { public_key: options } = await client.once('POST',
      '/passkeys/assertion', {});
    const { rawId, response } = await navigator.credentials.get({ publicKey: {
      ...options, challenge: bytesOf(options.challenge) } });
    const next = await client.once('POST', '/passkeys/assertion/finish', {
      credential: textOf(rawId),
      client_data: textOf(response.clientDataJSON),
      authenticator_data: textOf(response.authenticatorData),
      signature: textOf(response.signature),
      user_handle: textOf(response.userHandle || new ArrayBuffer(0)),
    });
    remember(view, true);
    return { view: next };
  } catch (error) {
    if (error instanceof DOMException) return { problem: 'cancelled' };
    const problem = REFUSALS[error.code];
    if (!problem) throw error;
    if (problem === 'over') remember(view, false);
    return { problem };
  }
}
