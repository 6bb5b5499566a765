// Writes long columns as PostgreSQL array literals, since the driver would inspect each value.

export function numberArrayLiteral(values: readonly (number | null)[]): string {
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`;
}

export function booleanArrayLiteral(values: readonly boolean[]): string {
  return `{${values.join(',')}}`;
}

export function textArrayLiteral(values: readonly (string | null)[]): string {
  return `{${values.map((value) => (value === null ? 'NULL' : quoted(value))).join(',')}}`;
}

const MARKS = /["\\]/;

function quoted(text: string): string {
  return MARKS.test(text) ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : `"${text}"`;
}
