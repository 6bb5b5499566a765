// The version of this build as the client states it: four dotted numbers (VE-04).
declare const VEDETTE_BUILD_VERSION: string | undefined;

/** Empty where the code runs without having been built, as in unit tests. */
export const BUILD_VERSION = typeof VEDETTE_BUILD_VERSION === 'string' ? fourNumbers(VEDETTE_BUILD_VERSION) : '';

function fourNumbers(version: string): string {
  const numbers = version.match(/\d+/g) ?? [];
  return [0, 1, 2, 3].map((at) => numbers[at] ?? '0').join('.');
}
