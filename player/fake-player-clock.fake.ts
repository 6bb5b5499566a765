// A player's clock for tests: time passes only when advanced, and chance is always a half.
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import type { PlayerClock } from './core/player-clock.ts';

export class FakePlayerClock extends FakeClock implements PlayerClock {
  constructor() {
    super(1_700_000_000_000);
  }

  random(): number {
    return 0.5;
  }
}
