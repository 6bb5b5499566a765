// Tests of what the shell says of the security support of its web engine.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { engineFacts, isNoticeRead, keepNoticeRead, noticeHtml } from './engine-notice.ts';

const BOOKWORM = 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\nVERSION_ID="12"\n';
const TRIXIE = 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\nID=debian\nVERSION_ID="13"\n';
const NEXT = 'https://vedette.example/client.html?a=1&b="2"';

it("says what the machine's own list of Debian says", () => {
  const list = 'qtwebkit         No support\nwebkit2gtk       Only <trusted> content\nwebkit2gtk-other  Other\n';
  const facts = engineFacts('2.50.6', TRIXIE, list);
  expect(facts).toEqual({
    webKit: '2.50.6',
    system: 'Debian GNU/Linux 13 (trixie)',
    word: 'Only <trusted> content',
  });
  const html = noticeHtml(facts, NEXT, 'en_US.UTF-8');
  expect(html).toContain('Only &lt;trusted> content');
  expect(html).toContain('href="https://vedette.example/client.html?a=1&amp;b=&quot;2&quot;"');
  expect(html).toContain('Go on to vedette.example');
});

it('knows the word on Debian 12 without the list, and says on others that it knows none', () => {
  expect(engineFacts('2.50.6', BOOKWORM, '').word).toMatch(/^Can no longer be backported to bookworm/);
  const unknown = engineFacts('2.50.6', TRIXIE, '');
  expect(unknown.word).toBeNull();
  expect(noticeHtml(unknown, NEXT, 'en')).toContain(
    'does not know whether Debian GNU/Linux 13 (trixie) still gives security updates',
  );
  expect(noticeHtml(unknown, NEXT, 'zh_CN.UTF-8')).toContain('继续前往 vedette.example');
  expect(engineFacts('2.50.6', '', '')).toMatchObject({ system: process.platform, word: null });
});

it('is read once, and again when the engine or the word is another', () => {
  const profile = mkdtempSync(path.join(tmpdir(), 'notice-'));
  const facts = engineFacts('2.50.6', BOOKWORM, '');
  expect(isNoticeRead(profile, facts)).toBe(false);
  keepNoticeRead(profile, facts);
  expect(isNoticeRead(profile, facts)).toBe(true);
  expect(isNoticeRead(profile, { ...facts, webKit: '2.52.0' })).toBe(false);
  expect(isNoticeRead(profile, { ...facts, word: null })).toBe(false);
  rmSync(profile, { recursive: true });
});
