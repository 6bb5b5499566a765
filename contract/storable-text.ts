// Text that the database accepts: bounded, without NUL and lone surrogates.

/** Cut to `most` UTF-16 units. */
export function storableText(text: string, most: number): string {
  const short = text.length > most ? text.slice(0, most) : text;
  return short.isWellFormed() && !short.includes('\0') ? short : short.replaceAll('\0', '').toWellFormed();
}
