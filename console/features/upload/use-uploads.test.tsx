// Files on their way: what an entry says from choosing to the end, and what becomes of those that are too many or fail.
// @vitest-environment happy-dom
import { act, useEffect } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { type RenderedComponent, show } from '../../services/services.fake.tsx';
import { type UploadsOptions, useUploads } from './use-uploads.ts';

let shown: RenderedComponent;
let uploads: ReturnType<typeof useUploads>;
/** Each status that the only entry had, in order. */
const seen: string[] = [];
const told = { onExceed: vi.fn(), onError: vi.fn(), onSuccess: vi.fn() };
const file = (name: string) => new File(['abc'], name);

function Uploads(options: UploadsOptions) {
  const now = useUploads(options);
  useEffect(() => {
    uploads = now;
    const status = now.entries[0]?.status ?? 'none';
    if (seen.at(-1) !== status) seen.push(status);
  });
  return null;
}

async function open(more: Partial<UploadsOptions>, answer: Parameters<typeof show>[1] = () => ({ code: 200 })) {
  const options = { action: '/upload', limit: null, isMultiple: true, accept: '', ...told, ...more };
  shown = await show(<Uploads {...options} />, answer);
}
const offer = (names: readonly string[], isDropped = false): Promise<void> =>
  act(async () => uploads.offer(names.map(file), isDropped));
/** The page is drawn once while the file is under way. */
async function send(uid: number): Promise<void> {
  let sent: Promise<void> | undefined;
  act(() => {
    sent = uploads.send(uid);
  });
  await act(async () => await sent);
}
const names = (): string[] => uploads.entries.map(({ name }) => name);

afterEach(async () => {
  await shown.close();
  vi.clearAllMocks();
  seen.length = 0;
});

it('[ST-10] [EN-17] a file is ready, uploading, then success with the answer', async () => {
  await open({});
  await offer(['fw.bin']);
  const [ready] = uploads.entries;
  expect(ready).toMatchObject({ uid: 1, name: 'fw.bin', size: 3, status: 'ready', percentage: 0, response: null });
  expect(ready?.raw).toBeInstanceOf(File);
  expect(ready?.url).toMatch(/^blob:/);
  await send(1);
  expect(seen).toEqual(['none', 'ready', 'uploading', 'success']);
  expect(uploads.entries).toMatchObject([{ status: 'success', percentage: 100, response: { code: 200 } }]);
  expect(told.onSuccess).toHaveBeenCalledOnce();
});

it('[ST-10] one that fails is told as fail and leaves the list', async () => {
  await open({}, () => new Error('refused'));
  await offer(['a.bin', 'b.bin']);
  await send(1);
  expect(seen).toEqual(['none', 'ready', 'uploading', 'ready']);
  expect(names()).toEqual(['b.bin']);
  expect(told.onError).toHaveBeenCalledExactlyOnceWith(
    expect.any(Error),
    expect.objectContaining({ name: 'a.bin', status: 'fail' }),
  );
});

it('[VA-11] a batch that exceeds the limit with what is there is refused whole, and told', async () => {
  await open({ limit: 3 });
  await offer(['a', 'b']);
  await offer(['c', 'd']);
  expect(names()).toEqual(['a', 'b']);
  expect(told.onExceed).toHaveBeenCalledOnce();
  await offer(['c']);
  expect(names()).toEqual(['a', 'b', 'c']);
});

it('[VA-11] a single upload keeps the first file, and of what is dropped the accepted kinds alone', async () => {
  await open({ isMultiple: false, accept: '.bin' });
  await offer(['a.txt', 'b.bin', 'c.bin'], true);
  expect(names()).toEqual(['b.bin']);
  await offer(['d.txt'], true);
  expect(names()).toEqual(['b.bin']);
});
