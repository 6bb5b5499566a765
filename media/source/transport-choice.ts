// Remembers how the media of one device come through: a line that lets no UDP pass is asked for TCP from then on.
import type { RtspSession, RtspSessionOptions } from '@vedette/protocols/rtsp/client.ts';

/** The first packet of a device that sends at all comes within this. */
const SILENT_AFTER_MS = 3000;

export class TransportChoice {
  #avoidsUdp = false;
  #changed = false;

  /** For the next session; empty where the URL and the device decide. */
  wanted(): Pick<RtspSessionOptions, 'transport'> {
    return this.#avoidsUdp ? { transport: 'tcp-only' } : {};
  }

  /** Whether nothing ever came over UDP, `playingMs` after PLAY was answered; the next session then asks for TCP. */
  isSilent(session: RtspSession, playingMs: number): boolean {
    if (session.transport !== 'udp' || playingMs < SILENT_AFTER_MS) return false;
    if (session.tracks.some((track) => track.counters.packets > 0)) return false;
    this.#avoidsUdp = true;
    this.#changed = true;
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
}
