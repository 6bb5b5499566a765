// The fields of a call as rows of a table: name, shape, limits.
import { escapeHtml } from './html.ts';
import { alternativesOf, type JsonSchema } from './json-schema.ts';

interface Row {
  /** With what it stands in: `deviceList[].channelNo`. */
  readonly place: string;
  readonly isRequired: boolean;
  readonly schema: JsonSchema;
}

export function fieldTable(schema: JsonSchema, io: 'input' | 'output'): string {
  const rows = rowsOf(schema, '');
  if (rows.length === 0) return '<p>Nothing.</p>';
  const mark = io === 'input' ? 'required' : 'always';
  const lines = rows.map(
    ({ place, isRequired, schema: one }) =>
      `<tr><td><code>${escapeHtml(place)}</code></td><td>${escapeHtml(shapeOf(one))}</td><td>${isRequired ? mark : ''}</td><td>${escapeHtml(limitsOf(one))}</td></tr>`,
  );
  return `<table><thead><tr><th>Field</th><th>Type</th><th></th><th>Limits</th></tr></thead><tbody>${lines.join('')}</tbody></table>`;
}

/** Whatever stands below a schema, depth first. */
function rowsOf(schema: JsonSchema, place: string): readonly Row[] {
  const { properties = {}, required = [], items, allOf = [] } = schema;
  const own = Object.entries(properties).flatMap(([name, one]) => {
    const here = place === '' ? name : `${place}.${name}`;
    return [{ place: here, isRequired: required.includes(name), schema: one }, ...rowsOf(one, here)];
  });
  const choices = alternativesOf(schema).filter((one) => one !== schema);
  const seen = new Map([...choices, ...allOf].flatMap((one) => rowsOf(one, place)).map((row) => [row.place, row]));
  return [...own, ...(typeof items === 'object' ? rowsOf(items, `${place}[]`) : []), ...seen.values()];
}

function shapeOf(schema: JsonSchema): string {
  const choices = alternativesOf(schema);
  if (choices.length > 1) return [...new Set(choices.map(shapeOf))].join(' or ');
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(', ');
  if ('const' in schema) return JSON.stringify(schema.const);
  const { type, items } = schema;
  if (type === 'array') return typeof items === 'object' ? `list of ${shapeOf(items)}` : 'list';
  return [type ?? 'any'].flat().join(' or ');
}

function limitsOf(schema: JsonSchema): string {
  const choices = alternativesOf(schema);
  if (choices.length > 1) return [...new Set(choices.map(limitsOf))].filter((text) => text !== '').join('; ');
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern, format } = schema;
  const bounds = [
    spanText('', minimum, maximum),
    spanText('length ', minLength, maxLength),
    spanText('items ', minItems, maxItems),
  ];
  const fallback = 'default' in schema ? `default ${JSON.stringify(schema.default)}` : '';
  return [...bounds, format ?? (pattern === undefined ? '' : `matches ${pattern}`), fallback]
    .filter((text) => text !== '')
    .join(', ');
}

/** Empty where there is none; what JavaScript's whole numbers end at is no limit. */
function spanText(word: string, least?: number, most?: number): string {
  const from = least === undefined || least <= Number.MIN_SAFE_INTEGER ? undefined : least;
  const to = most === undefined || most >= Number.MAX_SAFE_INTEGER ? undefined : most;
  if (from === undefined && to === undefined) return '';
  if (from === undefined) return `${word}up to ${to}`;
  return to === undefined ? `${word}from ${from}` : `${word}${from}–${to}`;
}
