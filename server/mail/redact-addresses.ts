// Redacts mail addresses in replies of mail servers.

/** Every word that holds one becomes an ellipsis. */
export function redactAddresses(text: string): string {
  return text
    .split(/(\s+)/)
    .map((word) => (/\S@\S/.test(word) ? '…' : word))
    .join('');
}
