import { createHash, createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign } from 'node:crypto';
import type { Challenge } from './wire';

/**
 * The connecting device, proven by a signature. The gateway lets the device that started a run cancel it, so
 * keeping the same device after a lost socket or restart keeps turns cancellable.
 */
export interface DeviceIdentity {
  readonly id: string;
  readonly publicKey: string;
  readonly key: KeyObject;
}

/** What a signature covers besides the challenge. */
interface Signed {
  readonly clientId: string;
  readonly mode: string;
  readonly role: string;
  readonly scopes: readonly string[];
  readonly platform: string;
  readonly token: string | null;
}

/** PKCS #8 of an Ed25519 key is these bytes followed by the seed (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
const RAW_KEY_BYTES = 32;

/** A key derived from the token, which is stored nowhere. */
export function deviceFromToken(token: string): DeviceIdentity {
  const seed = Buffer.from(hkdfSync('sha256', token, '', 'muster openclaw device', RAW_KEY_BYTES));
  const der = Buffer.concat([PKCS8_HEAD, seed]);
  return identityOf(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }));
}

/** From a private key in PEM; null if it is no Ed25519 key. */
export function deviceFromKey(pem: string): DeviceIdentity | null {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === 'ed25519' ? identityOf(key) : null;
  } catch {
    return null;
  }
}

function identityOf(key: KeyObject): DeviceIdentity {
  const raw = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-RAW_KEY_BYTES);
  return {
    id: createHash('sha256').update(raw).digest('hex'),
    publicKey: raw.toString('base64url'),
    key,
  };
}

/** The proof in `connect`: version 3 of the signed text, with an empty device family. */
export function proofOf(device: DeviceIdentity, { nonce, ts }: Challenge, signed: Signed) {
  const { clientId, mode, role, scopes, token, platform } = signed;
  const text = ['v3', device.id, clientId, mode, role, scopes.join(','), ts, token ?? '', nonce, platform, '']
    .map(String)
    .join('|');
  const signature = sign(null, Buffer.from(text), device.key).toString('base64url');
  return { id: device.id, publicKey: device.publicKey, signature, signedAt: ts, nonce };
}
