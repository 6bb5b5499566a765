// What recordings take, by storage folder and channel, in bytes.
export class FolderUse {
  readonly #folders = new Map<string, Map<string, number>>();
  readonly #away = new Set<string>();

  grow(folder: string, channelId: string, bytes: number): void {
    const channels = this.#folders.get(folder) ?? new Map<string, number>();
    this.#folders.set(folder, channels.set(channelId, (channels.get(channelId) ?? 0) + bytes));
  }

  /** Its recordings cannot be removed, so they count for no quota. */
  setAway(folder: string, isAway: boolean): void {
    if (isAway) this.#away.add(folder);
    else this.#away.delete(folder);
  }

  forget(folder: string): void {
    this.#folders.delete(folder);
    this.#away.delete(folder);
  }

  /** On one folder, or on all. */
  forgetChannel(channelId: string, folder?: string): void {
    for (const [name, channels] of this.#folders) if ((folder ?? name) === name) channels.delete(channelId);
  }

  /** Those that can be reached. */
  get folders(): readonly string[] {
    return this.#present().map(([folder]) => folder);
  }

  /** Also of a folder that cannot be reached, as it was known last. */
  of(folder: string): number {
    return sum(this.#folders.get(folder)?.values() ?? []);
  }

  /** Of the folders that can be reached. */
  get total(): number {
    return sum(this.#present().map(([folder]) => this.of(folder)));
  }

  /** Of the folders that can be reached. */
  byChannel(): ReadonlyMap<string, number> {
    const present = this.#present();
    const [only] = present;
    if (only && present.length === 1) return only[1];
    const use = new Map<string, number>();
    for (const [, channels] of present)
      for (const [channelId, bytes] of channels) use.set(channelId, (use.get(channelId) ?? 0) + bytes);
    return use;
  }

  #present(): (readonly [string, ReadonlyMap<string, number>])[] {
    return [...this.#folders].filter(([folder]) => !this.#away.has(folder));
  }
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
