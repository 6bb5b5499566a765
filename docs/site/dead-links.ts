// Follows every link of a built site: each must lead to a file of it and to an id in that file, and nothing may be loaded from elsewhere.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Attributes that browsers load by themselves, and those that readers follow. */
const ADDRESS = /<(\w+)\b([^>]*?)\b(href|src|data-index)="([^"]*)"/g;
const ID = /\bid="([^"]+)"/g;

export interface Link {
  readonly page: string;
  readonly target: string;
}

export interface FollowedLinks {
  readonly followed: number;
  readonly dead: readonly Link[];
}

export function followLinks(folder: string): FollowedLinks {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'));
  const texts = new Map(pages.map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]));
  const ids = new Map([...texts].map(([name, text]) => [name, new Set([...text.matchAll(ID)].map(([, id]) => id))]));
  const links = [...texts].flatMap(([page, text]) =>
    [...text.matchAll(ADDRESS)].map(([, tag, , , target = '']) => ({ page, target, isFollowed: tag === 'a' })),
  );
  const isAlive = ({ page, target, isFollowed }: (typeof links)[number]): boolean => {
    if (/^(?:https?|mailto):/.test(target)) return isFollowed;
    if (target.startsWith('/')) return false;
    const [file = '', hash] = target.replaceAll('&amp;', '&').split('#');
    const place = file === '' ? page : path.join(path.dirname(page), decodeURI(file));
    if (!existsSync(path.join(folder, place)) || place.startsWith('..')) return false;
    return hash === undefined || (ids.get(place)?.has(decodeURI(hash)) ?? false);
  };
  return {
    followed: links.length,
    dead: links.filter((link) => !isAlive(link)).map(({ page, target }) => ({ page, target })),
  };
}
