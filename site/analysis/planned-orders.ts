// The tasks of a channel whose weekly plan holds at an instant.
import type { AnalysisOrder } from '@vedette/contract/site/site-analysis.ts';
import { PlanClock } from '@vedette/rules/time-plan/plan-clock.ts';

export class PlannedOrders {
  readonly #orders: readonly { readonly order: AnalysisOrder; readonly plan: PlanClock | null }[];
  #held: readonly AnalysisOrder[] = [];

  constructor(orders: readonly AnalysisOrder[]) {
    this.#orders = orders.map((order) => ({ order, plan: order.plan ? new PlanClock(order.plan) : null }));
  }

  /** The same list while the same tasks hold. */
  at(wallMs: number): readonly AnalysisOrder[] {
    const now = this.#orders.flatMap(({ order, plan }) =>
      plan === null || plan.at(wallMs).type !== null ? [order] : [],
    );
    const isSame = now.length === this.#held.length && now.every((order, at) => order === this.#held[at]);
    if (!isSame) this.#held = now;
    return this.#held;
  }
}
