// Trust on first use: refuses a device whose certificate changed, or that asks for a plain password after digest.
import type { SchemeMemory } from '@vedette/protocols/rtsp/authentication.ts';
import { DeviceFault } from './device-fault.ts';
import type { DeviceNative } from './driver.ts';

export type TrustBreach = 'certificate' | 'weakerLine';

/** Where it stands in the address record, beside what the driver keeps there. */
const RECORD = 'trust';

export interface DeviceTrustOptions {
  readonly onBreach?: (breach: TrustBreach) => void;
  /** What it showed since it was added, from `record` of then. */
  readonly earlier?: DeviceNative | null;
  /** `record` says more than before. */
  readonly onPinned?: () => void;
}

export class DeviceTrust implements SchemeMemory {
  /** SHA-256 of the certificate, by `host:port` as dialled. */
  readonly #certificates: Map<string, string>;
  readonly #options: DeviceTrustOptions;
  readonly #watchers = new Set<() => void>();
  #hadDigest: boolean;

  /** @param native of a device that was added; null learns anew. */
  constructor(native: DeviceNative | null, options: DeviceTrustOptions = {}) {
    const [added, since] = [recordOf(native), recordOf(options.earlier ?? null)];
    this.#hadDigest = added.hadDigest || since.hadDigest;
    // What it showed when it was added counts.
    this.#certificates = new Map([...since.certificates, ...added.certificates]);
    this.#options = options;
  }

  get hadDigest(): boolean {
    return this.#hadDigest;
  }

  set hadDigest(hadDigest: boolean) {
    const isNew = hadDigest && !this.#hadDigest;
    this.#hadDigest = hadDigest;
    if (isNew) this.#tell();
  }

  /** The first certificate of a place is taken, and from then on no other. Throws DeviceFault `untrusted`. */
  readonly checkCertificate = (host: string, port: number, fingerprint: string): void => {
    const place = `${host.toLowerCase()}:${port}`;
    const known = this.#certificates.get(place);
    if (known === fingerprint) return;
    if (known === undefined) {
      this.#certificates.set(place, fingerprint);
      this.#tell();
      return;
    }
    this.#options.onBreach?.('certificate');
    throw new DeviceFault('untrusted', 'the certificate is not the one of when the device was added', {
      fault: 'certificate changed',
    });
  };

  onWeaker(): void {
    this.breached('weakerLine');
  }

  /** Told by who met it elsewhere. */
  breached(breach: TrustBreach): void {
    this.#options.onBreach?.(breach);
  }

  /**
   * Takes in what the device showed where it was dialled beside here, from `record` of there. Of a place that showed each
   * of us another certificate, ours stays unless `isSettled`, and that is a breach.
   */
  learn(record: DeviceNative, isSettled = false): void {
    const { hadDigest, certificates } = recordOf(record);
    let isNew = hadDigest && !this.#hadDigest;
    this.#hadDigest ||= hadDigest;
    for (const [place, fingerprint] of certificates) {
      const known = this.#certificates.get(place);
      if (known === fingerprint) continue;
      if (known === undefined || isSettled) this.#certificates.set(place, fingerprint);
      else this.breached('certificate');
      isNew = true;
    }
    if (isNew) this.#tell();
  }

  /** Called whenever `record` says more; the answer ends it. */
  watch(run: () => void): () => void {
    this.#watchers.add(run);
    return () => this.#watchers.delete(run);
  }

  /** For the address record. `lookedMs` tells one look at a device from the next, also where both showed the same. */
  record(lookedMs?: number): DeviceNative {
    const certificates = Object.fromEntries(this.#certificates);
    return { [RECORD]: { hadDigest: this.#hadDigest, certificates, ...(lookedMs !== undefined && { lookedMs }) } };
  }

  #tell(): void {
    this.#options.onPinned?.();
    for (const run of this.#watchers) run();
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
