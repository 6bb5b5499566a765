// Text as the database takes it and pages show it: bounded, without NUL and without half a surrogate pair.

/** Cut to `most` UTF-16 units. */
export function storableText(text: string, most: number): string {
  const short = text.length > most ? text.slice(0, most) : text;
  return short.isWellFormed() && !short.includes('\0') ? short : short.replaceAll('\0', '').toWellFormed();
}
