// Endpoint /node: accepts lines of the other servers of the database, by the certificate that stands in the row of each.
import type { SiteCallName } from '@vedette/contract/site/site.ts';
import { siteAnswers } from '@vedette/contract/site/site-answers.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { CallError } from '../core/call-error.ts';
import type { AssignmentSync } from '../site-link/assignment-sync.ts';
import type { Sites } from '../site-link/sites.ts';
import { RareLog } from '../site-link/rare-log.ts';
import { AnsweringLine, type SitesHere } from './answering-line.ts';
import { MissedChanges } from './missed-changes.ts';
import type { NodeDirectory } from './node-directory.ts';
import type { SiteHere } from './node-messages.ts';
import { siteAway } from '../site-link/site-route.ts';

export interface NodeEndpointOptions {
  readonly directory: NodeDirectory;
  readonly clock: Clock;
  readonly log: Logger;
  readonly sites: Pick<Sites, 'linked' | 'linkOf' | 'whenChanged' | 'closeFormer'>;
  readonly sync: Pick<AssignmentSync, 'apply'>;
}

export class NodeEndpoint {
  readonly #options: NodeEndpointOptions;
  readonly #rareLog: RareLog;
  readonly #lines = new Map<string, AnsweringLine>();
  readonly #missed = new MissedChanges();
  #known: ReadonlySet<string> = new Set();

  constructor(options: NodeEndpointOptions) {
    this.#options = options;
    this.#rareLog = new RareLog(options.log, options.clock);
    options.directory.whenLooked((others) => {
      this.#follow(new Set(others.map(({ node_id: nodeId }) => nodeId)));
      this.#closeFormer();
    });
    options.sites.whenChanged((siteId) => {
      for (const line of this.#lines.values()) line.siteChanged(siteId);
    });
  }

  /** The server that has this certificate; null: none that lives. */
  readonly admit = (fingerprint: string): string | null => {
    const node = this.#options.directory.others.find((other) => other.fingerprint === fingerprint);
    if (node !== undefined) return node.node_id;
    this.#rareLog.warn({ fingerprint }, 'a server was refused: its certificate is of none that works on this database');
    return null;
  };

  readonly accept = (socket: WebSocket, nodeId: string): void => {
    const { clock, log, sites } = this.#options;
    const line = new AnsweringLine({
      socket,
      clock,
      log,
      sites: sitesHere(sites),
      onHello: (told) => {
        if (this.#missed.begun(nodeId, told)) this.#bringEverything();
      },
      onChange: async (number, change) => {
        const isBehind = this.#missed.told(nodeId, number);
        await this.#options.sync.apply(isBehind ? { kind: 'everything' } : change);
      },
    });
    this.#lines.get(nodeId)?.close();
    this.#lines.set(nodeId, line);
    socket.once('close', () => {
      if (this.#lines.get(nodeId) === line) this.#lines.delete(nodeId);
    });
  };

  close(): void {
    for (const line of this.#lines.values()) line.close();
  }

  #follow(known: ReadonlySet<string>): void {
    for (const nodeId of known) this.#missed.seen(nodeId);
    for (const nodeId of this.#known) {
      if (known.has(nodeId)) continue;
      this.#lines.get(nodeId)?.close();
      if (this.#missed.gone(nodeId)) this.#bringEverything();
    }
    this.#known = known;
  }

  /** Where another server could not say so itself. */
  #closeFormer(): void {
    this.#options.sites.closeFormer().catch((error: unknown) => {
      this.#rareLog.warn({ err: error }, 'lines of sites could not be looked at; the next turn does');
    });
  }

  #bringEverything(): void {
    const { sync, log } = this.#options;
    sync.apply({ kind: 'everything' }).catch((error: unknown) => {
      log.error({ err: error }, 'what another server may have changed was not brought to the sites');
    });
  }
}

function sitesHere(sites: NodeEndpointOptions['sites']): SitesHere {
  const find = (siteId: string): SiteHere | null => {
    const { line, capabilities } = sites.linkOf(siteId);
    return line === null ? null : { siteId, epoch: line.epoch, offers: capabilities };
  };
  return {
    find,
    list: () => sites.linked().flatMap(({ siteId }) => find(siteId) ?? []),
    call: (siteId, { name, input }, mostMs) => {
      const link = sites.linkOf(siteId);
      if (!link.isOnline()) return Promise.reject(siteAway(siteId));
      if (!isSiteCall(name)) return Promise.reject(new CallError('functionNotSupported'));
      return link.call(name, input as never, mostMs);
    },
  };
}

function isSiteCall(name: string): name is SiteCallName {
  return Object.hasOwn(siteAnswers, name);
}
