// @simplewebauthn/server as a separate process: each line of the input is a ceremony, each
// line of the output its verdict.
import { createInterface } from 'node:readline';
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';

const bytes = (text) => new Uint8Array(Buffer.from(text, 'base64url'));
const text = (value) => Buffer.from(value).toString('base64url');
const site = ({ origin, party, challenge }) => ({ expectedOrigin: origin, expectedRPID: party,
  expectedChallenge: challenge, requireUserVerification: true });

const ceremonies = {
  async create({ id, body, ...given }) {
    const { verified, registrationInfo: info } = await verifyRegistrationResponse({
      ...site(given), supportedAlgorithmIDs: [-8, -7, -257],
      response: { id, rawId: id, type: 'public-key', clientExtensionResults: {},
        response: { clientDataJSON: body.client_data,
          attestationObject: body.attestation_object } } });
    return { verified, credential: info && { id: info.credential.id,
      publicKey: text(info.credential.publicKey), counter: info.credential.counter } };
  },
  async get({ body, credential, embedder, ...given }) {
    const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
      ...site(given), expectedTopOrigin: embedder,
      credential: { ...credential, publicKey: bytes(credential.publicKey) },
      response: { id: body.credential, rawId: body.credential, type: 'public-key',
        clientExtensionResults: {}, response: { clientDataJSON: body.client_data,
          authenticatorData: body.authenticator_data, signature: body.signature,
          userHandle: body.user_handle } } });
    return { verified, counter: info && info.newCounter };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { ceremony, ...given } = JSON.parse(line);
  let verdict;
  try {
    verdict = await ceremonies[ceremony](given);
  } catch (error) {
    verdict = { verified: false, reason: error.message };
  }
  process.stdout.write(JSON.stringify(verdict) + '\n');
}
