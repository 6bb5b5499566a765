// Median and rounding of bench results.

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** To three digits after the point. */
export function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
