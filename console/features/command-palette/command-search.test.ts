// The order of the command palette.
import { describe, expect, it } from 'vitest';
import type { Command } from './command.ts';
import { MOST_SHOWN, searchCommands } from './command-search.ts';

function command(id: string, label: string, kind: Command['kind'] = 'camera', detail = ''): Command {
  return { id, kind, label, detail, run: () => undefined };
}

const commands = [
  command('c1', 'North Gate', 'camera', 'Harbour'),
  command('c2', 'Gate'),
  command('c3', 'Navigate'),
  command('c4', 'Gate South'),
  command('s1', 'Devices', 'screen'),
  command('a1', 'Sign out', 'action'),
];
const found = (keyWord: string, recent: readonly string[] = []): string[] =>
  searchCommands(commands, keyWord, recent).map(({ id }) => id);

describe('with a key word', () => {
  it('the whole label comes first, then its beginning, then the beginning of a word', () => {
    expect(found('gate')).toEqual(['c2', 'c4', 'c1', 'c3']);
  });

  it('words may stand in any order, and one of them in the place of the camera', () => {
    expect(found('harb north')).toEqual(['c1']);
  });

  it('of those that answer as well, the most recent one comes first', () => {
    const doors = [command('d1', 'Door one'), command('d2', 'Door two'), command('d3', 'Door three')];
    expect(searchCommands(doors, 'door', ['d3', 'd2']).map(({ id }) => id)).toEqual(['d3', 'd2', 'd1']);
  });

  it('is empty where nothing answers', () => {
    expect(found('roof')).toEqual([]);
  });
});

describe('without a key word', () => {
  it('recent ones come first, once each, then screens and actions, then cameras', () => {
    expect(found(' ', ['c3', 'gone', 'a1'])).toEqual(['c3', 'a1', 's1', 'c1', 'c2', 'c4']);
  });

  it('no more are shown than can be read', () => {
    const many = Array.from({ length: 3000 }, (_, at) => command(`m${at}`, `Camera ${at}`));
    expect(searchCommands(many, '', [])).toHaveLength(MOST_SHOWN);
    expect(searchCommands(many, 'camera', [])).toHaveLength(MOST_SHOWN);
  });
});
