// One page's /media/talk socket: its ticket, the back channel, the audio that it sends there or by WebRTC, and how it ends.
import { CLOSE_CODE } from '@vedette/contract/media-wire.ts';
import { ERROR_CODES, SUCCESS } from '@vedette/contract/errors.ts';
import { TALK_SILENCE_MS, type TalkNotice } from '@vedette/contract/talk-wire.ts';
import type { RawData, WebSocket } from 'ws';
import type { ConnectionSlot } from '@vedette/rules/admission/connection-slots.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { UNAUTHENTICATED_MAX_BYTES } from '../endpoint/connection-limiter.ts';
import type { RtcWorker } from '../whep/rtc-worker.ts';
import type { BackChannel } from './back-channel.ts';
import { DirectAudio } from './direct-audio.ts';
import type { TalkLock, TalkHolder } from './talk-lock.ts';
import { type AuthoriseTalk, type TalkGrant, TalkRefusal } from './talk-grant.ts';
import { TalkPacer } from './talk-pacer.ts';
import { readTalkRequest } from './talk-request.ts';

export interface TalkConnectionOptions {
  readonly webSocket: WebSocket;
  /** Connection slot, held from the ticket on. */
  readonly place: ConnectionSlot;
  /** Origin of its page where that is not ours. */
  readonly foreignOrigin: string | null;
  readonly clock: Clock;
  readonly lock: TalkLock;
  readonly authorise: AuthoriseTalk;
  readonly rtc: Pick<RtcWorker, 'receive' | 'peers'>;
  /** 32 random bits. */
  readonly seed: () => number;
  readonly onFailure: (error: unknown) => void;
}

const OPEN_WITHIN_MS = 5000;
const NORMAL = 1000;
/** Viewers and talkers by WebRTC; further talkers send through their socket. */
const RTC_PEERS_MAX = 100;

export class TalkConnection implements TalkHolder {
  readonly #options: TalkConnectionOptions;
  readonly #closing = new AbortController();
  #grant: TalkGrant | null = null;
  #backChannel: BackChannel | null = null;
  #pacer: TalkPacer | null = null;
  #direct: DirectAudio | null = null;
  #cancelLate: () => void;

  constructor(options: TalkConnectionOptions) {
    this.#options = options;
    const { webSocket, clock } = options;
    webSocket.on('message', (data, isBinary) => this.#message(data, isBinary));
    webSocket.on('close', () => this.#leave());
    webSocket.on('error', () => webSocket.terminate());
    this.#cancelLate = clock.after(OPEN_WITHIN_MS, () => this.end({ code: ERROR_CODES.tokenExpired }));
  }

  get userId(): string {
    return this.#grant?.userId ?? '';
  }

  get userName(): string {
    return this.#grant?.userName ?? '';
  }

  taken(): void {
    this.end({ code: ERROR_CODES.talkBusy, userName: this.userName });
  }

  /** Sends the reason, closes the socket and releases the talk lock. */
  end(why: Omit<Extract<TalkNotice, { type: 'end' }>, 'type'>, closeCode = NORMAL): void {
    if (this.#closing.signal.aborted) return;
    this.#notify({ type: 'end', ...why });
    this.#options.webSocket.close(closeCode);
    this.#leave();
  }

  #notify(notice: TalkNotice): void {
    const { webSocket } = this.#options;
    if (webSocket.readyState === webSocket.OPEN) webSocket.send(JSON.stringify(notice));
  }

  #message(data: RawData, isBinary: boolean): void {
    if (this.#closing.signal.aborted) return;
    if (isBinary && this.#grant) this.#socketAudio(data as Buffer);
    else if (isBinary || !this.#requested(data as Buffer))
      this.end({ code: ERROR_CODES.paramInvalid }, CLOSE_CODE.badMessage);
  }

  /** False for what may not be asked now. */
  #requested(data: Buffer): boolean {
    if (!this.#grant) {
      const request = data.length <= UNAUTHENTICATED_MAX_BYTES ? readTalkRequest(String(data)) : null;
      if (request?.type !== 'open') return false;
      this.#open(request.ticket);
      return true;
    }
    const request = readTalkRequest(String(data));
    if (request?.type !== 'offer' || !this.#backChannel || this.#direct) return false;
    this.#offered(request.sdp, this.#backChannel);
    return true;
  }

  /** The socket stays: it says how the talk ends, and carries the audio where there is no direct way. */
  #offered(offer: string, { codec }: BackChannel): void {
    const { rtc: worker, clock, onFailure } = this.#options;
    const onAnswer = (sdp: string | null): void => this.#notify({ type: 'answer', sdp });
    if (worker.peers >= RTC_PEERS_MAX) return onAnswer(null);
    const onAudio = (audio: Buffer): void => this.#audio(audio);
    this.#direct = new DirectAudio({ offer, codec, worker, clock, onAnswer, onAudio, onFailure });
  }

  /** What was still on its way when the direct way opened would be heard twice. */
  #socketAudio(sound: Buffer): void {
    if (!this.#direct?.isCarrying) this.#audio(sound);
  }

  /** Audio before the device is ready is dropped: it would delay everything after it. */
  #audio(sound: Buffer): void {
    if (!this.#pacer || this.#closing.signal.aborted) return;
    this.#pacer.push(sound);
    this.#expectAudio();
  }

  #expectAudio(): void {
    this.#cancelLate();
    this.#cancelLate = this.#options.clock.after(TALK_SILENCE_MS, () => this.end({ code: SUCCESS }));
  }

  #open(ticket: string): void {
    const grant = this.#options.authorise(ticket);
    if (!grant.allowed) {
      this.end({ code: grant.code });
      return;
    }
    const { foreignOrigin } = this.#options;
    if (foreignOrigin !== null && foreignOrigin !== grant.pageOrigin) {
      grant.onEnded();
      this.end({ code: ERROR_CODES.permissionDenied });
      return;
    }
    this.#grant = grant;
    this.#cancelLate();
    if (!this.#options.place.assignTo(grant.holder)) {
      this.end({ code: ERROR_CODES.serviceBusy });
      return;
    }
    const other = this.#options.lock.acquire(grant.deviceSerial, this);
    if (other) {
      this.end({ code: ERROR_CODES.talkBusy, userName: other.userName });
      return;
    }
    grant.ended.addEventListener('abort', () => this.end({ code: grant.endCode() }), { once: true });
    this.#connect(grant).catch((error: unknown) => {
      if (error instanceof TalkRefusal) this.#refused(error);
      else if (!this.#closing.signal.aborted) {
        this.#options.onFailure(error);
        this.end({ code: ERROR_CODES.serverInternalError });
      }
    });
  }

  async #connect(grant: TalkGrant): Promise<void> {
    const { signal } = this.#closing;
    const line = await grant.open((refusal) => this.#refused(refusal), signal);
    if (signal.aborted) {
      await line.close();
      return;
    }
    this.#backChannel = line;
    const { clock, seed } = this.#options;
    const { payloadType } = line;
    this.#pacer = new TalkPacer({ clock, payloadType, seed: seed(), send: (packet) => line.send(packet) });
    this.#notify({ type: 'ready', codec: line.codec });
    this.#expectAudio();
  }

  #refused({ code, reason }: TalkRefusal): void {
    this.end({ code, ...(reason !== null && { reason }) });
  }

  #leave(): void {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    this.#cancelLate();
    this.#pacer?.close();
    this.#direct?.close();
    this.#backChannel?.close().catch((error: unknown) => this.#options.onFailure(error));
    if (!this.#grant) return;
    this.#options.lock.release(this.#grant.deviceSerial, this);
    this.#grant.onEnded();
  }
}
