// What page and shell agree on when a launch begins: the version of the bridge and the topics of the other side.
import { SUCCESS } from '@vedette/contract/errors.ts';
import type { BridgeOutcome } from '../messages/bridge-answer.ts';
import type { CsTopics } from '../topics/cs-topics.ts';
import type { TopicAnswer } from '../topics/topic.ts';

export const BRIDGE_VERSIONS = { min: 1, max: 1 } as const;

export type ShellInfo = TopicAnswer<CsTopics, 'system/info'>;

export interface Agreement {
  /** 0: an older shell, which knows the specification's topics alone and plays nothing itself. */
  readonly version: number;
  /** What the other side takes; null: it did not say. */
  readonly topics: readonly string[] | null;
  readonly info: ShellInfo;
}

/** Silence, a refusal and a version that this side does not speak are all version 0. */
export function agreeWith(outcome: BridgeOutcome<ShellInfo> | BridgeOutcome): Agreement {
  if (outcome.code !== SUCCESS) return { version: 0, topics: null, info: {} };
  const info = outcome.data as ShellInfo;
  const { bridge = 0, topics } = info;
  const isSpoken = bridge >= BRIDGE_VERSIONS.min && bridge <= BRIDGE_VERSIONS.max;
  return isSpoken ? { version: bridge, topics: topics ?? [], info } : { version: 0, topics: null, info };
}
