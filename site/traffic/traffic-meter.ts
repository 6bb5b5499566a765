// Counts the media of each channel, received from devices and remote sites and sent to viewers, and reports it through the spool.
import type { SiteEvent, TicketGrant } from '@vedette/contract/site/site.ts';
import { TRAFFIC_AMOUNTS_MAX, type TrafficAmount, type TrafficDirection } from '@vedette/contract/site/site-traffic.ts';
import { newTimedId } from '@vedette/foundation/random/ids.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { MINUTE_MS } from '@vedette/foundation/units/durations.ts';
import type { StreamHub } from '@vedette/media/stream/hub.ts';
import type { SharedStream } from '@vedette/media/stream/shared-stream.ts';
import { parseStreamKey } from '../core/stream-key.ts';

const REPORT_EVERY_MS = MINUTE_MS;
/** With so many events waiting for the server the counting goes on, so that traffic does not push alarms out of the spool. */
const WAITING_MAX = 1000;

export interface TrafficMeterOptions {
  readonly clock: Clock;
  readonly hub: Pick<StreamHub, 'streams'>;
  /** Its media comes from a device of this site, not from a remote site. */
  readonly isOwn: (deviceSerial: string) => boolean;
  readonly spool: { readonly pending: () => readonly unknown[]; readonly add: (event: SiteEvent) => void };
}

interface Counted {
  readonly channelNo: number;
  readonly direction: TrafficDirection;
  readonly userId: string;
  bytes: number;
  minutes?: number;
  cdnBytes?: number;
  cdnMinutes?: number;
}

export class TrafficMeter {
  readonly #options: TrafficMeterOptions;
  /** By device, then by channel, direction and viewer. */
  readonly #counted = new Map<string, Map<string, Counted>>();
  /** What each open source had received when it was looked at last. */
  readonly #received = new WeakMap<SharedStream, number>();
  /** In which minute each viewer was sent something last, by device, channel and viewer; streams to CDNs also on their own. */
  readonly #sentMinutes = new Map<string, number>();
  #cancel: () => void = () => undefined;

  constructor(options: TrafficMeterOptions) {
    this.#options = options;
  }

  start(): void {
    this.#cancel = this.#options.clock.after(REPORT_EVERY_MS, () => {
      if (this.#options.spool.pending().length < WAITING_MAX) this.report();
      this.start();
    });
  }

  /** Before the spool is closed: what is not reported is lost. */
  close(): void {
    this.#cancel();
    this.report();
  }

  sent({ deviceSerial, channelNo, userId, kind }: TicketGrant, bytes: number): void {
    const counted = this.#add(deviceSerial, { channelNo, direction: 'out', userId }, bytes);
    if (counted === null) return;
    const viewing = `${deviceSerial} ${channelNo} ${userId}`;
    if (this.#begins(viewing)) counted.minutes = (counted.minutes ?? 0) + 1;
    if (kind !== 'push') return;
    counted.cdnBytes = (counted.cdnBytes ?? 0) + bytes;
    if (this.#begins(`cdn ${viewing}`)) counted.cdnMinutes = (counted.cdnMinutes ?? 0) + 1;
  }

  /** Whether it is the first that is sent in the present minute. */
  #begins(viewing: string): boolean {
    const minute = this.#minute();
    if (this.#sentMinutes.get(viewing) === minute) return false;
    this.#sentMinutes.set(viewing, minute);
    return true;
  }

  /** Of a stream that is about to close, or that goes on. */
  readonly look = (stream: SharedStream): void => {
    const place = parseStreamKey(stream.key);
    if (place === null) return;
    const { bytes } = stream.counters().source;
    const before = this.#received.get(stream) ?? 0;
    this.#received.set(stream, bytes);
    const { deviceSerial, channelNo } = place;
    const direction = this.#options.isOwn(deviceSerial) ? 'in' : 'relay';
    // A replaced source begins at zero.
    this.#add(deviceSerial, { channelNo, direction, userId: '' }, bytes < before ? bytes : bytes - before);
  };

  report(): void {
    const { hub, clock, spool } = this.#options;
    for (const stream of hub.streams()) this.look(stream);
    const at = clock.wallMs();
    for (const [deviceSerial, counted] of this.#counted) {
      const amounts: TrafficAmount[] = [...counted.values()];
      for (let from = 0; from < amounts.length; from += TRAFFIC_AMOUNTS_MAX) {
        const part = amounts.slice(from, from + TRAFFIC_AMOUNTS_MAX);
        spool.add({ kind: 'traffic', deviceSerial, eventId: newTimedId(at), at, amounts: part });
      }
    }
    this.#counted.clear();
    // The current minute may go on.
    for (const [viewing, minute] of this.#sentMinutes) if (minute !== this.#minute()) this.#sentMinutes.delete(viewing);
  }

  /** By the clock that is never set. */
  #minute(): number {
    return Math.floor(this.#options.clock.monotonicMs() / MINUTE_MS);
  }

  #add(
    deviceSerial: string,
    amount: Pick<Counted, 'channelNo' | 'direction' | 'userId'>,
    bytes: number,
  ): Counted | null {
    if (bytes <= 0) return null;
    const ofDevice = this.#counted.get(deviceSerial) ?? new Map<string, Counted>();
    this.#counted.set(deviceSerial, ofDevice);
    const key = `${amount.channelNo} ${amount.direction} ${amount.userId}`;
    const counted = ofDevice.get(key) ?? { ...amount, bytes: 0 };
    ofDevice.set(key, counted);
    counted.bytes += bytes;
    return counted;
  }
}
