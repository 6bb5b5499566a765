// What the documentation site holds, in the order of its contents: pages by their paths in the repository.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { type LanguageTag, LANGUAGE_TAGS } from '@vedette/phrases/pack.ts';
import { pack as english } from '@vedette/phrases/en/pack.ts';
import { pack as chinese } from '@vedette/phrases/zh-CN/pack.ts';
import { CHAPTERS } from '../../console/features/manual/chapters.ts';

/** The first page; it stands in no chapter. */
export const HOME = 'docs/index.md';

export interface Chapter {
  readonly title: string;
  /** Paths from the root of the repository. */
  readonly pages: readonly string[];
  /** Many pages: the contents name its list alone. */
  readonly list?: string;
}

const PHRASES = { en: english, 'zh-CN': chinese } as const;

const OPERATION: Chapter = {
  title: 'Run it',
  pages: [
    'docs/operations/install.md',
    'docs/operations/debian-package.md',
    'docs/operations/container.md',
    'docs/operations/first-cameras.md',
    'docs/operations/remote-access.md',
    'docs/operations/reverse-proxies.md',
    'docs/operations/identity-providers.md',
    'docs/operations/recorder-groups.md',
    'docs/operations/two-servers.md',
    'docs/operations/database-servers.md',
    'docs/operations/sizing.md',
    'docs/operations/hardening.md',
    'docs/operations/backup.md',
    'docs/operations/master-key.md',
    'docs/operations/upgrade.md',
    'docs/operations/database-upgrade.md',
    'docs/operations/monitoring.md',
    'docs/operations/soak.md',
    'docs/operations/troubleshooting.md',
    'docs/ports.md',
  ],
};

const INTEGRATION: Chapter = {
  title: 'Build on it',
  pages: [
    'docs/api.md',
    'docs/oauth.md',
    'docs/embedding.md',
    'docs/alarm-integrations.md',
    'docs/home-assistant.md',
    'docs/devices.md',
    'docs/cdn-live.md',
    'docs/edge-intelligence.md',
    'docs/bridge.md',
    'docs/shells.md',
    'docs/permissions.md',
  ],
};

const PROJECT: Chapter = {
  title: 'How it is made',
  pages: [
    'README.md',
    'CHANGELOG.md',
    'docs/architecture.md',
    'docs/glossary.md',
    'docs/security.md',
    'SECURITY.md',
    'docs/performance.md',
    'docs/breaking-changes.md',
    'CONTRIBUTING.md',
    'docs/requirements/README.md',
    'docs/requirements/product.md',
    'docs/requirements/faults.md',
    'docs/requirements/incidents.md',
    'docs/requirements/abuse-cases.md',
  ],
};

export function manualChapters(language: LanguageTag): Chapter[] {
  return CHAPTERS.map(({ title, pages }) => ({
    title: PHRASES[language][title],
    pages: pages.map((page) => `docs/manual/${language}/${page}.md`),
  }));
}

/** The Chinese site is the manual; everything else is written in English. */
export function contentsOf(language: LanguageTag, root: string): Chapter[] {
  if (language !== 'en') return manualChapters(language);
  const decisions = readdirSync(path.join(root, 'docs/decisions'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/decisions/${name}`)
    .toSorted();
  return [
    OPERATION,
    ...manualChapters(language),
    INTEGRATION,
    PROJECT,
    { title: 'Decisions', pages: decisions, list: 'decisions/index.html' },
  ];
}

/** Every page of the site with its language; each is named once. */
export function allPages(root: string): { readonly source: string; readonly language: LanguageTag }[] {
  return LANGUAGE_TAGS.flatMap((language) =>
    contentsOf(language, root).flatMap(({ pages }) => pages.map((source) => ({ source, language }))),
  );
}

/** Where a page lies in the site: `docs/operations/backup.md` is `operations/backup.html`. */
export function placeOf(source: string): string {
  const below = source.startsWith('docs/') ? source.slice('docs/'.length) : `project/${source.toLowerCase()}`;
  return below.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html');
}
