// Hands a style sheet's classes to the kit, which names its parts and takes no absent class.

export function partClasses<const Part extends string>(
  style: Readonly<Record<string, string | undefined>>,
  parts: readonly Part[],
): Record<Part, string> {
  return Object.fromEntries(parts.map((part) => [part, style[part] ?? ''])) as Record<Part, string>;
}
