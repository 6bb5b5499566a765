// Rounds of a fault test: a few in every run, the full count in `npm run test:long`.

const asked = process.env['FAULT_ROUNDS'];

/** Set by `npm run test:long`, unless FAULT_ROUNDS asks for a number of its own. */
export const isLongRun = process.env['FAULT_TABLE'] === '1' || Number(asked ?? 0) > 20;

export function faultRounds(usual: number, inTable: number): number {
  return process.env['FAULT_TABLE'] === '1' ? inTable : Number(asked ?? usual);
}
