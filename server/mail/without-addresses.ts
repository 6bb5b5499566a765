// Takes mail addresses out of what a mail server says, which likes to repeat them.

/** Every word that holds one becomes an ellipsis. */
export function withoutAddresses(text: string): string {
  return text
    .split(/(\s+)/)
    .map((word) => (/\S@\S/.test(word) ? '…' : word))
    .join('');
}
