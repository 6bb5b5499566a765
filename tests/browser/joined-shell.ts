// A native shell for tests that speaks the bridge from outside of the page, with the same peer as the page (BR-04).
import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import type { ShellInfo } from '@vedette/bridge/peer/handshake.ts';
import { type Handlers, Peer } from '@vedette/bridge/peer/peer.ts';
import { CS_TOPICS, type CsTopics } from '@vedette/bridge/topics/cs-topics.ts';
import { WEB_TOPICS, type WebTopics } from '@vedette/bridge/topics/web-topics.ts';
import type { TopicName, TopicRequest } from '@vedette/bridge/topics/topic.ts';

/** What a Chromium shell puts into the page before its scripts. */
const SHIM = `
  const webview = new EventTarget();
  webview.postMessage = (message) => window.testShellHears(JSON.stringify(message));
  window.testShellSays = (json) => webview.dispatchEvent(new MessageEvent('message', { data: JSON.parse(json) }));
  window.chrome = Object.assign(window.chrome ?? {}, { webview });
`;
const SHELL = { name: 'test', version: '1.0.0', platform: 'linux' };

export interface JoinedShell {
  readonly peer: Peer<CsTopics, WebTopics>;
  /** What the page told, by topic and in order. */
  readonly told: readonly { readonly topic: string; readonly data: unknown }[];
  of<N extends TopicName<CsTopics>>(topic: N): readonly TopicRequest<CsTopics, N>[];
}

/**
 * Before the page is opened. `handlers`: in place of an empty answer to every topic; null: the shell knows no topics but hears all, as one
 * of version 0. `native`: what it says of its pictures.
 */
export async function joinShell(
  context: BrowserContext,
  page: Page,
  handlers: Handlers<CsTopics> | null = {},
  native: NonNullable<ShellInfo['native']> = { codecs: ['h264'], overlay: 'inside' },
): Promise<JoinedShell> {
  const told: { topic: string; data: unknown }[] = [];
  let take: (value: unknown) => void = () => undefined;
  await context.addInitScript({ content: SHIM });
  await page.exposeFunction('testShellHears', (json: string) => take(json));
  const names = Object.keys(CS_TOPICS) as TopicName<CsTopics>[];
  const info = { bridge: 1, shell: SHELL, topics: names, native, keyStore: 'file' as const };
  const recording = Object.fromEntries(
    names.map((topic) => [
      topic,
      (data: unknown) => {
        told.push({ topic, data });
        if (topic === 'system/info') return handlers === null ? {} : info;
        return (handlers?.[topic] as ((input: unknown) => unknown) | undefined)?.(data) ?? {};
      },
    ]),
  ) as Handlers<CsTopics>;
  const peer = new Peer({
    side: 'shell',
    incoming: CS_TOPICS,
    outgoing: WEB_TOPICS,
    handlers: recording,
    clock: systemClock,
    newId,
    hasRight: () => true,
    onFailure: (topic, failure) => expect.fail(`${topic}: ${String(failure)}`),
    transport: {
      isOwn: true,
      send: (json) => {
        page
          .evaluate((text) => (window as unknown as { testShellSays(one: string): void }).testShellSays(text), json)
          // The page has gone: nobody is there to be told.
          .catch(() => undefined);
      },
      onMessage: (listener) => {
        take = listener;
        return () => undefined;
      },
    },
  });
  return {
    peer,
    told,
    of: (topic) => told.filter((one) => one.topic === topic).map(({ data }) => data) as never,
  };
}
