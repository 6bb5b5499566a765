// Loaded into a server under test: takes out the one guard that VEDETTE_MUTANT names as JSON {file, from, to}.
import { registerHooks } from 'node:module';

const text = process.env['VEDETTE_MUTANT'] ?? '';
if (text !== '') {
  /** @type {{ file: string, from: string, to: string, at: number }} */
  const mutant = JSON.parse(text);
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (!url.endsWith(mutant.file)) return loaded;
      const source = Buffer.from(/** @type {Uint8Array | string} */ (loaded.source)).toString('utf8');
      if (source.slice(mutant.at, mutant.at + mutant.from.length) !== mutant.from) throw new Error('no such guard');
      const changed = source.slice(0, mutant.at) + mutant.to + source.slice(mutant.at + mutant.from.length);
      return { ...loaded, source: changed };
    },
  });
}
