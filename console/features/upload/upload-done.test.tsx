// Tests of the dialog after an upload, said by the wrapper around calls.
// @vitest-environment happy-dom
import { pack } from '@vedette/phrases/en/pack.ts';
import { act } from 'react';
import { expect, it } from 'vitest';
import { fakeTransport } from '../../calls/caller.fake.ts';
import { createCaller } from '../../calls/caller.ts';
import { show } from '../../services/services.fake.tsx';
import { sayUploadDone, UploadDone } from './upload-done.tsx';

it('[CA-01] an upload ends with a dialog, which stands until it is closed', async () => {
  const shown = await show(<UploadDone />, () => ({ code: 200 }));
  const caller = createCaller({
    transport: fakeTransport(() => ({ code: 200 })).transport,
    baseUrl: () => '/api/v1',
    token: () => 'T',
    onError: () => undefined,
    onSuccess: (isUpload) => isUpload && sayUploadDone(),
    onSessionEnd: () => undefined,
  });
  const dialog = () => document.querySelector('[role=dialog]');
  await act(async () => {
    await caller.send('device/list', {}, { showSuc: true });
  });
  expect(dialog()).toBeNull();
  await act(async () => {
    await caller.send('device/list', {}, { upload: { file: new Blob(['abc']) } });
  });
  await expect.poll(() => dialog()?.textContent).toContain(pack['upload.doneDetail']);
  await act(async () => {
    for (const button of document.querySelectorAll<HTMLElement>('[role=dialog] button'))
      if (button.textContent === pack['common.close']) button.click();
  });
  await expect.poll(dialog).toBeNull();
  await shown.close();
});
