// Writes values as lines, one for each leaf, so that a difference shows where it is.

export function valueLines(label: string, value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [`${label} = ${JSON.stringify(value)}`];
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) {
    return [`${label} = ${JSON.stringify(value)}`];
  }
  const fields = Object.entries(value).filter(([, one]) => one !== undefined && typeof one !== 'function');
  if (fields.length === 0) return [`${label} = ${JSON.stringify(value)}`];
  return fields.flatMap(([name, one]) => valueLines(`${label} ${name}`, one));
}
