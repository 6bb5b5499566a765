// Inputs and relays of a virtual device: their settings, and relays that fall back by themselves.

import type { EventSource } from './event-source.ts';
import { eventTopic } from './topic-catalogue.ts';

export interface Relay {
  readonly token: string;
  readonly mode: 'Bistable' | 'Monostable';
  readonly delayMs: number;
  readonly idle: 'open' | 'closed';
}

const RELAY = eventTopic('tns1:Device/Trigger/Relay');

export class Contacts {
  /** Idle states by token. */
  readonly inputs = new Map<string, 'open' | 'closed'>([
    ['DigitalInput_1', 'open'],
    ['DigitalInput_2', 'open'],
  ]);
  relays: readonly Relay[] = [{ token: 'Relay_1', mode: 'Bistable', delayMs: 5000, idle: 'open' }];
  /** Tokens of relays that are on. */
  readonly active = new Set<string>();
  private readonly source: EventSource;
  private readonly falls = new Map<string, NodeJS.Timeout>();

  constructor(source: EventSource) {
    this.source = source;
    for (const { token } of this.relays) source.introduce({ topic: RELAY, channelNo: 0, key: token });
  }

  /** False: no such relay. */
  turn(token: string, isOn: boolean): boolean {
    const relay = this.relays.find((one) => one.token === token);
    if (relay === undefined) return false;
    clearTimeout(this.falls.get(token));
    const about = { topic: RELAY, channelNo: 0, key: token };
    if (isOn) {
      this.active.add(token);
      this.source.raise(about);
      if (relay.mode === 'Monostable')
        this.falls.set(token, setTimeout(() => this.turn(token, false), relay.delayMs).unref());
    } else if (this.active.delete(token)) this.source.clear(about);
    return true;
  }
}
