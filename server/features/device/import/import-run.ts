// One running import: a few rows at a time, results stored, cancellable between rows.
import { DEVICE_TYPE } from '@vedette/contract/enumerations.ts';
import { LOCAL_SITE } from '@vedette/contract/remote-site.ts';
import type { ImportRow } from '@vedette/contract/calls/onboarding.ts';
import type { Logger } from 'pino';
import type { Rights } from '../../../auth/rights.ts';
import { CallError } from '../../../core/call-error.ts';
import type { Database } from '../../../database/connection.ts';
import type { DeviceAdder, DeviceOrder } from '../device-adder.ts';
import { splitTarget, type Target } from '../device-candidate.facts.ts';
import { isOperator } from '../device.handlers.ts';
import { destinationFor } from '../device-destination.ts';
import type { PlannedRow } from './planned-row.ts';
import { storedCandidate } from './stored-candidate.ts';

export interface ImportRunDeps {
  readonly database: Database;
  readonly log: Logger;
  readonly adder: DeviceAdder;
  readonly rightsOf: (accountId: string) => Promise<Rights>;
}

export interface ImportOrder {
  readonly task: string;
  readonly accountId: string;
  readonly mode: 'check' | 'apply';
  readonly isProbed: boolean;
  readonly planned: readonly PlannedRow[];
}

/** Probing a device takes seconds, storing none. */
const AT_ONCE = 16;

export class ImportRun {
  readonly order: ImportOrder;
  /** In the order of the file. */
  readonly results: ImportRow[];
  readonly #deps: ImportRunDeps;
  #isCancelled = false;

  constructor(deps: ImportRunDeps, order: ImportOrder, results: readonly ImportRow[]) {
    this.#deps = deps;
    this.order = order;
    this.results = [...results];
  }

  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  /** Running rows are finished. */
  cancel(): void {
    this.#isCancelled = true;
  }

  /** `onRow` is called after each row. */
  async run(onRow: () => void): Promise<void> {
    const waiting = this.results.flatMap(({ state }, index) => (state === 'waiting' ? [index] : []));
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let index = waiting.shift(); index !== undefined && !this.#isCancelled; index = waiting.shift()) {
          await this.#importRow(index);
          onRow();
        }
      }),
    );
  }

  async #importRow(index: number): Promise<void> {
    const row = this.order.planned[index];
    const before = this.results[index];
    if (row === undefined || before === undefined) return;
    try {
      const deviceSerial = await this.#perform(row);
      this.results[index] = { ...before, state: this.order.mode === 'check' ? 'ready' : 'added', deviceSerial };
    } catch (error) {
      const refusal = error instanceof CallError ? error : new CallError('serverInternalError');
      if (refusal !== error) this.#deps.log.error({ err: error, line: before.line }, 'a row could not be imported');
      this.results[index] = { ...before, state: 'failed', code: refusal.code, reason: reasonOf(refusal.data) };
    }
  }

  async #perform({ parsed, organizationId, siteId = LOCAL_SITE }: PlannedRow): Promise<string> {
    const { accountId, mode, isProbed } = this.order;
    const { adder } = this.#deps;
    const rights = await this.#deps.rightsOf(accountId);
    const place = await destinationFor(this.#deps.database, rights, organizationId);
    const from = splitTarget(parsed.target, parsed.user, parsed.password);
    const order = deviceOrder(rights, { ...parsed, ...place, ...from, siteId });
    if (mode === 'check') return await adder.check(order, from);
    if (isProbed) return await adder.add(order);
    return await adder.addCandidate(order, from, storedCandidate(parsed, from.target));
  }
}

function deviceOrder(
  rights: Rights,
  row: Target &
    Pick<DeviceOrder, 'ownerId' | 'organization' | 'siteId'> & { readonly name: string; readonly type: number | null },
): DeviceOrder {
  const { name, type, ...rest } = row;
  return {
    ...rest,
    rights,
    deviceName: name,
    ...(type !== null && type !== DEVICE_TYPE.unknown && { deviceType: type }),
    isOperator: isOperator(rights.subject),
    backfillFrom: null,
    isOneOfMany: true,
  };
}

function reasonOf(data: unknown): string | null {
  const reason = typeof data === 'object' && data !== null && 'reason' in data ? data.reason : null;
  return typeof reason === 'string' ? reason : null;
}
