// What counts as dragged: the thing itself, for as long as it is dragged, under the word of this very drag, in windows of one account.
import { afterEach, expect, it } from 'vitest';
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { type DragChannel, ownDrag, shareDrags } from './own-drag.ts';

class Transfer {
  readonly #data = new Map<string, string>();
  effectAllowed: DataTransfer['effectAllowed'] = 'uninitialized';
  get types(): string[] {
    return [...this.#data.keys()];
  }
  get values(): string[] {
    return [...this.#data.values()];
  }
  setData(type: string, value: string): void {
    this.#data.set(type, value);
  }
}

it('delivers dragged data to targets of its kind only, and exposes nothing to other targets', () => {
  const [serials, cells] = [ownDrag<readonly string[]>(), ownDrag<number>()];
  const transfer = new Transfer();
  serials.begin(transfer, ['AB1234567'], 'move');
  expect(serials.read(transfer)).toEqual(['AB1234567']);
  expect(cells.read(transfer)).toBeUndefined();
  expect([...transfer.types, ...transfer.values].join(' ')).not.toContain('AB1234567');
});

it('ignores foreign drags, and tokens of drags that ended', () => {
  const cells = ownDrag<number>();
  const transfer = new Transfer();
  for (const type of ['application/x-vedette-tile', 'application/x-vedette-', 'text/plain'])
    transfer.setData(type, '1');
  expect(cells.read(transfer)).toBeUndefined();
  cells.begin(transfer, 3, 'move');
  const seen = new Transfer();
  for (const type of transfer.types) seen.setData(type, '1');
  cells.begin(new Transfer(), 4, 'move');
  expect(cells.read(seen)).toBeUndefined();
  for (const event of ['dragend', 'pointerdown']) {
    cells.begin(transfer, 5, 'move');
    expect(cells.read(transfer)).toBe(5);
    globalThis.dispatchEvent(new Event(event));
    expect(cells.read(transfer)).toBeUndefined();
  }
});

/** Another window of the console: what it says is heard by this page, and the other way round. */
class Line implements DragChannel {
  onmessage: DragChannel['onmessage'] = null;
  readonly sent: Parameters<DragChannel['postMessage']>[0][] = [];
  postMessage(message: Parameters<DragChannel['postMessage']>[0]): void {
    this.sent.push(message);
  }
  hear(data: Parameters<DragChannel['postMessage']>[0]): void {
    this.onmessage?.(new MessageEvent('message', { data }));
  }
}

const texts = ownDrag<string>({
  name: 'texts',
  parse: (what) => (typeof what === 'string' ? what : undefined),
});
const WORD = 'application/x-vedette-of-another-window';
const carrying = (...types: string[]): Transfer => {
  const transfer = new Transfer();
  for (const type of types) transfer.setData(type, '1');
  return transfer;
};
let user = 'ann';
let line: Line;
const begun = (what: unknown, userId = 'ann', type = WORD) =>
  ({ kind: 'begin', name: 'texts', userId, thing: { type, what } }) as const;

function join(clock = new FakeClock()) {
  user = 'ann';
  line = new Line();
  shareDrags({ channel: line, userId: () => user, clock });
  return clock;
}
afterEach(() => {
  globalThis.dispatchEvent(new Event('dragend'));
  join();
  line.hear({ kind: 'end' });
});

it('announces to other windows only what they may accept, with the signed-in account, and when the drag ends', () => {
  join();
  const transfer = new Transfer();
  ownDrag<number>().begin(transfer, 3, 'move');
  expect(line.sent).toEqual([]);
  texts.begin(transfer, 'gate', 'copy');
  const [, type] = transfer.types;
  expect(line.sent).toEqual([begun('gate', 'ann', type)]);
  globalThis.dispatchEvent(new Event('dragend'));
  globalThis.dispatchEvent(new Event('pointerdown'));
  expect(line.sent.slice(1)).toEqual([{ kind: 'end' }]);
  user = '';
  texts.begin(new Transfer(), 'gate', 'copy');
  expect(line.sent).toHaveLength(2);
});

it('carries several kinds in one drag, and none into the next drag', () => {
  join();
  const [cells, transfer] = [ownDrag<number>(), new Transfer()];
  cells.begin(transfer, 3, 'move');
  texts.begin(transfer, 'gate', 'move');
  expect([cells.read(transfer), texts.read(transfer)]).toEqual([3, 'gate']);
  const next = new Transfer();
  texts.begin(next, 'yard', 'move');
  expect([cells.read(transfer), texts.read(transfer), texts.read(next)]).toEqual([undefined, undefined, 'yard']);
});

it('accepts a drag of another window of the same account, by its token, until it ends', () => {
  const clock = join();
  line.hear(begun('gate'));
  expect(texts.read(carrying(WORD))).toBe('gate');
  expect(texts.read(carrying('application/x-vedette-guessed'))).toBeUndefined();
  expect(ownDrag<string>().read(carrying(WORD)), 'another kind').toBeUndefined();
  user = 'bob';
  expect(texts.read(carrying(WORD)), 'another account').toBeUndefined();
  user = '';
  expect(texts.read(carrying(WORD)), 'nobody').toBeUndefined();
  user = 'ann';
  line.hear({ kind: 'end' });
  expect(texts.read(carrying(WORD))).toBeUndefined();
  line.hear(begun({ of: 'another version' }));
  expect(texts.read(carrying(WORD))).toBeUndefined();
  line.hear(begun('gate'));
  clock.advance(59_999);
  expect(texts.read(carrying(WORD))).toBe('gate');
  clock.advance(1);
  expect(texts.read(carrying(WORD)), 'of a window that is gone').toBeUndefined();
});
