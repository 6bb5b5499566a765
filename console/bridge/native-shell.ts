// The native shell around this page, for everybody who tells or asks it something. In a browser there is none, and the code behind it is never loaded.
import type { BridgeOutcome } from '@vedette/bridge/messages/bridge-answer.ts';
import type { ShellInfo } from '@vedette/bridge/peer/handshake.ts';
import type { CsTopics } from '@vedette/bridge/topics/cs-topics.ts';
import type { TopicAnswer, TopicName, TopicRequest } from '@vedette/bridge/topics/topic.ts';

export interface NativeShell {
  tell<N extends TopicName<CsTopics>>(topic: N, data: TopicRequest<CsTopics, N>): void;
  ask<N extends TopicName<CsTopics>>(
    topic: N,
    data: TopicRequest<CsTopics, N>,
  ): Promise<BridgeOutcome<TopicAnswer<CsTopics, N>> | BridgeOutcome>;
  /** True where the shell said that it takes the topic. */
  isNamed(topic: TopicName<CsTopics>): boolean;
  /** Asks what the shell is, and says what the page is. */
  greet(): Promise<ShellInfo>;
}

const SUCCESS = 200;
let shell: NativeShell | null = null;

export function connectShell(to: NativeShell | null): void {
  shell = to;
}

export function sendToShell<N extends TopicName<CsTopics>>(topic: N, data: TopicRequest<CsTopics, N>): void {
  shell?.tell(topic, data);
}

/** True where there is a shell that said that it takes the topic. */
export function shellTakes(topic: TopicName<CsTopics>): boolean {
  return shell?.isNamed(topic) ?? false;
}

/** Null where there is no shell, where it did not say that it takes the topic, and where it refused or stayed silent. */
export async function askShell<N extends TopicName<CsTopics>>(
  topic: N,
  data: TopicRequest<CsTopics, N>,
): Promise<TopicAnswer<CsTopics, N> | null> {
  if (shell === null || !shellTakes(topic)) return null;
  const { code, data: answer } = await shell.ask(topic, data);
  return code === SUCCESS ? (answer as TopicAnswer<CsTopics, N>) : null;
}

/** Empty where there is no shell or it says nothing. */
export async function greetShell(): Promise<ShellInfo> {
  return (await shell?.greet()) ?? {};
}
