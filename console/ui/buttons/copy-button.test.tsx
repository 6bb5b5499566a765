// What a copy button says where the browser lets it copy, and where it does not.
import { MantineProvider } from '@mantine/core';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CopyButton } from './copy-button.tsx';

let place: HTMLElement;
let root: Root;
const writeText = vi.fn<(text: string) => Promise<void>>();

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('navigator', Object.create(navigator, { clipboard: { value: { writeText } } }));
  place = document.createElement('div');
  document.body.append(place);
  root = createRoot(place);
  const button = <CopyButton text="code" label="Copy" doneLabel="Copied" failedLabel="Blocked" />;
  act(() => root.render(<MantineProvider>{button}</MantineProvider>));
});
afterEach(() => {
  act(() => root.unmount());
  place.remove();
  vi.unstubAllGlobals();
});

async function press(): Promise<string | null | undefined> {
  await act(async () => place.querySelector('button')?.click());
  return place.querySelector('button')?.getAttribute('aria-label');
}

it('says that the text was copied', async () => {
  writeText.mockResolvedValueOnce();
  expect(await press()).toBe('Copied');
  expect(writeText).toHaveBeenCalledWith('code');
});

it('says that the browser does not allow it', async () => {
  writeText.mockRejectedValueOnce(new DOMException('Write permission denied.', 'NotAllowedError'));
  expect(await press()).toBe('Blocked');
});
