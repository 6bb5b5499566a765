// Files on their way to the server: ready, uploading, success; one that fails is told and leaves the list (ST-10).
import { type OfferedFile, chooseUploadBatch } from '@vedette/rules/validation/upload-batch.ts';
import { useEffect, useRef, useState } from 'react';
import type { FormRequest } from '../../calls/post-form.ts';
import { useCaller } from '../../services/services.ts';

export type UploadStatus = 'ready' | 'uploading' | 'success' | 'fail';

/** An entry of EN-17. */
export interface UploadEntry {
  readonly uid: number;
  readonly name: string;
  readonly size: number;
  readonly status: UploadStatus;
  readonly percentage: number;
  readonly raw: File;
  /** Of the chosen file in this browser, as long as it is in the list. */
  readonly url: string;
  readonly response: unknown;
}

export interface UploadsOptions {
  readonly action: string;
  /** Most files of the list; null for no limit. */
  readonly limit: number | null;
  readonly isMultiple: boolean;
  readonly accept: string;
  /** More than the limit were offered: none of them was taken. */
  readonly onExceed: () => void;
  readonly onError: (failure: unknown, entry: UploadEntry) => void;
  readonly onSuccess?: (entry: UploadEntry) => void;
}

export function useUploads(options: UploadsOptions) {
  const caller = useCaller();
  const [entries, setEntries] = useState<readonly UploadEntry[]>([]);
  const newest = useRef(entries);
  const made = useRef(0);
  /** Whatever leaves the list gives its address back. */
  const put = (next: readonly UploadEntry[]): void => {
    for (const { url } of newest.current.filter(({ uid }) => next.every((one) => one.uid !== uid)))
      URL.revokeObjectURL(url);
    newest.current = next;
    setEntries(next);
  };
  useEffect(() => () => newest.current.forEach(({ url }) => URL.revokeObjectURL(url)), []);
  const change = (uid: number, part: Partial<UploadEntry>): void =>
    put(newest.current.map((entry) => (entry.uid === uid ? { ...entry, ...part } : entry)));
  const remove = (uid: number): void => put(newest.current.filter((one) => one.uid !== uid));
  const offer = (files: readonly (File & OfferedFile)[], isDropped: boolean): void => {
    const { limit, isMultiple, accept, onExceed } = options;
    // A single upload replaces what is held.
    const currentCount = isMultiple ? newest.current.length : 0;
    const chosen = chooseUploadBatch({ files, currentCount, limit, isMultiple, accept, isDropped });
    if (chosen.isExceeded) return onExceed();
    if (chosen.files.length === 0) return;
    const added = chosen.files.map((raw): UploadEntry => {
      made.current += 1;
      const { name, size } = raw;
      const url = URL.createObjectURL(raw);
      return { uid: made.current, name, size, status: 'ready', percentage: 0, raw, url, response: null };
    });
    put([...(isMultiple ? newest.current : []), ...added]);
  };
  const send = async (uid: number, data: FormRequest['data'] = {}): Promise<void> => {
    const entry = newest.current.find((one) => one.uid === uid);
    if (entry?.status !== 'ready') return;
    change(uid, { status: 'uploading' });
    try {
      const onProgress = (percentage: number): void => change(uid, { percentage });
      const response = await caller.postForm({ action: options.action, file: entry.raw, data, onProgress });
      change(uid, { status: 'success', percentage: 100, response });
      options.onSuccess?.({ ...entry, status: 'success', percentage: 100, response });
    } catch (failure) {
      remove(uid);
      options.onError(failure, { ...entry, status: 'fail' });
    }
  };
  return { entries, offer, send, remove };
}
