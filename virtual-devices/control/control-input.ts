// Reads the JSON that commands of the control port take.

/** The command or its input makes no sense: 400. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
}

export type Input = Readonly<Record<string, unknown>>;

export function numberOf(input: Input, key: string): number {
  const value = input[key];
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new ControlError(`${key}: a number is expected`);
  return value;
}
