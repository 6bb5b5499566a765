// One page's /media/live socket: subscriptions, requests, and writing of shared payloads.
import type { Duplex } from 'node:stream';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { CLOSE_CODE, type LiveNotice, type LiveRequest } from '@vedette/contract/media-wire.ts';
import type { RawData, WebSocket } from 'ws';
import { writeAtOnce } from '@vedette/protocols/sockets/at-once.ts';
import type { ConnectionSlot } from '@vedette/rules/admission/connection-slots.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { UNAUTHENTICATED_MAX_BYTES } from '../endpoint/connection-limiter.ts';
import type { StreamHub, StreamLease } from '../stream/hub.ts';
import type { LiveFragment } from '../stream/live-fragment.ts';
import { framed, wireKindOf, writeFrameHeader } from './frame-header.ts';
import type { AuthoriseLive, LiveGrant, LiveRefusal } from './live-grant.ts';
import { readLiveRequest } from './live-request.ts';
import { type LiveCounters, type LiveOutlet, LiveSubscription, START_LIMIT_BYTES } from './live-subscription.ts';

export interface LiveConnectionOptions {
  readonly webSocket: WebSocket;
  /** The socket under the WebSocket; media frames are written to it directly. */
  readonly socket: Duplex;
  /** Connection slot, held from the first ticket on. */
  readonly place: ConnectionSlot;
  /** Origin of its page where that is not ours. */
  readonly foreignOrigin: string | null;
  readonly hub: StreamHub;
  readonly clock: Clock;
  readonly authorise: AuthoriseLive;
  readonly counters: LiveCounters;
  readonly onFailure: (error: unknown) => void;
}

const MAX_SUBSCRIPTIONS = 128;
const MAX_REFUSALS = 20;
const CHECK_EVERY_MS = 1000;
const PING_EVERY_CHECKS = 15;
/** A socket without subscriptions is closed after this time: its rights are unknown. Pages close theirs sooner. */
const IDLE_CHECKS_MAX = 30;
/** Only a client that does not read its answers reaches this; media alone stays far below. */
const QUEUE_MAX_BYTES = 16 * 1024 * 1024;
/** Overhead of a client's frame (RFC 6455 5.2). */
const FRAME_HEAD_BYTES = 6;

interface Held {
  readonly subscription: LiveSubscription;
  readonly lease: StreamLease;
}

export class LiveConnection implements LiveOutlet {
  readonly #options: LiveConnectionOptions;
  readonly #held = new Map<number, Held>();
  /** Ids whose ticket is being checked; a changed value means that the page unsubscribed. */
  readonly #asking = new Map<number, symbol>();
  #refusals = 0;
  #isKnown = false;
  /** Bytes received before its first ticket was accepted. */
  #strangeBytes = 0;
  #closed = false;
  #checks = 0;
  #idleChecks = 0;
  #alive = true;
  #cancelCheck: () => void;

