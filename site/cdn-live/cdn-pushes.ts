// The site's streams for CDNs, pushed to them or fetched by them: each rests on a ticket and ends with it; those that ended by themselves are told for an hour.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { SITE_ANSWER_LIMITS } from '@vedette/contract/site/site-answer-parts.ts';
import type { SiteCalls } from '@vedette/contract/site/site.ts';
import type { CdnCalls, SitePush } from '@vedette/contract/site/site-cdn.ts';
import { randomFraction } from '@vedette/foundation/random/random-numbers.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { OriginLive } from '@vedette/media/origin/origin-live.ts';
import { pushReasonOf } from '@vedette/media/push/push-fault.ts';
import { type PushStatus, StreamPusher } from '@vedette/media/push/stream-pusher.ts';
import type { AuthoriseRestream, RestreamGrant } from '@vedette/media/restream/restream-grant.ts';
import type { StreamHub } from '@vedette/media/stream/hub.ts';
import { CallRefusal } from '../core/call-refusal.ts';
import type { PushOutlets, PushTarget } from './push-outlets.ts';

export interface CdnPushesOptions {
  readonly hub: StreamHub;
  readonly clock: Clock;
  /** By whether G.711 may stay. */
  readonly authorise: { readonly playable: AuthoriseRestream; readonly asItIs: AuthoriseRestream };
  readonly outlets: PushOutlets;
}

/** A push, or a stream that is fetched from here. */
interface Sending {
  readonly status: PushStatus & Pick<SitePush, 'addressCount'>;
  stop(): Promise<void>;
}

interface RunOrder {
  readonly liveId: string;
  readonly ticket: string;
  readonly authorise: AuthoriseRestream;
}

interface Running {
  readonly sending: Sending;
  readonly streamKey: string;
  readonly onEnded: () => void;
}

/** Within the ten seconds of a call. */
const PROBE_MS = 9000;
const TOLD_FOR_MS = 3_600_000;

export class CdnPushes {
  readonly #options: CdnPushesOptions;
  readonly #running = new Map<string, Running>();
  /** By stream name. */
  readonly #origins = new Map<string, OriginLive>();
  /** By liveId, oldest first. */
  readonly #ended = new Map<string, SitePush>();

  constructor(options: CdnPushesOptions) {
    this.#options = options;
  }

  readonly calls: { [N in keyof CdnCalls]: (input: SiteCalls[N]['input']) => Promise<SiteCalls[N]['output']> } = {
    pushStart: async (input) => {
      this.#start(input);
      return {};
    },
    originStart: async (input) => {
      this.#serve(input);
      return {};
    },
    pushStop: async ({ liveId }) => {
      await this.#stop(liveId);
      this.#ended.delete(liveId);
      return {};
    },
    pushes: async () => ({ pushes: this.#list() }),
    pushProbe: async (target) => ({ reason: await this.#probe(target) }),
  };

  /** The stream that is fetched by this name. */
  readonly origin = (stream: string): OriginLive | null => this.#origins.get(stream) ?? null;

  endWhere(isOver: (streamKey: string) => boolean): void {
    for (const [liveId, { streamKey }] of this.#running) if (isOver(streamKey)) this.#end(liveId);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#running.keys()].map((liveId) => this.#stop(liveId)));
  }

  #start({ liveId, ticket, ...target }: CdnCalls['pushStart']['input']): void {
    const { authorise, outlets } = this.#options;
    const { outlet, takesG711 } = outlets.of(target);
    const order = { liveId, ticket, authorise: takesG711 ? authorise.asItIs : authorise.playable };
    this.#run(order, ({ streamKey, open, onSent = () => undefined }) => {
      const { hub, clock } = this.#options;
      return new StreamPusher({ hub, clock, streamKey, open, outlet, random: randomFraction, onSent });
    });
  }

  #serve({ liveId, ticket, stream, key }: CdnCalls['originStart']['input']): void {
    const order = { liveId, ticket, authorise: this.#options.authorise.playable };
    this.#run(order, ({ streamKey, open, onSent = () => undefined }) => {
      const { hub, clock } = this.#options;
      const origin = new OriginLive({ hub, clock, streamKey, open, key, onSent });
      this.#origins.set(stream, origin);
      origin.ended.addEventListener('abort', () => {
        if (this.#origins.get(stream) === origin) this.#origins.delete(stream);
      });
      return origin;
    });
  }

  #run({ liveId, ticket, authorise }: RunOrder, send: (grant: RestreamGrant) => Sending): void {
    if (this.#running.has(liveId)) return;
    const grant = authorise(ticket);
    if (!grant.allowed) throw new CallRefusal(ERROR_CODES.permissionDenied);
    const { streamKey, ended, onEnded } = grant;
    this.#running.set(liveId, { sending: send(grant), streamKey, onEnded });
    ended.addEventListener('abort', () => this.#end(liveId), { once: true });
    if (ended.aborted) this.#end(liveId);
  }

  /** Its right ended, or its device was removed. */
  #end(liveId: string): void {
    const running = this.#running.get(liveId);
    if (running === undefined) return;
    const { bitsPerSecond: _rate, ...status } = running.sending.status;
    const since = this.#options.clock.wallMs();
    this.#ended.set(liveId, { liveId, ...status, state: 'stopped', since, reason: 'rightEnded', bitsPerSecond: 0 });
    void this.#stop(liveId);
  }

  async #stop(liveId: string): Promise<void> {
    const running = this.#running.get(liveId);
    this.#running.delete(liveId);
    running?.onEnded();
    await running?.sending.stop();
  }

  #list(): SitePush[] {
    const oldest = this.#options.clock.wallMs() - TOLD_FOR_MS;
    for (const [liveId, { since }] of this.#ended) if (since < oldest) this.#ended.delete(liveId);
    const running = [...this.#running].map(([liveId, { sending }]) => ({ liveId, ...sending.status }));
    return [...running, ...this.#ended.values()].slice(0, SITE_ANSWER_LIMITS.streams);
  }

  async #probe(target: PushTarget): Promise<CdnCalls['pushProbe']['output']['reason']> {
    const { probe } = this.#options.outlets.of(target);
    try {
      await probe(AbortSignal.timeout(PROBE_MS));
      return null;
    } catch (error) {
      return pushReasonOf(error);
    }
  }
}
