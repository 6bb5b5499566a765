// Chooses UDP or TCP for one device: falls back to TCP where UDP delivers nothing or nothing whole.
import type { RtspSession, RtspSessionOptions } from '@vedette/protocols/rtsp/client.ts';

/** A device that sends at all sends its first packet within this time. */
const SILENT_AFTER_MS = 3000;
/** As long as a device may be silent: frames that are all incomplete are no better. */
const TORN_AFTER_MS = 8000;

/** Result of a session so far. */
export interface Delivery {
  readonly pictures: number;
  readonly lostPackets: number;
}

export class TransportChoice {
  #avoidsUdp = false;
  #changed = false;
  /** The checked session: since when its number of frames is unchanged, and its losses by then. */
  #watched: (Delivery & { readonly session: RtspSession; readonly sinceMs: number }) | null = null;

  /** For the next session; empty: as the URL and the device decide. */
  wanted(): Pick<RtspSessionOptions, 'transport'> {
    return this.#avoidsUdp ? { transport: 'tcp-only' } : {};
  }

  /** Whether nothing arrived over UDP, `playingMs` after PLAY; the next session then requests TCP. */
  isSilent(session: RtspSession, playingMs: number): boolean {
    if (session.transport !== 'udp' || playingMs < SILENT_AFTER_MS) return false;
    if (session.tracks.some((track) => track.counters.packets > 0)) return false;
    this.#leaveUdp();
    return true;
  }

  /**
   * Whether UDP lost packets and no complete frame arrived for so long, checked periodically; the next session then
   * requests TCP. A keyframe has many packets: with a fifth of them lost, hardly one arrives complete.
   */
  isTorn(session: RtspSession, { pictures, lostPackets }: Delivery, now: number): boolean {
    if (session.transport !== 'udp') return false;
    if (session !== this.#watched?.session || pictures !== this.#watched.pictures)
      this.#watched = { session, pictures, lostPackets, sinceMs: now };
    const { sinceMs, lostPackets: lostBefore } = this.#watched;
    if (now - sinceMs < TORN_AFTER_MS || lostPackets === lostBefore) return false;
    this.#leaveUdp();
    return true;
  }

  /** True once after a change: reconnect at once. */
  takeChange(): boolean {
    const changed = this.#changed;
    this.#changed = false;
    return changed;
  }

  /** The device refused the transport: if it supports no TCP either, UDP is tried after the usual delay. */
  refused(): void {
    this.#avoidsUdp = false;
  }

  #leaveUdp(): void {
    this.#avoidsUdp = true;
    this.#changed = true;
  }
}
