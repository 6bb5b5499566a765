// The signed statement that goes with an export: what was recorded where and when, what is missing, and the hash of every file.
import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign, verify } from 'node:crypto';
import type { ExportedFile, ExportGap, ExportOrder } from '@vedette/contract/site/site-export.ts';

/** RFC 8410: an Ed25519 private key is this prefix and 32 bytes of seed. */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

export interface ManifestFacts {
  readonly order: ExportOrder;
  readonly finishedAt: number;
  readonly files: readonly ExportedFile[];
  readonly gaps: readonly ExportGap[];
}

/** Signs for this installation; anybody can verify with the public key. */
export class ManifestSigner {
  readonly #key: KeyObject;

  /** Derived from the master key, so that one installation always signs with the same key. */
  constructor(masterKey: Buffer) {
    const seed = Buffer.from(hkdfSync('sha256', masterKey, '', 'vedette-export/signature', 32));
    this.#key = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, seed]), format: 'der', type: 'pkcs8' });
  }

  get publicKey(): string {
    return createPublicKey(this.#key).export({ format: 'pem', type: 'spki' }).toString();
  }

  /** Two fields: `manifest`, and `signature` over the text of `manifest` as JSON.stringify writes it without spaces. */
  write(facts: ManifestFacts): Buffer {
    const manifest = describe(facts);
    const value = sign(null, Buffer.from(JSON.stringify(manifest)), this.#key).toString('base64');
    const signature = { algorithm: 'Ed25519', publicKey: this.publicKey, value };
    return Buffer.from(`${JSON.stringify({ manifest, signature }, null, 2)}\n`);
  }
}

/** True if the text was signed by the key it names. The reader must compare that key with the installation's. */
export function isManifestIntact(text: string): boolean {
  const { manifest, signature } = JSON.parse(text) as {
    manifest: unknown;
    signature: { publicKey: string; value: string };
  };
  const bytes = Buffer.from(JSON.stringify(manifest));
  return verify(null, bytes, createPublicKey(signature.publicKey), Buffer.from(signature.value, 'base64'));
}

function describe({ order, finishedAt, files, gaps }: ManifestFacts) {
  return {
    product: 'Vedette',
    version: order.version,
    commit: order.commit,
    task: order.taskId,
    requestedBy: order.requestedBy,
    requestedAt: utc(order.createdAt),
    finishedAt: utc(finishedAt),
    items: order.items.map((item, index) => ({
      deviceSerial: item.deviceSerial,
      deviceName: item.deviceName,
      channelNo: item.channelNo,
      channelName: item.channelName,
      quality: item.quality,
      startTime: utc(item.startTime),
      endTime: utc(item.endTime),
      // The frames are encoded anew where something is burnt into them.
      ...(item.burnInZone ? { burnIn: { timeZone: item.burnInZone } } : {}),
      files: files.filter((file) => file.item === index).map(describeFile),
      gaps: gaps
        .filter((gap) => gap.item === index)
        .map(({ startTime, endTime }) => ({ startTime: utc(startTime), endTime: utc(endTime) })),
    })),
  };
}

function describeFile({ name, bytes, sha256, startTime, endTime, pictures }: ExportedFile) {
  return { name, bytes, sha256, startTime: utc(startTime), endTime: utc(endTime), pictures };
}

function utc(ms: number): string {
  return new Date(ms).toISOString();
}
