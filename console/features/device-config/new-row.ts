// A row of a list before anybody filled it in: what the device takes anyway.
import type { PlainField, PlainFields, RangeLimits } from '@vedette/contract/config/fields.ts';
import type { Values } from './config.query.ts';

/** Each new row a little lower, so that two never hide one another. */
export function newRow(fields: PlainFields, limits: Values, at: number): Values {
  const filled = Object.entries(fields).flatMap(([name, field]) =>
    limits[name] === undefined || field.readOnly === true ? [] : [[name, usual(field, limits[name], at)] as const],
  );
  return { id: '', ...Object.fromEntries(filled) };
}

function usual({ kind }: PlainField, limits: unknown, at: number): unknown {
  const shift = (at % 6) * 0.08;
  switch (kind) {
    case 'range': {
      const { min, max } = limits as RangeLimits;
      return Math.round((min + max) / 2);
    }
    case 'choice':
      return (limits as { options: readonly string[] }).options[0] ?? '';
    case 'flag':
      return true;
    case 'text':
      return 'TEXT';
    case 'point':
      return { x: 0.4, y: 0.3 + shift };
    case 'polygon':
      return [
        { x: 0.3, y: 0.3 + shift },
        { x: 0.6, y: 0.3 + shift },
        { x: 0.6, y: 0.6 + shift / 2 },
        { x: 0.3, y: 0.6 + shift / 2 },
      ];
    default:
      return undefined;
  }
}