  constructor(options: LiveConnectionOptions) {
    this.#options = options;
    const { webSocket, socket } = options;
    webSocket.on('message', (data, isBinary) => this.#message(data, isBinary));
    webSocket.on('close', () => this.#end());
    webSocket.on('error', () => webSocket.terminate());
    webSocket.on('ping', (data) => {
      this.#refuseFlood();
      this.#boundUnauthenticated(data);
    });
    webSocket.on('pong', (data) => {
      this.#alive = true;
      this.#boundUnauthenticated(data);
    });
    socket.on('drain', () => this.#startWaiting());
    this.#cancelCheck = options.clock.after(CHECK_EVERY_MS, () => this.#check());
  }

  get subscriptions(): number {
    return this.#held.size;
  }

  /** Ends matching subscriptions; returns how many. */
  endWhere(test: (grant: LiveGrant) => boolean, code: number, reason?: string): number {
    const ended = [...this.#held.values()].filter(({ subscription }) => test(subscription.grant));
    for (const { subscription } of ended) this.#release(subscription.id, code, reason);
    return ended.length;
  }

  close(code: number): void {
    this.#options.webSocket.close(code);
    this.#end();
  }

  notify(notice: LiveNotice): void {
    if (!this.#closed) this.#options.webSocket.send(JSON.stringify(notice));
  }

  init(kind: 'videoInit' | 'audioInit', id: number, wallMs: number, payload: Buffer): void {
    const head = writeFrameHeader(kind, id, { bytes: payload, isKey: false, wallMs });
    if (this.#isOpen) writeAtOnce(this.#options.socket, [head, payload]);
  }

  fragment(id: number, fragment: LiveFragment): void {
    if (!this.#isOpen) return;
    const whole = framed(fragment, id);
    const pieces = whole ? [whole] : [writeFrameHeader(wireKindOf(fragment), id, fragment), fragment.bytes];
    writeAtOnce(this.#options.socket, pieces, fragment.unit.slab);
  }

  queuedBytes(): number {
    return this.#options.socket.writableLength;
  }

  together(run: () => void): void {
    this.#options.socket.cork();
    run();
    this.#options.socket.uncork();
  }

  get #isOpen(): boolean {
    return !this.#closed && !this.#options.socket.destroyed;
  }

  #message(data: RawData, isBinary: boolean): void {
    this.#refuseFlood();
    this.#boundUnauthenticated(data as Buffer);
    if (this.#closed) return;
    const request = isBinary ? null : readLiveRequest(data.toString());
    if (!request) {
      this.#options.counters.badMessages += 1;
      this.close(CLOSE_CODE.badMessage);
      return;
    }
    this.#serve(request);
  }

  #refuseFlood(): void {
    if (this.queuedBytes() <= QUEUE_MAX_BYTES) return;
    this.#options.webSocket.terminate();
    this.#end();
  }

  /** Further messages are accepted while a ticket is checked. */
  #boundUnauthenticated(data: Buffer): void {
    if (this.#isKnown) return;
    this.#strangeBytes += FRAME_HEAD_BYTES + data.length;
    if (this.#strangeBytes <= UNAUTHENTICATED_MAX_BYTES || this.#asking.size > 0) return;
    this.#options.webSocket.terminate();
    this.#end();
  }

  #serve(request: LiveRequest): void {
    switch (request.type) {
      case 'subscribe':
        void this.#subscribe(request).catch((error: unknown) => {
          this.#options.onFailure(error);
          this.close(1011);
        });
        break;
      case 'unsubscribe':
        this.#asking.delete(request.id);
        this.#release(request.id, null);
        break;
      case 'ping':
        // Sent only if the socket is not congested: late it is useless, and queued ones cost memory.
        if (this.queuedBytes() > START_LIMIT_BYTES) break;
        this.notify({ type: 'pong', at: request.at, now: this.#options.clock.wallMs() });
        break;
      default:
        this.#adjust(request);
    }
  }

  #adjust(request: Extract<LiveRequest, { type: 'listen' | 'follow' | 'pause' | 'resume' }>): void {
    const subscription = this.#held.get(request.id)?.subscription;
    if (request.type === 'listen') subscription?.listen(request.audio);
    else if (request.type === 'follow') subscription?.follow(request.tracks);
    else if (request.type === 'pause') subscription?.pause();
    else subscription?.resume();
  }

  async #subscribe(request: Extract<LiveRequest, { type: 'subscribe' }>): Promise<void> {
    const { id } = request;
    // A reused id belongs to the new ticket from here on.
    this.#release(id, null);
    if (this.#held.size + this.#asking.size >= MAX_SUBSCRIPTIONS) {
      this.close(CLOSE_CODE.tooManyTickets);
      return;
    }
    const turn = Symbol('subscribe');
    this.#asking.set(id, turn);
    const answer = await this.#options.authorise(request.ticket);
    const isWanted = !this.#closed && this.#asking.get(id) === turn;
    if (isWanted) this.#asking.delete(id);
    if (!answer.allowed) this.#refuse(id, isWanted, answer);
    else if (!this.#isForPage(answer)) {
      answer.onEnded?.();
      this.#refuse(id, isWanted, { allowed: false, code: ERROR_CODES.permissionDenied });
    } else if (isWanted) this.#welcome(id, answer, request.audio);
    else answer.onEnded?.();
  }

  /** A page of another origin uses what was given to it, and no ticket that it came by otherwise. */
  #isForPage({ pageOrigin }: LiveGrant): boolean {
    const { foreignOrigin } = this.#options;
    return foreignOrigin === null || foreignOrigin === pageOrigin;
  }

  /** The first ticket determines the owner of the connection slot; without a free one nothing is served. */
  #welcome(id: number, grant: LiveGrant, audio: boolean): void {
    const ended = grant.ended?.();
    if (ended) {
      grant.onEnded?.();
      this.#refuse(id, true, ended);
      return;
    }
    this.#isKnown ||= this.#options.place.assignTo(grant.holder);
    if (this.#isKnown) {
      this.#hold(id, grant, audio);
      return;
    }
    grant.onEnded?.();
    this.#refuse(id, true, { allowed: false, code: ERROR_CODES.serviceBusy });
    this.close(CLOSE_CODE.tooManyTickets);
  }

  #refuse(id: number, isWanted: boolean, { code, reason }: LiveRefusal): void {
    this.#options.counters.refused += 1;
    this.#refusals += 1;
    if (isWanted) this.notify({ type: 'end', id, code, ...(reason !== undefined && { reason }) });
    // Pages don't guess tickets: close.
    if (this.#refusals > MAX_REFUSALS) this.close(CLOSE_CODE.tooManyTickets);
  }

  #hold(id: number, grant: LiveGrant, audio: boolean): void {
    const { hub, counters } = this.#options;
    const lease = hub.acquire(grant.streamKey, grant.open, grant.lingerMs);
    const subscription = new LiveSubscription({ id, grant, outlet: this, counters, stream: lease.stream, audio });
    this.#held.set(id, { subscription, lease });
    counters.subscriptions += 1;
    subscription.attach();
    subscription.start();
  }

  #release(id: number, code: number | null, reason?: string): void {
    const held = this.#held.get(id);
    if (!held) return;
    this.#held.delete(id);
    held.subscription.detach();
    held.lease.release();
    held.subscription.grant.onEnded?.();
    if (code !== null) this.notify({ type: 'end', id, code, ...(reason !== undefined && { reason }) });
  }

