// Leases of PTZ moves: renews a move while its operator holds it, and stops moves that nobody holds any more.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { PTZ_MOVE_MAX_MS, PTZ_LEASE_MS, type PtzCommand } from '@vedette/contract/ptz.ts';
import type { PtzOperator } from '@vedette/contract/site/site-ptz.ts';
import type { PtzController } from '@vedette/drivers/kit/ptz.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { CallRefusal } from '../core/call-refusal.ts';
import { moveOf, type PtzMove } from './ptz-move.ts';

export interface PtzLeasesOptions {
  readonly clock: Clock;
  readonly log: { warn(fields: object, message: string): void };
}

interface Motion {
  readonly move: PtzMove;
  readonly endsMs: number;
  cancelTimer: () => void;
}

interface Held {
  operator: PtzOperator | null;
  /** By axis: zoom runs in parallel with pan and tilt. */
  readonly motions: Map<string, Motion>;
  /** Orders reach the device in sequence. */
  orders: Promise<unknown>;
  ptz: PtzController | null;
}

/** Two renewals per lease, so that one late answer does not interrupt the move. */
const RENEW_MS = 600;
const STOP_TRIES = 3;
const CALL_MS = 5000;

export class PtzLeases {
  readonly #options: PtzLeasesOptions;
  readonly #held = new Map<string, Held>();

  constructor(options: PtzLeasesOptions) {
    this.#options = options;
  }

  /** Returns the operator whose move was taken over. */
  async start(key: string, head: PtzController, operator: PtzOperator, order: { command: PtzCommand; speed: number }) {
    const move = moveOf(order.command, order.speed);
    refuseMissing(head, move);
    const held = this.#of(key);
    held.ptz = head;
    const displaced = this.#take(held, operator);
    const { clock } = this.#options;
    const motion: Motion = { move, endsMs: clock.monotonicMs() + PTZ_MOVE_MAX_MS, cancelTimer: () => undefined };
    held.motions.get(slotOf(move))?.cancelTimer();
    held.motions.set(slotOf(move), motion);
    try {
      await this.#order(held, () => this.#drive(head, move));
    } catch (error) {
      // No answer: it may be moving.
      void this.#end(held, motion);
      throw error;
    }
    // Switches such as a light move nothing and need no lease.
    if (move.axis === 'switch' && move.which === 'light') this.#forget(held, motion);
    else this.#renewLater(held, motion);
    return { displaced };
  }

  /** Null `command`: everything of this operator. */
  async stop(key: string, head: PtzController | null, operatorId: string, command: PtzCommand | null): Promise<void> {
    const held = this.#held.get(key);
    if (held !== undefined && isHeldByOther(held, operatorId)) {
      if (command !== null) throw busy(held);
      return;
    }
    if (command === null) {
      if (held) await Promise.all([...held.motions.values()].map((motion) => this.#end(held, motion)));
      return;
    }
    await this.#stopMove(key, head ?? held?.ptz ?? null, moveOf(command, 1));
  }

  async #stopMove(key: string, target: PtzController | null, move: PtzMove): Promise<void> {
    if (!target) return;
    refuseMissing(target, move);
    const state = this.#of(key);
    const motion = state.motions.get(slotOf(move));
    if (motion) this.#forget(state, motion);
    // Sent even if no move is known: the operator sees the camera, we do not.
    try {
      await this.#order(state, () => halt(target, move));
    } catch (error) {
      if (motion) void this.#end(state, motion);
      throw error;
    }
  }

  /** The server is disconnected: every camera stops. */
  async stopAll(): Promise<void> {
    const ends = [...this.#held.values()].flatMap((held) =>
      [...held.motions.values()].map((motion) => this.#end(held, motion)),
    );
    await Promise.all(ends);
  }

  #of(key: string): Held {
    const known = this.#held.get(key);
    if (known) return known;
    const held: Held = { operator: null, motions: new Map(), orders: Promise.resolve(), ptz: null };
    this.#held.set(key, held);
    return held;
  }

  #take(held: Held, operator: PtzOperator): string | null {
    const before = held.operator;
    const isOthers = before !== null && before.operatorId !== operator.operatorId && held.motions.size > 0;
    if (isOthers && before.rank < operator.rank) throw busy(held);
    held.operator = operator;
    if (!isOthers) return null;
    for (const motion of held.motions.values()) void this.#end(held, motion);
    return before.operatorId;
  }

  #renewLater(held: Held, motion: Motion): void {
    const slot = slotOf(motion.move);
    motion.cancelTimer = this.#options.clock.after(RENEW_MS, () => {
      if (held.motions.get(slot) !== motion) return;
      if (this.#options.clock.monotonicMs() >= motion.endsMs) {
        void this.#end(held, motion);
        return;
      }
      this.#renew(held, motion).catch((error: unknown) => {
        this.#options.log.warn({ err: error }, 'a move could not be renewed');
        void this.#end(held, motion);
      });
    });
  }

  async #renew(held: Held, motion: Motion): Promise<void> {
    const { ptz } = held;
    if (!ptz) return;
    await this.#order(held, async () => {
      if (held.motions.get(slotOf(motion.move)) === motion) await this.#drive(ptz, motion.move);
    });
    if (held.motions.get(slotOf(motion.move)) === motion) this.#renewLater(held, motion);
  }

  async #end(held: Held, motion: Motion): Promise<void> {
    this.#forget(held, motion);
    const { ptz } = held;
    if (!ptz) return;
    for (let tries = 1; tries <= STOP_TRIES; tries += 1) {
      try {
        return await this.#order(held, async () => {
          // Another move may have begun on the axis meanwhile.
          if (!held.motions.has(slotOf(motion.move))) await halt(ptz, motion.move);
        });
      } catch (error) {
        this.#options.log.warn({ err: error, tries }, 'a camera could not be stopped');
      }
    }
  }

  #forget(held: Held, motion: Motion): void {
    motion.cancelTimer();
    const slot = slotOf(motion.move);
    if (held.motions.get(slot) === motion) held.motions.delete(slot);
  }

  #order<T>(held: Held, work: () => Promise<T>): Promise<T> {
    const done = held.orders.then(work);
    held.orders = done.catch(() => undefined);
    return done;
  }

  async #drive(head: PtzController, move: PtzMove): Promise<void> {
    const signal = AbortSignal.timeout(CALL_MS);
    if (move.axis === 'switch') await head.turn(move.which, true, signal);
    else await head.move(move, PTZ_LEASE_MS, signal);
  }
}

async function halt(head: PtzController, move: PtzMove): Promise<void> {
  const signal = AbortSignal.timeout(CALL_MS);
  if (move.axis === 'switch') await head.turn(move.which, false, signal);
  else await head.stop(move.axis, signal);
}

function isHeldByOther({ operator, motions }: Held, operatorId: string): boolean {
  return operator !== null && motions.size > 0 && operator.operatorId !== operatorId;
}

/** Light and wiper do not wait for each other. */
function slotOf(move: PtzMove): string {
  return move.axis === 'switch' ? move.which : move.axis;
}

function refuseMissing(head: PtzController, move: PtzMove): void {
  const has = move.axis === 'switch' ? head.switches.has(move.which) : head.axes.has(move.axis);
  if (!has) throw new CallRefusal(ERROR_CODES.functionNotSupported);
}

function busy(held: Held): CallRefusal {
  return new CallRefusal(ERROR_CODES.ptzBusy, { userName: held.operator?.userName ?? '' });
}
