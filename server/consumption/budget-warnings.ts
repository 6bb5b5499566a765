// Tells an account by mail, once, that four fifths of what it may consume in a month are used, and that all is.
import type { Unit } from '@vedette/rules/statistics/period.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { MONTH_QUOTA_NAMES, QUOTAS } from '@vedette/contract/quotas.ts';
import type { QuotaHolder } from '../database/account/quota.queries.ts';
import { findAccount } from '../database/account/account.queries.ts';
import type { Database } from '../database/connection.ts';
import { limitedConsumers, noteReached, sentWarnings } from '../database/consumption/budget-warning.queries.ts';
import { monthUse } from '../database/consumption/month-use.queries.ts';
import { confirmedContact } from '../mail/confirmed-contact.ts';
import { type Budget, budgetMessage } from '../mail/message-texts.ts';
import type { Messenger } from '../mail/messenger.ts';
import { monthHolding } from '../quota/month-quota.ts';
import { limitsOf } from '../quota/reserve-quota.ts';

/** Percent of the limit, as on the page of consumption. */
const WARNED_AT = [80, 100] as const;

export interface BudgetWarningsOptions {
  readonly database: Database;
  readonly clock: Pick<Clock, 'wallMs'>;
  readonly messenger: Pick<Messenger, 'kinds' | 'notify'>;
  /** IANA name of the zone of the installation. */
  readonly timeZone: string;
}

export class BudgetWarnings {
  readonly #options: BudgetWarningsOptions;

  constructor(options: BudgetWarningsOptions) {
    this.#options = options;
  }

  /** Each minute: writes only where something was reached, or is not any more. */
  async run(): Promise<void> {
    const { database, clock, timeZone } = this.#options;
    const now = clock.wallMs();
    const month = monthHolding(now, timeZone);
    const sent = Map.groupBy(await sentWarnings(database, month.startTime), keyOf);
    for (const holder of await limitedConsumers(database, month.startTime)) {
      for (const budget of await this.#budgetsOf(holder, month)) {
        const { quota, reached } = budget;
        const known = sent.get(keyOf({ accountId: holder.ownerId, quota })) ?? [];
        if (known.length === reached.length) continue;
        const noted = { accountId: holder.ownerId, quota, monthStart: month.startTime, reached, now };
        const news = await noteReached(database, noted);
        // Who went past both at once hears of the worse alone.
        if (news.length > 0) await this.#tell(holder, { ...budget, percent: Math.max(...news) });
      }
    }
  }

  async #budgetsOf(holder: QuotaHolder, month: Unit) {
    const { database } = this.#options;
    const [limits, use] = await Promise.all([
      limitsOf(database, holder),
      monthUse(database, { ownerId: holder.ownerId, month }),
    ]);
    return MONTH_QUOTA_NAMES.map((quota) => {
      const [{ limit }, used] = [limits(quota), use[quota]];
      const isLimited = limit < QUOTAS[quota].ceiling;
      return { quota, limit, used, reached: WARNED_AT.filter((percent) => isLimited && used * 100 >= limit * percent) };
    });
  }

  async #tell({ ownerId }: QuotaHolder, budget: Budget): Promise<void> {
    const { database, messenger } = this.#options;
    const account = await findAccount(database, ownerId);
    const contact = account && confirmedContact(account, await messenger.kinds());
    if (contact) messenger.notify(contact, budgetMessage(account.language === 0 ? 0 : 1, budget));
  }
}

function keyOf({ accountId, quota }: { readonly accountId: string; readonly quota: string }): string {
  return `${accountId} ${quota}`;
}
