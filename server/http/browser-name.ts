// Browser and system name from the user agent, for lists of sessions and trusted browsers; for display only.

const BROWSERS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\bEdgA?\/(\d+)/, 'Edge'],
  [/\bOPR\/(\d+)/, 'Opera'],
  [/\bFirefox\/(\d+)/, 'Firefox'],
  [/\b(?:Headless)?Chrom(?:e|ium)\/(\d+)/, 'Chrome'],
  [/\bVersion\/(\d+)(?:\.[\d.]*)? (?:Mobile\/\S+ )?Safari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\biPhone|\biPad/, 'iOS'],
  [/\bAndroid/, 'Android'],
  [/\bWindows/, 'Windows'],
  [/\bMac OS X/, 'macOS'],
  [/\bLinux/, 'Linux'],
];

/** Empty where the header says nothing that is known. */
export function browserName(userAgent: string | undefined): string {
  const text = (userAgent ?? '').slice(0, 512);
  const system = SYSTEMS.find(([mark]) => mark.test(text))?.[1];
  for (const [mark, name] of BROWSERS) {
    const version = mark.exec(text)?.[1];
    if (version !== undefined) return [`${name} ${version}`, system].filter(Boolean).join(', ');
  }
  return system ?? '';
}
