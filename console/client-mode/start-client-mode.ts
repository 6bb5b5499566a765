// Connects the page with the native shell around it: answers its requests, greets it, and tells it what changes on the page.
import { agreeWith, BRIDGE_VERSIONS, type ShellInfo } from '@vedette/bridge/peer/handshake.ts';
import { type Handlers, Peer } from '@vedette/bridge/peer/peer.ts';
import { CS_TOPICS, type CsTopics } from '@vedette/bridge/topics/cs-topics.ts';
import type { TopicRight } from '@vedette/bridge/topics/topic.ts';
import { WEB_TOPICS, type WebTopics } from '@vedette/bridge/topics/web-topics.ts';
import type { Transport } from '@vedette/bridge/transports/transport.ts';
import { connectShell } from '../bridge/native-shell.ts';
import { randomId } from '../browser/random.ts';
import { useNativeOverlay } from '../features/live/tile/native-tiles.ts';
import { accountStatus, hasSession } from '../session/auth-store.ts';
import { useClientState } from '../session/client-state.ts';
import { saasToken } from '../session/saas-values.ts';
import type { ClientParts, ClientRouter } from './client-parts.ts';
import { alarmHandlers } from './alarm-handlers.ts';
import { embedHandlers } from './embed-handlers.ts';
import { liveHandlers } from './live-handlers.ts';
import { currentLang, pageHandlers } from './page-handlers.ts';
import { playbackHandlers } from './playback-handlers.ts';
import { presetHandlers } from './preset-handlers.ts';
import { signInHandlers } from './sign-in-handlers.ts';
import { nativeTileList, watchNativeTiles } from './native-tile-places.ts';
import { followLinks } from './page-links.ts';
import { currentWindow, onWindowStatus, windowStatus } from './shell-windows.ts';

type PagePeer = Peer<WebTopics, CsTopics>;

/** The first message of a launch is the status of the account; the handshake follows. `appId`: the app whose page frames this one. */
export function startClientMode(parts: ClientParts, transport: Transport, appId?: string): void {
  const handlers: Handlers<WebTopics> = {
    ...pageHandlers(parts, () => Object.keys(handlers)),
    ...liveHandlers(parts),
    ...playbackHandlers(parts),
    ...presetHandlers(parts),
    ...alarmHandlers(parts),
    ...(appId === undefined ? signInHandlers(parts) : embedHandlers(parts, appId)),
  };
  const peer: PagePeer = new Peer({
    side: 'page',
    transport,
    incoming: WEB_TOPICS,
    outgoing: CS_TOPICS,
    handlers,
    clock: parts.clock,
    newId: randomId,
    hasRight,
    onFailure: (topic, failure) => console.warn('request of the shell failed', topic, failure),
  });
  const greet = (): Promise<ShellInfo> => greetBy(peer, Object.keys(handlers));
  connectShell({
    tell: (topic, data) => peer.tell(topic, data),
    ask: (topic, data) => peer.ask(topic, data),
    isNamed: (topic) => peer.isNamed(topic),
    greet,
  });
  peer.tell('account/status', { status: accountStatus() });
  void greet();
  followLinks(document);
  tellLanguage(peer);
  void parts.router.then((router) => tellWindow(peer, router, parts));
}

function hasRight(right: TopicRight): boolean {
  if (right === 'none') return true;
  if (right === 'ownAccount') return hasSession() && saasToken() === '';
  return hasSession() || saasToken() !== '';
}

async function greetBy(peer: PagePeer, topics: readonly string[]): Promise<ShellInfo> {
  const { currentVersion } = useClientState.getState().environment;
  const page = { bridge: BRIDGE_VERSIONS, topics: [...topics], version: currentVersion, lang: currentLang() };
  const { topics: named, info } = agreeWith(await peer.ask('system/info', page));
  peer.nameTopics(named);
  useNativeOverlay.setState({ isBeneath: info.native?.isBeneath === true });
  return info;
}

function tellLanguage(peer: PagePeer): void {
  useClientState.subscribe(({ globalLanguage }, { globalLanguage: before }) => {
    if (globalLanguage !== before) peer.tell('language/current', { lang: currentLang() });
  });
}

/** On every change of the screen and of its status, and while the shell plays tiles on every change of their places. */
function tellWindow(peer: PagePeer, router: ClientRouter, { clock }: ClientParts): void {
  let told = '';
  const tell = (): void => {
    const now = { window: currentWindow(router), status: windowStatus(), tileList: nativeTileList() };
    const text = JSON.stringify(now);
    if (text === told) return;
    told = text;
    peer.tell('window/current', now);
  };
  tell();
  router.subscribe(tell);
  onWindowStatus(tell);
  watchNativeTiles(clock, tell);
}
