// Which commands answer a key word, the best first; recent ones before others that answer as well.
import { rankOf } from '@vedette/rules/tree/tree-search.ts';
import type { Command } from './command.ts';

/** More than these nobody reads: another letter narrows them down. */
export const MOST_SHOWN = 50;
/** Without a key word the recent ones stand first, so many of them. */
const RECENT_SHOWN = 5;

function withoutKeyWord(commands: readonly Command[], recent: readonly string[]): Command[] {
  const byId = new Map(commands.map((command) => [command.id, command]));
  const first = recent.flatMap((id) => byId.get(id) ?? []).slice(0, RECENT_SHOWN);
  // Cameras may be thousands; screens and actions are what there is to discover.
  const rest = [
    ...commands.filter(({ kind }) => kind !== 'camera'),
    ...commands.filter(({ kind }) => kind === 'camera'),
  ];
  return [...new Set([...first, ...rest])];
}

export function searchCommands(commands: readonly Command[], keyWord: string, recent: readonly string[]): Command[] {
  const wanted = keyWord.trim().toLowerCase();
  if (wanted === '') return withoutKeyWord(commands, recent).slice(0, MOST_SHOWN);
  const words = wanted.split(/\s+/u);
  const places = new Map(recent.map((id, place) => [id, place]));
  const placeOf = ({ id }: Command): number => places.get(id) ?? recent.length;
  return commands
    .flatMap((command) => {
      const label = command.label.toLowerCase();
      const text = `${label} ${command.detail?.toLowerCase() ?? ''}`;
      return words.every((word) => text.includes(word)) ? [{ command, rank: rankOf(label, wanted) }] : [];
    })
    .sort((a, b) => a.rank - b.rank || placeOf(a.command) - placeOf(b.command))
    .slice(0, MOST_SHOWN)
    .map(({ command }) => command);
}
