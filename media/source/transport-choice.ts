// Chooses UDP or TCP for one device: falls back to TCP where UDP delivers nothing or nothing whole.
import type { RtspSession, RtspSessionOptions } from '@vedette/protocols/rtsp/client.ts';

/** The first packet of a device that sends at all comes within this. */
const SILENT_AFTER_MS = 3000;
/** As long as a device may be silent: pictures of which none comes whole are no better. */
const TORN_AFTER_MS = 8000;

/** What came of a session so far. */
export interface Delivery {
  readonly pictures: number;
  readonly lostPackets: number;
}

export class TransportChoice {
  #avoidsUdp = false;
  #changed = false;
  /** The session that was looked at last, since when it has brought the same number of pictures, and what it had lost by then. */
  #watched: (Delivery & { readonly session: RtspSession; readonly sinceMs: number }) | null = null;

  /** For the next session; empty where the URL and the device decide. */
  wanted(): Pick<RtspSessionOptions, 'transport'> {
    return this.#avoidsUdp ? { transport: 'tcp-only' } : {};
  }

  /** Whether nothing ever came over UDP, `playingMs` after PLAY was answered; the next session then asks for TCP. */
  isSilent(session: RtspSession, playingMs: number): boolean {
    if (session.transport !== 'udp' || playingMs < SILENT_AFTER_MS) return false;
    if (session.tracks.some((track) => track.counters.packets > 0)) return false;
    this.#leaveUdp();
    return true;
  }

  /**
   * Whether packets were lost over UDP and no picture came whole for so long, looked at now and then; the next session then asks for TCP. A
   * keyframe is many packets: of a line that loses a fifth of them one in fifty comes whole, however often it is asked for.
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

  /** Once after a change: the other way is worth a try at once. */
  takeChange(): boolean {
    const changed = this.#changed;
    this.#changed = false;
    return changed;
  }

  /** The device refused what was asked of it: where it gives no TCP either, UDP is tried again after the usual wait. */
  refused(): void {
    this.#avoidsUdp = false;
  }

  #leaveUdp(): void {
    this.#avoidsUdp = true;
    this.#changed = true;
  }
}
