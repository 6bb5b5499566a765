// Support table of docs/devices.md is generated from the code; run with VEDETTE_WRITE_DOCS=1 to update it.
import { readFileSync, writeFileSync } from 'node:fs';
import { supportTable } from '../../drivers/support-table.ts';
import { expect, it } from 'vitest';

const PAGE = new URL('../../docs/devices.md', import.meta.url);
const BEGIN = '<!-- support: made by drivers/support-table.ts -->';
const END = '<!-- support end -->';

it('docs/devices.md matches the code of each driver', () => {
  const page = readFileSync(PAGE, 'utf8');
  const [before = '', rest = ''] = page.split(BEGIN);
  const after = rest.split(END)[1] ?? '';
  const fresh = `${before}${BEGIN}\n\n${supportTable()}\n\n${END}${after}`;
  if (process.env['VEDETTE_WRITE_DOCS'] === '1') writeFileSync(PAGE, fresh);
  expect(readFileSync(PAGE, 'utf8')).toBe(fresh);
});
