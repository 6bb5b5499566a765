// docs/ports.md equals the table of listening ports in the code.
import fs from 'node:fs';
import { expect, it } from 'vitest';
import { listeningPorts, portsAsMarkdown } from '../../launcher/options/ports.js';

const page = fs.readFileSync(new URL('../../docs/ports.md', import.meta.url), 'utf8');

it('equals the table of launcher/options/ports.js', () => {
  expect(page, `put this into docs/ports.md:\n${portsAsMarkdown()}`).toContain(portsAsMarkdown());
  const rows = page.split('\n').filter((line) => line.startsWith('| '));
  expect(rows.length).toBe(listeningPorts.length + 1);
});
