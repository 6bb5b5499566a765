// How much of a limit is used, and from when on that is a warning.

/** From this share on the account is warned. */
const NEAR = 0.8;

/** 0 to 1, or more where the limit was lowered. */
export function shareOf(used: number, total: number): number {
  return total === 0 ? 1 : used / total;
}

export function toneOf(used: number, total: number): 'normal' | 'warning' | 'danger' {
  const share = shareOf(used, total);
  if (share >= 1) return 'danger';
  return share >= NEAR ? 'warning' : 'normal';
}
