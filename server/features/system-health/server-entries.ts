// The servers of the database as the operator is shown them: whether this one takes part, and whether it reaches the others.
import type { HealthEntry, HealthReason } from '@vedette/contract/calls/system-health.ts';
import { bad, type Judgement, warning, worst } from '@vedette/rules/system-health.ts';
import type { NodeRefusalCode } from '../../node-line/node-judge.ts';
import type { NodeState } from '../../node-line/node-peer.ts';

export interface ServersHealth {
  /** Why this one takes no part; null: it does. */
  readonly refusal: NodeRefusalCode | null;
  /** host:port between the servers. */
  readonly address: string;
  readonly others: readonly { readonly address: string; readonly state: NodeState }[];
}

const REFUSALS: Readonly<Record<NodeRefusalCode, HealthReason>> = {
  masterKeyDiffers: 'serverKeyDiffers',
  clockDiffers: 'serverClockDiffers',
  releaseDiffers: 'serverReleaseDiffers',
};

/** `health`: null where this server has no lines to others. */
export function serverEntries(health: ServersHealth | null): HealthEntry[] {
  if (health === null) return [];
  const { refusal, address, others } = health;
  const own = refusal === null ? [] : [entry(address, bad(REFUSALS[refusal]))];
  return [...own, ...others.map((other) => entry(other.address, judged(other.state)))];
}

function judged(state: NodeState): Judgement {
  if (state === 'connected') return worst([]);
  if (state === 'foreign') return bad('serverForeign');
  return state === 'refused' ? bad('serverRefused') : warning('serverUnreachable');
}

function entry(name: string, judgement: Judgement): HealthEntry {
  return { part: 'otherServer', siteId: '', name, detail: '', ...judgement, figureList: [] };
}
