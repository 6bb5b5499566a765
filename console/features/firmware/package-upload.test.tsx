// Uploading several firmware files in a document: the limit, the facts of each, what fails, and what leaves.
// @vitest-environment happy-dom
import { UPLOAD_LIMITS } from '@vedette/contract/limits.ts';
import { act } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { type RenderedComponent, show } from '../../services/services.fake.tsx';
import { PackageUpload } from './package-upload.tsx';

let shown: RenderedComponent;
afterEach(async () => await shown.close());

async function choose(names: readonly string[]): Promise<void> {
  const input = shown.root.querySelector<HTMLInputElement>('input[type=file]');
  const files = names.map((name) => new File([name], name));
  Object.defineProperty(input, 'files', { value: files, configurable: true });
  await act(async () => input?.dispatchEvent(new Event('change', { bubbles: true })));
}
const rows = (): (string | null)[] =>
  [...shown.root.querySelectorAll('li')].map((row) => row.getAttribute('aria-label'));
const said = (): string => shown.root.querySelector('[role=alert]')?.textContent ?? '';
async function fill(name: string, deviceModel: string, version: string): Promise<void> {
  const row = `li[aria-label="${name}"]`;
  await shown.type(`${row} > :nth-child(2) input`, deviceModel);
  await shown.type(`${row} > :nth-child(3) input`, version);
}
const upload = () => [...shown.root.querySelectorAll('button')].find(({ textContent }) => textContent === 'Upload');

it('[VA-11] [LM-09] takes six files, and refuses whole what exceeds them, with a message', async () => {
  shown = await show(<PackageUpload />, () => ({ code: 200 }));
  expect(shown.root.querySelector<HTMLInputElement>('input[type=file]')?.multiple).toBe(true);
  await choose(Array.from({ length: 7 }, (_, at) => `${at}.bin`));
  expect(rows()).toEqual([]);
  expect(said()).toBe('At most 6 files at once. None of these was added.');
  await choose(['a.bin', 'b.bin', 'c.bin', 'd.bin']);
  expect(said()).toBe('');
  await choose(['e.bin', 'f.bin', 'g.bin']);
  expect(rows()).toEqual(['a.bin', 'b.bin', 'c.bin', 'd.bin']);
  expect(said()).toContain('At most 6 files');
  await choose(['e.bin', 'f.bin']);
  expect(rows()).toHaveLength(UPLOAD_LIMITS.batch);
  await shown.click('li[aria-label="a.bin"] button');
  expect(rows()).toHaveLength(5);
});

it('[VA-11] [EN-17] [ST-10] sends each with its model and version; what fails is named and leaves', async () => {
  const sent: FormData[] = [];
  shown = await show(<PackageUpload />, (path, input) => {
    if (path !== '/upload/firmware') return { code: 200 };
    sent.push(input as FormData);
    return (input as FormData).get('version') === '2' ? new Error('refused') : { code: 200 };
  });
  await choose(['gate.bin', 'dock.bin']);
  const link = shown.root.querySelector<HTMLAnchorElement>('li a');
  expect(link?.getAttribute('href')).toMatch(/^blob:/);
  expect(link?.download).toBe('gate.bin');
  expect(upload()?.disabled).toBe(true);
  await fill('gate.bin', ' G1 ', '1');
  expect(upload()?.disabled, 'one lacks its model').toBe(true);
  await fill('dock.bin', 'D1', '2');
  await act(async () => upload()?.click());
  await vi.waitFor(() => expect(rows()).toEqual([]));
  expect(sent.map((form) => [form.get('deviceModel'), form.get('version'), (form.get('file') as File).name])).toEqual([
    ['G1', '1', 'gate.bin'],
    ['D1', '2', 'dock.bin'],
  ]);
  expect(said()).toMatch(/^dock\.bin: ./);
});