  /** Starts tiles that waited for a free socket. */
  #startWaiting(): void {
    for (const { subscription } of this.#held.values()) subscription.start();
  }

  #check(): void {
    if (this.#closed) return;
    const { clock, webSocket } = this.#options;
    // The page has left: what still waits for it would only take up its line.
    if (webSocket.readyState === webSocket.CLOSING) webSocket.terminate();
    const wall = clock.wallMs();
    for (const { subscription } of this.#held.values()) {
      const { until } = subscription.grant;
      if (until && wall >= until.wallMs) this.#release(subscription.id, until.code);
      else subscription.check(clock.monotonicMs());
    }
    this.#idleChecks = this.#held.size + this.#asking.size > 0 ? 0 : this.#idleChecks + 1;
    if (this.#idleChecks > IDLE_CHECKS_MAX) this.close(CLOSE_CODE.unauthorised);
    this.#checks += 1;
    if (this.#checks % PING_EVERY_CHECKS === 0) {
      // No pong for two rounds: the page is gone, whatever TCP says.
      if (!this.#alive) webSocket.terminate();
      this.#alive = false;
      webSocket.ping();
    }
    if (!this.#closed) this.#cancelCheck = clock.after(CHECK_EVERY_MS, () => this.#check());
  }

  #end(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#cancelCheck();
    this.#asking.clear();
    for (const id of this.#held.keys()) this.#release(id, null);
  }
}
