// Splits a list of mail addresses: lower case, without duplicates.

export function mailAddresses(text: string): string[] {
  const all = text.split(/[,;\s]+/).filter((one) => one !== '');
  return [...new Set(all.map((one) => one.toLowerCase()))];
}
