// openid-client as a separate process: each line of the input is an operation, each
// line of the output its result.
import { createInterface } from 'node:readline';
import { createPrivateKey } from 'node:crypto';
import * as client from 'openid-client';

const logins = new Map();

async function authentication({ secret, key, keyId }) {
  if (secret) return client.ClientSecretBasic(secret);
  if (!key) return client.None();
  const made = await crypto.subtle.importKey('pkcs8',
    createPrivateKey(key).export({ type: 'pkcs8', format: 'der' }),
    { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign']);
  return client.PrivateKeyJwt({ key: made, kid: keyId });
}

const operations = {
  // Discovers the provider and begins a login.
  async begin({ issuer, clientId, redirectUri, scope, algorithm, parameters, ...proof }) {
    const config = await client.discovery(new URL(issuer), clientId,
      { id_token_signed_response_alg: algorithm }, await authentication(proof));
    client.enableNonRepudiationChecks(config);
    const verifier = client.randomPKCECodeVerifier();
    const state = client.randomState();
    const nonce = client.randomNonce();
    logins.set(state, { config, verifier, nonce });
    const url = client.buildAuthorizationUrl(config, { redirect_uri: redirectUri, scope,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256', state, nonce, ...parameters });
    return { url: url.href, state };
  },
  // Takes the address at which the browser came back.
  async finish({ url, state, maxAge }) {
    const { config, verifier, nonce } = logins.get(state);
    const tokens = await client.authorizationCodeGrant(config, new URL(url),
      { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce,
        idTokenExpected: true, maxAge });
    return { claims: tokens.claims(), scope: tokens.scope };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { operation, ...options } = JSON.parse(line);
  let result;
  try {
    result = await operations[operation](options);
  } catch (error) {
    result = { failed: error.error ?? error.code ?? error.message };
  }
  process.stdout.write(JSON.stringify(result) + '\n');
}
