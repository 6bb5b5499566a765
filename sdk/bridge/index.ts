// What the package `@vedette/bridge` offers: one side of the bridge, the ways to the other side, and the registry of topics.
import { BRIDGE_VERSIONS as versions } from '@vedette/bridge/peer/handshake.ts';
import { BridgeRefusal } from '@vedette/bridge/messages/bridge-answer.ts';
import { Peer } from '@vedette/bridge/peer/peer.ts';
import { CS_TOPICS } from '@vedette/bridge/topics/cs-topics.ts';
import { WEB_TOPICS } from '@vedette/bridge/topics/web-topics.ts';
import { embedderTransport as openEmbedder } from '@vedette/bridge/transports/embedder-transport.ts';
import { pageTransport as findTransport, type ShellPage } from '@vedette/bridge/transports/page-transport.ts';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import type {
  BridgePeer,
  FramedWindow,
  PeerOptions,
  RefusalCode,
  TopicDescription,
  Transport,
} from './bridge-types.ts';
import { describeTopics } from './topic-descriptions.ts';
import type { CsTopics, WebTopics } from './topic-types.ts';

export type { AnswerOf, BridgePeer, FramedWindow, Handlers, Outcome, PeerOptions } from './bridge-types.ts';
export type { RefusalCode, RequestOf, TopicDescription, Transport } from './bridge-types.ts';
export type { CsTopics, WebTopics } from './topic-types.ts';

/** Versions of the protocol that this package speaks. */
export const BRIDGE_VERSIONS: { readonly min: number; readonly max: number } = versions;

/** Every topic of both directions; `docs/bridge.md` is written from the same. */
export const TOPICS: { readonly web: readonly TopicDescription[]; readonly cs: readonly TopicDescription[] } = {
  web: describeTopics(WEB_TOPICS, '/api/v1.0/web/'),
  cs: describeTopics(CS_TOPICS, '/api/v1.0/cs/'),
};

/** The side of a shell, or of a page that frames the console: asks the page, answers what the page asks. */
export function shellPeer(options: PeerOptions<CsTopics>): BridgePeer<WebTopics> {
  return new Peer({ ...shared(options), side: 'shell', incoming: CS_TOPICS, outgoing: WEB_TOPICS }) as never;
}

/** The side of a page, to try a shell with. */
export function pagePeer(options: PeerOptions<WebTopics>): BridgePeer<CsTopics> {
  return new Peer({ ...shared(options), side: 'page', incoming: WEB_TOPICS, outgoing: CS_TOPICS }) as never;
}

function shared<T>({ transport, handlers, onFailure = () => undefined }: PeerOptions<T>) {
  const newId = (): string => crypto.randomUUID();
  return { transport, handlers: handlers as never, onFailure, newId, clock: systemClock, hasRight: () => true };
}

/**
 * To the console in a frame: call it at each `load` of the frame. `origin`: of the server.
 * @param frame the frame's `contentWindow`
 */
export function embedderTransport(frame: FramedWindow, origin: string): Transport {
  return openEmbedder(frame, origin);
}

/** What the page has around it: WebView2, WKWebView, CEF, Qt WebChannel, or a listed embedder; null: a browser. `page`: `window`. */
export function pageTransport(page: object, embedders: readonly string[]): Transport | null {
  return findTransport(page as ShellPage, embedders);
}

/** Ends a handler with a code; anything else that it throws is answered 1012. */
export function refuse(code: RefusalCode, data: Readonly<Record<string, unknown>> = {}): never {
  throw new BridgeRefusal({ code, data });
}
