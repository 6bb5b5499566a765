// What the distribution says of security updates for WebKitGTK: shown before the first page of a server, until the person goes on.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gtkShell as english } from '@vedette/phrases/en/gtk-shell.ts';
import { fill } from '@vedette/phrases/translate.ts';
import { gtkShell as chinese } from '@vedette/phrases/zh-CN/gtk-shell.ts';
import { escaped, isChinese, pageHtml } from '../desktop/window/start-page.ts';

/** Of the package debian-security-support: one package a line, and what Debian says of it. */
const SUPPORT_LIST = '/usr/share/debian-security-support/security-support-limited';
const OS_RELEASE = '/etc/os-release';
/** The line of debian-security-support 1:12+2026.06.30, for machines without that package. */
const DEBIAN_12 =
  'Can no longer be backported to bookworm; see https://lists.debian.org/debian-security-announce/2026/msg00142.html; only for use on trusted content';

export interface EngineFacts {
  /** Version of WebKitGTK. */
  readonly webKit: string;
  /** The system by name and version. */
  readonly system: string;
  /** What the system says of WebKitGTK, in its own words; null: nothing that is known here. */
  readonly word: string | null;
}

export function readEngineFacts(webKit: string): EngineFacts {
  return engineFacts(webKit, readIfThere(OS_RELEASE), readIfThere(SUPPORT_LIST));
}

/** `osRelease`, `supportList`: the texts of the files, empty where there is none. */
export function engineFacts(webKit: string, osRelease: string, supportList: string): EngineFacts {
  const fields = new Map(
    osRelease.split('\n').map((line) => {
      const [name = '', ...value] = line.split('=');
      return [name, value.join('=').replaceAll('"', '').trim()];
    }),
  );
  const listed = supportList.split('\n').find((line) => /^webkit2gtk\s/.test(line));
  const isDebian12 = fields.get('ID') === 'debian' && fields.get('VERSION_ID') === '12';
  const word = listed?.replace(/^webkit2gtk\s+/, '').trim() ?? (isDebian12 ? DEBIAN_12 : null);
  return { webKit, system: fields.get('PRETTY_NAME') ?? process.platform, word };
}

/** `next`: address of the page that the person goes on to. */
export function noticeHtml(facts: EngineFacts, next: string, machineLanguage: string): string {
  const texts = isChinese(machineLanguage) ? chinese : english;
  const values = { webKit: facts.webKit, system: facts.system, server: new URL(next).host };
  const paragraph = (key: keyof typeof english): string => `<p>${escaped(fill(texts[key], values))}</p>`;
  const said =
    facts.word === null
      ? paragraph('gtkShell.unknown')
      : `${paragraph('gtkShell.says')}<blockquote style="margin:0;padding-left:16px;border-left:3px solid #f0b429">${escaped(facts.word)}</blockquote>${paragraph('gtkShell.means')}`;
  const link = `<p><a href="${escaped(next).replaceAll('"', '&quot;')}" style="color:#101418;background:#d5dde5;padding:8px 16px;border-radius:4px;text-decoration:none">${escaped(fill(texts['gtkShell.goOn'], values))}</a></p>`;
  return pageHtml(
    values.server,
    `<main style="max-width:62ch;line-height:1.5"><h1 style="font-size:20px">${escaped(fill(texts['gtkShell.title'], values))}</h1>${said}${paragraph('gtkShell.other')}${link}</main>`,
    machineLanguage,
  );
}

/** Another version or another word is told again. */
export function isNoticeRead(profile: string, facts: EngineFacts): boolean {
  return readIfThere(fileOf(profile)) === JSON.stringify(facts);
}

export function keepNoticeRead(profile: string, facts: EngineFacts): void {
  const file = fileOf(profile);
  writeFileSync(`${file}.new`, JSON.stringify(facts), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function fileOf(profile: string): string {
  return path.join(profile, 'notice-read.json');
}

function readIfThere(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
