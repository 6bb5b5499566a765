// What a device showed of itself when it was added: a certificate that changed, or a bare password asked for after a digest, is refused.
import type { SchemeMemory } from '@vedette/protocols/rtsp/authentication.ts';
import { DeviceFault } from './device-fault.ts';
import type { DeviceNative } from './driver.ts';

export type TrustBreach = 'certificate' | 'weakerLine';

/** Where it stands in the address record, beside what the driver keeps there. */
const RECORD = 'trust';

export class DeviceTrust implements SchemeMemory {
  hadDigest: boolean;
  /** SHA-256 of the certificate, by `host:port` as dialled. */
  readonly #certificates: Map<string, string>;
  readonly #onBreach: (breach: TrustBreach) => void;

  /** @param native of a device that was added; null learns anew. */
  constructor(native: DeviceNative | null, onBreach: (breach: TrustBreach) => void = () => undefined) {
    const { hadDigest, certificates } = recordOf(native);
    this.hadDigest = hadDigest;
    this.#certificates = new Map(certificates);
    this.#onBreach = onBreach;
  }

  /** The first certificate of a place is taken, and from then on no other. Throws DeviceFault `untrusted`. */
  readonly judgeCertificate = (host: string, port: number, fingerprint: string): void => {
    const place = `${host.toLowerCase()}:${port}`;
    const known = this.#certificates.get(place);
    if (known === undefined) this.#certificates.set(place, fingerprint);
    if (known === undefined || known === fingerprint) return;
    this.#onBreach('certificate');
    throw new DeviceFault('untrusted', 'the certificate is not the one of when the device was added', {
      fault: 'certificate changed',
    });
  };

  onWeaker(): void {
    this.#onBreach('weakerLine');
  }

  /** For the address record; empty where nothing was learnt. */
  record(): DeviceNative {
    const certificates = Object.fromEntries(this.#certificates);
    const hasAny = this.hadDigest || this.#certificates.size > 0;
    return hasAny ? { [RECORD]: { hadDigest: this.hadDigest, certificates } } : {};
  }
}

function recordOf(native: DeviceNative | null): { hadDigest: boolean; certificates: [string, string][] } {
  const record = native?.[RECORD];
  if (typeof record !== 'object' || record === null) return { hadDigest: false, certificates: [] };
  const { hadDigest, certificates } = record as Readonly<Record<string, unknown>>;
  const pairs = typeof certificates === 'object' && certificates !== null ? Object.entries(certificates) : [];
  return {
    hadDigest: hadDigest === true,
    certificates: pairs.flatMap(([place, print]): [string, string][] =>
      typeof print === 'string' ? [[place, print]] : [],
    ),
  };
}
