// Sends a package in parts: what the server has of it already is not sent again after a break.
import type { VersionInfo } from '@vedette/contract/calls/client-version.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { CLIENT_VERSION_LIMITS } from '@vedette/contract/limits.ts';
import { CallFailure, NetworkFailure } from '../../calls/call-failure.ts';
import type { Caller } from '../../calls/caller.ts';

export interface PackageOrder {
  readonly versionId: string;
  readonly file: File;
  readonly publicKey: string;
  readonly signature: string;
  readonly signal: AbortSignal;
  /** Share of the package that the server has, 0 to 1. */
  readonly onProgress: (share: number) => void;
  /** Resolves before a part is tried again. */
  readonly wait: (ms: number) => Promise<void>;
}

/** Waits before a part whose connection was lost is tried again. */
const AGAIN_MS = [1000, 3000, 10_000];

/** Rejects as the caller does, after the last try. */
export async function sendPackage(caller: Pick<Caller, 'upload'>, order: PackageOrder): Promise<VersionInfo> {
  const { file, signal, wait } = order;
  let offset = 0;
  for (let tries = 0; ; ) {
    try {
      const info = await sendPart(caller, order, offset);
      offset += CLIENT_VERSION_LIMITS.partBytes;
      if (offset >= file.size) return info;
      tries = 0;
    } catch (failure) {
      const waitMs = AGAIN_MS[tries];
      if (waitMs === undefined || signal.aborted) throw failure;
      const receivedBytes = receivedOf(failure);
      if (receivedBytes === null && !(failure instanceof NetworkFailure)) throw failure;
      tries += 1;
      if (receivedBytes === null) await wait(waitMs);
      else offset = receivedBytes;
    }
  }
}

async function sendPart(caller: Pick<Caller, 'upload'>, order: PackageOrder, offset: number): Promise<VersionInfo> {
  const { versionId, file, publicKey, signature, signal, onProgress } = order;
  const part = file.slice(offset, offset + CLIENT_VERSION_LIMITS.partBytes);
  const isLast = offset + part.size === file.size;
  const place = { versionId, size: file.size, offset, fileName: file.name, publicKey, signature };
  const { versionInfo } = await caller.upload('version/upload', place, {
    signal,
    showError: false,
    showSuc: isLast,
    upload: { file: part, onProgress: (share) => onProgress((offset + share * part.size) / file.size) },
  });
  return versionInfo;
}

/** What the server has, where a part did not follow it; null for another failure. */
function receivedOf(failure: unknown): number | null {
  if (!(failure instanceof CallFailure) || failure.code !== ERROR_CODES.stale) return null;
  const { receivedBytes } = (failure.data ?? {}) as { receivedBytes?: unknown };
  return typeof receivedBytes === 'number' ? receivedBytes : null;
}
