// The order of the manual's pages. A page is one file per language below docs/manual; it is listed here, and its screen names it.
import type { PlainKey } from '@vedette/phrases/pack.ts';

export const CHAPTERS = [
  { title: 'manual.chapterStart', pages: ['first-start', 'home', 'keyboard', 'my-account'] },
  { title: 'manual.chapterWatch', pages: ['live-wall', 'ptz', 'talk', 'floor-plans'] },
  { title: 'manual.chapterRecordings', pages: ['playback', 'export', 'recording'] },
  { title: 'manual.chapterAlarms', pages: ['alarms', 'alarm-rules'] },
  {
    title: 'manual.chapterDevices',
    pages: ['add-cameras', 'devices', 'device-configuration', 'edge-intelligence', 'organizations', 'remote-sites'],
  },
  {
    title: 'manual.chapterPeople',
    pages: ['sharing', 'apps', 'accounts', 'audit-log', 'statistics', 'resources', 'consumption'],
  },
  {
    title: 'manual.chapterSystem',
    pages: ['system-settings', 'client-versions', 'desktop-shell', 'integrations', 'backup', 'troubleshooting'],
  },
] as const satisfies readonly { readonly title: PlainKey; readonly pages: readonly string[] }[];

export type ManualPageName = (typeof CHAPTERS)[number]['pages'][number];

export const MANUAL_PAGES: readonly ManualPageName[] = CHAPTERS.flatMap(
  ({ pages }): readonly ManualPageName[] => pages,
);

/** A page, or one of its headings. */
export interface ManualPlace {
  readonly page: ManualPageName;
  /** The id of the heading; the top of the page where absent. */
  readonly heading?: string | undefined;
}

/** Where the manual explains a screen, and which heading belongs to which value of the screen's address. */
export interface ScreenHelp extends ManualPlace {
  readonly byParameter?: {
    readonly name: string;
    readonly places: Readonly<Record<string, ManualPlace>>;
  };
}

export const EDGE_HELP: ScreenHelp = {
  page: 'edge-intelligence',
  byParameter: { name: 'section', places: { search: { page: 'edge-intelligence', heading: 'search' } } },
};

export function readPageName(name: string | undefined): ManualPageName | undefined {
  return MANUAL_PAGES.find((page) => page === name);
}

/** The place for an address of a screen. */
export function helpAt({ byParameter, page, heading }: ScreenHelp, address: URLSearchParams): ManualPlace {
  const value = byParameter === undefined ? null : address.get(byParameter.name);
  return byParameter?.places[value ?? ''] ?? { page, heading };
}
