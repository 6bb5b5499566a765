// The operator's own models: each folder below `models` of the data folder, tried out when it comes or changes, and listed only after that.
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnalysisModel, RefusedModel } from '@vedette/contract/site/site-analysis.ts';
import { errorCode, errorMessage } from '@vedette/foundation/errors/error-message.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Logger } from 'pino';
import type { SpawnAnalyst } from './spawn-analyst.ts';
import { tryModel } from './model-trial.ts';

export interface ModelCatalogOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly spawn: SpawnAnalyst;
  readonly runtimeFolder: string;
  readonly folder: string;
  /** Of models that come with the program: their names are taken. */
  readonly builtIn: readonly string[];
}

/** Copying a model takes a while, and a trial a second or more. */
const EVERY_MS = 5000;
const MODELS_MAX = 32;
const NAME = /^[\w-][\w.-]{0,63}$/;
const FILES = ['model.json', 'model.onnx'] as const;

interface KnownModel {
  /** Size and time of its files, to tell a change. */
  readonly state: string;
  readonly found: { readonly model: AnalysisModel } | RefusedModel;
}

export class ModelCatalog {
  readonly #options: ModelCatalogOptions;
  #known: ReadonlyMap<string, KnownModel> = new Map();
  #lookedAt = Number.NEGATIVE_INFINITY;
  #isBusy = false;

  constructor(options: ModelCatalogOptions) {
    this.#options = options;
  }

  /** By name. */
  get models(): readonly AnalysisModel[] {
    return [...this.#known.values()].flatMap(({ found }) => ('model' in found ? [found.model] : []));
  }

  get refused(): readonly RefusedModel[] {
    return [...this.#known.values()].flatMap(({ found }) => ('model' in found ? [] : [found]));
  }

  /** Of a model that is listed. */
  folderOf(name: string): string | null {
    const found = this.#known.get(name)?.found;
    return found !== undefined && 'model' in found ? join(this.#options.folder, name) : null;
  }

  /** Call it often, while the runtime is there: it looks every few seconds. */
  look(): void {
    const { clock, log, folder } = this.#options;
    const now = clock.monotonicMs();
    if (this.#isBusy || now - this.#lookedAt < EVERY_MS) return;
    this.#lookedAt = now;
    this.#isBusy = true;
    this.#read()
      .catch((error: unknown) => log.warn({ folder, fault: errorMessage(error) }, 'models cannot be looked for'))
      .finally(() => {
        this.#isBusy = false;
      });
  }

  /** One after the other: each trial loads a model. */
  async #read(): Promise<void> {
    const names = await foldersOf(this.#options.folder);
    const known = new Map<string, KnownModel>();
    for (const name of names.slice(0, MODELS_MAX)) {
      const state = await stateOf(join(this.#options.folder, name));
      const before = this.#known.get(name);
      const now = before?.state === state ? before : await this.#tried(name, state);
      if (now !== null) known.set(name, now);
    }
    this.#known = known;
  }

  /** Null: it is tried again later. */
  async #tried(name: string, state: string): Promise<KnownModel | null> {
    const { clock, log, spawn, runtimeFolder, folder, builtIn } = this.#options;
    if (!NAME.test(name) || builtIn.includes(name))
      return refused(name, state, 'its folder has a name that no model may have');
    const tried = await tryModel({ clock, spawn, runtimeFolder, modelFolder: join(folder, name) });
    if (tried === null) return null;
    if ('model' in tried && tried.model.name === name) return { state, found: tried };
    const fault = 'model' in tried ? 'it is named otherwise than its folder' : tried.fault;
    log.warn({ model: name, fault }, 'a model is not run');
    const found = refused(name, state, fault);
    return 'model' in tried ? found : { state, found: { ...found.found, reason: tried.reason } };
  }
}

function refused(name: string, state: string, fault: string): { readonly state: string; readonly found: RefusedModel } {
  // A name may hold whatever a folder may.
  const shown = name.replaceAll(/[^\w.-]/g, '?').slice(0, 64);
  return { state, found: { name: shown, reason: 'description', fault: fault.slice(0, 256) } };
}

/** By name; links are none: they may lead out of the data folder. */
async function foldersOf(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .flatMap((entry) => (entry.isDirectory() && !entry.name.startsWith('.') ? [entry.name] : []))
      .toSorted();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

async function stateOf(folder: string): Promise<string> {
  const states = FILES.map(async (file) => {
    try {
      const { size, mtimeMs, ino } = await lstat(join(folder, file));
      return `${size} ${mtimeMs} ${ino}`;
    } catch (error) {
      return errorCode(error) ?? 'none';
    }
  });
  return (await Promise.all(states)).join(', ');
}
