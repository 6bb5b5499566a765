// What a stream is pushed by, as its address says: RTMP, WHIP or SRT.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { checkAddress, type NetworkPolicy } from '@vedette/foundation/network/network-policy.ts';
import { random32, randomBytes } from '@vedette/foundation/random/random-numbers.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { StartFfmpeg } from '@vedette/media/codec/ffmpeg-process.ts';
import type { PushOutlet } from '@vedette/media/push/push-outlet.ts';
import { RtmpOutlet } from '@vedette/media/push/rtmp-outlet.ts';
import { SrtOutlet } from '@vedette/media/push/srt-outlet.ts';
import { WhipHttp } from '@vedette/media/push/whip-http.ts';
import { WhipOutlet } from '@vedette/media/push/whip-outlet.ts';
import type { RtcWorker } from '@vedette/media/whep/rtc-worker.ts';
import { parsePublishAddress } from '@vedette/protocols/rtmp/publish-address.ts';
import { RtmpPublisher } from '@vedette/protocols/rtmp/publisher.ts';
import { RtmpError } from '@vedette/protocols/rtmp/rtmp-error.ts';
import { parseSrtAddress } from '@vedette/rules/cdn/srt-address.ts';
import { CallRefusal } from '../core/call-refusal.ts';
import { pushAddress, pushDial } from './push-dial.ts';

export interface PushOutletsOptions {
  readonly clock: Clock;
  readonly policy: () => NetworkPolicy;
  readonly worker: Pick<RtcWorker, 'offer'>;
  /** Null without ffmpeg. */
  readonly ffmpeg: StartFfmpeg | null;
}

export interface PushTarget {
  readonly url: string;
  /** The token of WHIP or the passphrase of SRT. */
  readonly secret?: string | undefined;
}

export interface ChosenOutlet {
  readonly outlet: PushOutlet;
  /** G.711 goes as it is; elsewhere it becomes AAC. */
  readonly takesG711: boolean;
  /** Connects and sends no media. Rejects with what `pushReasonOf` knows. */
  readonly probe: (signal: AbortSignal) => Promise<void>;
}

/** Together with four answers within the ten seconds of a call. */
const PROBE_DIAL_MS = 4000;
const PROBE_ANSWER_MS = 1500;

export class PushOutlets {
  readonly #options: PushOutletsOptions;
  readonly #dial: ReturnType<typeof pushDial>;
  readonly #resolve: ReturnType<typeof pushAddress>;

  constructor(options: PushOutletsOptions) {
    this.#options = options;
    this.#dial = pushDial(options.policy);
    this.#resolve = pushAddress(options.policy);
  }

  /** Throws 1003 for an address of nothing that we push by. */
  of({ url, secret = '' }: PushTarget): ChosenOutlet {
    if (/^https?:/u.test(url)) return this.#whip(url, secret);
    return url.startsWith('srt:') ? this.#srt(url, secret) : this.#rtmp(url);
  }

  #rtmp(url: string): ChosenOutlet {
    const { clock } = this.#options;
    const address = orRefuse(() => parsePublishAddress(url));
    const outlet = new RtmpOutlet({ clock, address, dial: this.#dial, randomBytes });
    const probe = async (signal: AbortSignal): Promise<void> => {
      const socket = await this.#dial(address, AbortSignal.any([signal, AbortSignal.timeout(PROBE_DIAL_MS)]));
      const options = { clock, randomBytes, answerWithinMs: PROBE_ANSWER_MS, onClosed: () => undefined };
      (await RtmpPublisher.open(socket, address, options)).finish();
    };
    return { outlet, takesG711: false, probe };
  }

  #whip(url: string, token: string): ChosenOutlet {
    const { clock, worker, policy } = this.#options;
    if (!URL.canParse(url)) throw refusal();
    const http = new WhipHttp({ endpoint: new URL(url), token, dial: this.#dial });
    const allows = (address: string, port: number): boolean => checkAddress(address, port, policy()) === 'allowed';
    const outlet = new WhipOutlet({ clock, worker, http, random32, allows });
    return { outlet, takesG711: true, probe: (signal) => outlet.probe(signal) };
  }

  #srt(url: string, passphrase: string): ChosenOutlet {
    const { clock, ffmpeg: start } = this.#options;
    const address = parseSrtAddress(url);
    if (address === null) throw refusal();
    const outlet = new SrtOutlet({ clock, address, passphrase, resolve: this.#resolve, start });
    return { outlet, takesG711: false, probe: (signal) => outlet.probe(signal) };
  }
}

function orRefuse<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof RtmpError) throw refusal();
    throw error;
  }
}

function refusal(): CallRefusal {
  return new CallRefusal(ERROR_CODES.paramInvalid, { url: 'format' });
}
