// Turns counted processor time into shares of one core between two samples.

export class CpuShares {
  readonly #before = new Map<string, { readonly atMs: number; readonly cpuMs: number }>();

  /** Null at the first sample, and where the process is another one. */
  share(name: string, cpuMs: number, atMs: number): number | null {
    const before = this.#before.get(name);
    this.#before.set(name, { atMs, cpuMs });
    if (before === undefined || cpuMs < before.cpuMs || atMs <= before.atMs) return null;
    return (cpuMs - before.cpuMs) / (atMs - before.atMs);
  }

  /** Of several processes, each of which may be new or gone. */
  shareOfAll(name: string, cpuMsByPid: ReadonlyMap<number, number>, atMs: number): number {
    const shares = [...cpuMsByPid].map(([pid, cpuMs]) => this.share(`${name} ${pid}`, cpuMs, atMs) ?? 0);
    for (const key of this.#before.keys())
      if (key.startsWith(`${name} `) && !cpuMsByPid.has(Number(key.slice(name.length + 1)))) this.#before.delete(key);
    return shares.reduce((sum, share) => sum + share, 0);
  }
}
