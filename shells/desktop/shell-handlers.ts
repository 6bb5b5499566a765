// What the shell answers to its page.
import { spawn } from 'node:child_process';
import { BRIDGE_VERSIONS } from '@vedette/bridge/peer/handshake.ts';
import type { Handlers } from '@vedette/bridge/peer/peer.ts';
import type { CsTopics } from '@vedette/bridge/topics/cs-topics.ts';
import type { TopicAnswer, TopicName } from '@vedette/bridge/topics/topic.ts';
import { WEB_TOPICS } from '@vedette/bridge/topics/web-topics.ts';
import type { ProviderSignIn } from './provider-sign-in/provider-sign-in.ts';
import { keyHandlers } from './sign-in-key/key-handlers.ts';
import type { SignInKey } from './sign-in-key/sign-in-key.ts';

/** The page told it; the shell only passes it on to whoever drives it. */
const TOLD = [
  'account/status',
  'language/current',
  'window/current',
  'preset/result',
  'live/stream',
  'live/cdn',
  'playback/stream',
] as const satisfies readonly TopicName<CsTopics>[];

const VERSION = '0.1.0';

type ShellInfo = TopicAnswer<CsTopics, 'system/info'>;

export interface AnswerOptions {
  readonly name: string;
  readonly native: NonNullable<ShellInfo['native']>;
  readonly monitors?: () => NonNullable<ShellInfo['monitors']>;
  readonly signInKey: SignInKey;
  readonly onTold: (topic: string, data: unknown) => void;
  readonly raise: () => Promise<void>;
  /** Absent: the page says that providers are reached by a browser alone. */
  readonly providerSignIn?: ProviderSignIn;
}

/** The person's own, as the desktop has it. */
export function openInBrowser(url: string, onFailure: () => void): void {
  spawn('xdg-open', [url], { stdio: 'ignore', detached: true }).on('error', onFailure).unref();
}

/** Files are not among the topics: the browser saves them itself, and asks for the name. */
export function shellHandlers(parts: AnswerOptions): Handlers<CsTopics> {
  const { name, native, monitors, signInKey, onTold, raise, providerSignIn } = parts;
  const told = TOLD.map((topic) => [
    topic,
    (data: unknown) => {
      onTold(topic, data);
      return {};
    },
  ]);
  const handlers: Handlers<CsTopics> = {
    ...Object.fromEntries(told),
    'system/info': (page) => {
      onTold('system/info', page);
      return {
        bridge: BRIDGE_VERSIONS.max,
        shell: { name, version: VERSION, platform: process.platform },
        topics: [...Object.keys(handlers), ...Object.keys(WEB_TOPICS)],
        native,
        ...(monitors && { monitors: monitors() }),
        keyStore: signInKey.storeKind,
      };
    },
    ...keyHandlers(signInKey),
    'window/raise': async () => {
      await raise();
      onTold('window/raise', {});
      return {};
    },
    'link/open': ({ url }) => {
      openInBrowser(url, () => onTold('link/open', { failed: 'xdg-open' }));
      return {};
    },
    ...(providerSignIn && {
      'identity/open': async ({ providerId }: { readonly providerId: string }) => {
        await providerSignIn.begin(providerId);
        onTold('identity/open', { providerId });
        return {};
      },
    }),
  };
  return handlers;
}
