// Proves that memory is used again when nobody holds it, never before, and never where somebody keeps it.
import { expect, test } from 'vitest';
import { SLAB_BYTES, SlabPool } from './slab-pool.ts';
import { UnitArena } from './unit-arena.ts';

test('a slab returns to the pool after its last holder released it', () => {
  const pool = new SlabPool();
  const slab = pool.take(100);
  expect(slab.bytes).toHaveLength(8192);
  slab.hold();
  slab.release();
  expect(pool.take(100).bytes).not.toBe(slab.bytes);
  slab.release();
  expect(pool.take(100).bytes).toBe(slab.bytes);
});

test('a retained slab is left to the garbage collector, also when retained after other releases', () => {
  const pool = new SlabPool();
  const slab = pool.take(1);
  slab.hold();
  slab.release();
  slab.keep();
  slab.release();
  expect(pool.freeBytes).toBe(0);
  expect(() => slab.keep()).not.toThrow();
});

test('a hold after the end, or one release too many, throws', () => {
  const slab = new SlabPool().take(1);
  slab.release();
  expect(() => slab.hold()).toThrow(RangeError);
  expect(() => slab.release()).toThrow(RangeError);
  expect(() => slab.keep()).toThrow(RangeError);
});

test('slabs are used again by size, the largest are not kept', () => {
  const pool = new SlabPool();
  expect(pool.take(8193).bytes).toHaveLength(16_384);
  const large = pool.take(SLAB_BYTES + 1);
  expect(large.bytes).toHaveLength(2 * SLAB_BYTES);
  large.release();
  expect(pool.take(SLAB_BYTES).bytes).not.toBe(large.bytes);
  expect(pool.take(2 * SLAB_BYTES).bytes).toBe(large.bytes);
  const huge = pool.take(5_000_000);
  expect(huge.bytes).toHaveLength(5_000_000);
  huge.release();
  expect(pool.freeBytes).toBe(0);
});

test('unused slabs are freed after a while', () => {
  const pool = new SlabPool();
  const many = Array.from({ length: 100 }, () => pool.take(SLAB_BYTES));
  for (const slab of many) slab.release();
  expect(pool.freeBytes).toBe(100 * SLAB_BYTES);
  for (let turn = 0; turn < 5000; turn++) pool.take(SLAB_BYTES).release();
  expect(pool.freeBytes).toBe(SLAB_BYTES);
});

test('an arena holds its slab only while it writes there, and what moved is whole', () => {
  const pool = new SlabPool({ poison: true });
  const arena = new UnitArena(16, SLAB_BYTES, pool);
  const first = write(arena, 1, 50_000);
  const { slab } = arena;
  expect(slab).toBeDefined();
  slab?.hold();
  // Too long for what is left: it moves while it is open.
  const second = write(arena, 2, 40_000);
  expect(arena.slab).not.toBe(slab);
  expect(first.every((byte) => byte === 1)).toBe(true);
  expect(second.every((byte) => byte === 2)).toBe(true);
  slab?.release();
  expect(pool.freeBytes).toBe(SLAB_BYTES);
  expect(first.every((byte) => byte === 0xdb)).toBe(true);
});

test('without a pool nothing is used again', () => {
  const arena = new UnitArena(16, 4096);
  const units = Array.from({ length: 100 }, (_, at) => write(arena, at, 1000));
  expect(arena.slab).toBeUndefined();
  expect(units.every((unit, at) => unit.every((byte) => byte === at))).toBe(true);
});

function write(arena: UnitArena, byte: number, length: number): Buffer {
  const piece = Buffer.alloc(1000, byte);
  for (let at = 0; at < length; at += piece.length) arena.append(piece, 0, Math.min(piece.length, length - at));
  return arena.finish();
}
