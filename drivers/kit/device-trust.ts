// Trust on first use: refuses a device whose certificate changed, or that asks for a plain password after digest.
import type { SchemeMemory } from '@vedette/protocols/rtsp/authentication.ts';
import { DeviceFault } from './device-fault.ts';
import type { DeviceNative } from './driver.ts';

export type TrustBreach = 'certificate' | 'weakerLine';

/** Key of this record within the address record. */
const RECORD = 'trust';

export interface DeviceTrustOptions {
  readonly onBreach?: (breach: TrustBreach) => void;
  /** Pins since the device was added, on top of `record`. */
  readonly earlier?: DeviceNative | null;
  /** `record` has a new pin. */
  readonly onPinned?: () => void;
}

export class DeviceTrust implements SchemeMemory {
  /** SHA-256 of the certificate, by dialled `host:port`. */
  readonly #certificates: Map<string, string>;
  readonly #options: DeviceTrustOptions;
  readonly #watchers = new Set<() => void>();
  #hadDigest: boolean;

  /** @param native of an added device; null pins anew. */
  constructor(native: DeviceNative | null, options: DeviceTrustOptions = {}) {
    const [added, since] = [recordOf(native), recordOf(options.earlier ?? null)];
    this.#hadDigest = added.hadDigest || since.hadDigest;
    // Pins of the address record take precedence.
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

  /** Pins the first certificate of an endpoint and refuses others with DeviceFault `untrusted`. */
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

  /** Reported by another part that saw it. */
  breached(breach: TrustBreach): void {
    this.#options.onBreach?.(breach);
  }

  /**
   * Merges pins from another `record` of the same device. For an endpoint with two different certificates ours stays,
   * unless `isSettled`, and that is a breach.
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

  /** Called for each new pin; call the result to stop. */
  watch(run: () => void): () => void {
    this.#watchers.add(run);
    return () => this.#watchers.delete(run);
  }

  /** For the address record. `lookedMs` distinguishes two probes with equal pins. */
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
