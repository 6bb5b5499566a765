// The manual in one language: its pages by name, and the addresses of its pictures.
import { MANUAL_PAGES, type ManualPageName } from './chapters.ts';
import { type Page, readPage } from './manual-markdown.ts';

export interface Manual {
  readonly pages: ReadonlyMap<ManualPageName, Page>;
  /** The address of a picture by its file name. */
  readonly pictures: ReadonlyMap<string, string>;
}

/** Files by their paths, as the build collects them. */
export interface ManualFiles {
  readonly pages: Readonly<Record<string, string>>;
  readonly pictures: Readonly<Record<string, string>>;
}

const fileName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export function readManual(files: ManualFiles): Manual {
  const sources = new Map(Object.entries(files.pages).map(([path, text]) => [fileName(path), text]));
  const pages = MANUAL_PAGES.flatMap((name): [ManualPageName, Page][] => {
    const source = sources.get(`${name}.md`);
    return source === undefined ? [] : [[name, readPage(source)]];
  });
  const pictures = Object.entries(files.pictures).map(([path, address]): [string, string] => [fileName(path), address]);
  return { pages: new Map(pages), pictures: new Map(pictures) };
}
