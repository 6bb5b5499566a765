// Alarms of the installation itself, for its operators: a part that they must mend and that has been bad for a while.
import type { RaisedAlarmType } from '@vedette/contract/alarm-types.ts';
import type { HealthEntry, HealthPart } from '@vedette/contract/calls/system-health.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { Hysteresis } from '@vedette/rules/alarm/health-rules.ts';
import type { Logger } from 'pino';
import { INSTALLATION } from '../database/alarm/alarm-read.queries.ts';
import { DETECTED } from '../database/alarm/alarm-rows.ts';
import { openDetectedProblems, operatorIds } from '../database/alarm/health.queries.ts';
import type { Database } from '../database/connection.ts';
import type { AlarmWriter } from '../features/alarm/alarm-writer.ts';

export interface PartAlarmsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly alarms: Pick<AlarmWriter, 'write'>;
  /** Parts of the installation at the given time. */
  readonly readParts: (now: number) => Promise<readonly HealthEntry[]>;
}

/** What nobody notices until it is needed; sites and their storage have alarms of their own. */
const TYPES: Readonly<Partial<Record<HealthPart, RaisedAlarmType>>> = {
  backup: 'SystemAlarm',
  certificate: 'CertificateExpired',
  dataDisk: 'DiskFull',
  auditLog: 'SystemAlarm',
};
const LOOK_EVERY_MS = 30_000;
/** The first backup of a new installation may be under way. */
const PATIENCE = { raiseAfter: 120_000, clearAfter: 30_000 };

export class PartAlarms {
  readonly #options: PartAlarmsOptions;
  readonly #judges = new Map<string, Hysteresis>();
  /** Sources of what a run before left open. */
  #openBefore: ReadonlySet<string> | null = null;
  #cancel: () => void = () => undefined;
  #isClosed = false;

  constructor(options: PartAlarmsOptions) {
    this.#options = options;
  }

  start(): void {
    this.#cancel = this.#options.clock.after(LOOK_EVERY_MS, () => {
      this.#look()
        .catch((error: unknown) => this.#options.log.warn({ err: error }, 'parts could not be looked at for alarms'))
        .finally(() => {
          if (!this.#isClosed) this.start();
        });
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }

  async #look(): Promise<void> {
    const { database, clock, readParts } = this.#options;
    this.#openBefore ??= new Set((await openDetectedProblems(database)).map(({ source_key: source }) => source));
    const now = clock.wallMs();
    const owners = await operatorIds(database);
    for (const entry of await readParts(now)) {
      const type = TYPES[entry.part];
      if (type !== undefined) await this.#judge(entry, { type, owners, now });
    }
  }

  async #judge(
    { part, state, reason }: HealthEntry,
    { type, owners, now }: { readonly type: RaisedAlarmType; readonly owners: readonly string[]; readonly now: number },
  ): Promise<void> {
    const isBad = state === 'bad';
    const changed = owners
      .map((ownerId) => ({ deviceId: INSTALLATION, ownerId, source: `${DETECTED} part ${part} ${ownerId}` }))
      .filter(({ source }) => this.#judgeOf(source).update(isBad, now));
    if (changed.length === 0) return;
    const seen = { type, channelNo: 0, isBad, at: now, data: { part, ...(reason !== null && { reason }) } };
    await this.#options.alarms.write({ whole: changed }, async (batch) => {
      for (const place of changed) batch.detected(place, seen);
    });
  }

  #judgeOf(source: string): Hysteresis {
    const judge = this.#judges.get(source) ?? new Hysteresis(PATIENCE, this.#openBefore?.has(source));
    this.#judges.set(source, judge);
    return judge;
  }
}
