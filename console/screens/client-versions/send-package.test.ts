// Sending a package: its parts follow each other, and a break costs no more than the part that it hit.
import type { UploadInput } from '@vedette/contract/calls/calls.ts';
import type { VersionInfo } from '@vedette/contract/calls/client-version.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { CLIENT_VERSION_LIMITS } from '@vedette/contract/limits.ts';
import { expect, it } from 'vitest';
import { CallFailure, NetworkFailure } from '../../calls/call-failure.ts';
import type { Caller, UploadOptions } from '../../calls/caller.ts';
import { type PackageOrder, sendPackage } from './send-package.ts';

const { partBytes } = CLIENT_VERSION_LIMITS;
const file = new File([new Uint8Array(2 * partBytes + 10)], 'shell.deb');

/** `answers` fail the sends in their order; null lets one through. */
function server(answers: readonly (Error | null)[] = []) {
  const sent: { offset: number; bytes: number; showSuc: boolean | undefined }[] = [];
  const upload = async (_path: string, { offset }: UploadInput<'version/upload'>, options: UploadOptions) => {
    const failure = answers[sent.length];
    sent.push({ offset, bytes: options.upload.file.size, showSuc: options.showSuc });
    options.upload.onProgress?.(0.5);
    if (failure) throw failure;
    return { versionInfo: { versionId: 'v' } as VersionInfo };
  };
  return { sent, upload: upload as Caller['upload'] };
}

function order(more: Partial<PackageOrder> = {}) {
  const waits: number[] = [];
  const shares: number[] = [];
  const whole: PackageOrder = {
    versionId: 'v',
    file,
    publicKey: 'k',
    signature: 's',
    signal: new AbortController().signal,
    onProgress: (share) => shares.push(share),
    wait: async (ms) => void waits.push(ms),
    ...more,
  };
  return { whole, waits, shares };
}

it('sends one part after the other, and tells a success once', async () => {
  const { sent, upload } = server();
  const { whole, shares } = order();
  expect(await sendPackage({ upload }, whole)).toEqual({ versionId: 'v' });
  expect(sent).toEqual([
    { offset: 0, bytes: partBytes, showSuc: false },
    { offset: partBytes, bytes: partBytes, showSuc: false },
    { offset: 2 * partBytes, bytes: 10, showSuc: true },
  ]);
  expect(shares).toEqual(shares.toSorted((one, other) => one - other));
});

it('goes on after a lost connection where the server says that it stopped', async () => {
  const lost = new NetworkFailure('no answer');
  const stale = new CallFailure(ERROR_CODES.stale, 'stale', { receivedBytes: partBytes + 100 });
  const { sent, upload } = server([null, lost, stale]);
  const { whole, waits } = order();
  await sendPackage({ upload }, whole);
  expect(sent.map(({ offset }) => offset)).toEqual([0, partBytes, partBytes, partBytes + 100]);
  expect(waits).toEqual([1000]);
});

it('gives up after the last try, at once for a refusal, and never tries for somebody who left', async () => {
  const lost = new NetworkFailure('no answer');
  const { whole, waits } = order();
  await expect(sendPackage(server([lost, lost, lost, lost]), whole)).rejects.toBe(lost);
  expect(waits).toEqual([1000, 3000, 10_000]);
  const refused = new CallFailure(ERROR_CODES.paramInvalid, 'paramInvalid', { signature: 'notAllowed' });
  const once = server([refused]);
  await expect(sendPackage(once, order().whole)).rejects.toBe(refused);
  expect(once.sent.length).toBe(1);
  const left = server([lost]);
  await expect(sendPackage(left, order({ signal: AbortSignal.abort() }).whole)).rejects.toBe(lost);
  expect(left.sent.length).toBe(1);
});
