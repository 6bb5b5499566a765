// The addresses of a setting that holds several: each once, in lower case, so that nobody is told twice.

export function mailAddresses(text: string): string[] {
  const all = text.split(/[,;\s]+/).filter((one) => one !== '');
  return [...new Set(all.map((one) => one.toLowerCase()))];
}
