// What counts as dragged in this page: the thing itself, for as long as it is dragged, under the word of this very drag.
import { expect, it } from 'vitest';
import { ownDrag } from './own-drag.ts';

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

it('gives what was dragged to its own kind alone, and shows nothing of it to whom it passes', () => {
  const [serials, cells] = [ownDrag<readonly string[]>(), ownDrag<number>()];
  const transfer = new Transfer();
  serials.begin(transfer, ['AB1234567'], 'move');
  expect(serials.read(transfer)).toEqual(['AB1234567']);
  expect(cells.read(transfer)).toBeUndefined();
  expect([...transfer.types, ...transfer.values].join(' ')).not.toContain('AB1234567');
});

it('takes nothing that began elsewhere, nor a word after its drag', () => {
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
