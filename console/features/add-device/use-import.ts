// CSV files on their way: read, looked through by the server, then added as a task that goes on without the panel.
import type { DeviceImport } from '@vedette/contract/calls/onboarding.ts';
import { IMPORT_LIMITS, UPLOAD_LIMITS } from '@vedette/contract/limits.ts';
import { chooseUploadBatch } from '@vedette/rules/validation/upload-batch.ts';
import type { Translate } from '@vedette/phrases/translate.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { CallFailure } from '../../calls/call-failure.ts';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { fetchResourcesAgain } from '../../realtime/push-to-cache.ts';
import { useCaller } from '../../services/services.ts';
import { useChosenSite } from '../site/chosen-site.tsx';
import { failedLines, linesOf } from './failed-rows.ts';
import { type CsvFile, joinFiles, problemOfFiles } from './joined-files.ts';

const KEY = ['device/import/status'] as const;
const WHILE_RUNNING_MS = 500;
const SILENT = { showError: false } as const;

/** ST-10: files that fail are reported and leave. */
export interface HeldFile {
  /** Of all files that it was made of. */
  readonly name: string;
  readonly csv: string;
  readonly state: 'ready' | 'uploading' | 'success';
}

export interface ImportWishes {
  readonly isProbed: boolean;
  readonly organizationId: string;
}

type ReadFile = { readonly text: string } | { readonly problem: 'tooBig' | 'notText' };

async function readText(file: File): Promise<ReadFile> {
  // Four bytes a character at most.
  if (file.size > 4 * IMPORT_LIMITS.csvLength) return { problem: 'tooBig' };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    return text.length > IMPORT_LIMITS.csvLength ? { problem: 'tooBig' } : { text };
  } catch (error) {
    if (error instanceof TypeError) return { problem: 'notText' };
    throw error;
  }
}

/** All of the files as text; more than the limit are refused whole (VA-11), and so are files of which one cannot be read. */
async function takeFiles(
  t: Translate,
  given: readonly File[],
): Promise<{ readonly files: readonly CsvFile[] } | { readonly problem: string }> {
  const limit = UPLOAD_LIMITS.batch;
  const wish = { files: given, currentCount: 0, limit, isMultiple: true, accept: '', isDropped: false };
  if (chooseUploadBatch(wish).isExceeded) return { problem: t('file.tooMany', { limit }) };
  const files: CsvFile[] = [];
  const named = (name: string, text: string): string => (given.length > 1 ? `${name}: ${text}` : text);
  for (const file of given) {
    const read = await readText(file);
    if ('problem' in read) return { problem: named(file.name, t(`file.${read.problem}`)) };
    files.push({ name: file.name, text: read.text });
  }
  const bad = problemOfFiles(files);
  if (bad === null) return { files };
  const { name, problem, line } = bad;
  return { problem: named(name, t.find(`file.bad_${problem}`, { line }) ?? t('file.notText')) };
}

/** The newest import of the account, asked for again while it runs; lists follow what it added. */
function useNewestImport(): DeviceImport | null {
  const caller = useCaller();
  const client = useQueryClient();
  const newest = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => (await caller.ask('device/import/status', {}, { signal, showError: false })).import,
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? WHILE_RUNNING_MS : false),
  });
  const task = newest.data ?? null;
  const isRunning = task?.state === 'running';
  const added = task?.rowList.filter(({ state }) => state === 'added').length ?? 0;
  useEffect(() => {
    if (added > 0 && !isRunning) void fetchResourcesAgain(client);
  }, [added, isRunning, client]);

  return task;
}

/** Begins checks and additions, and keeps what was last added, to try what failed of it again. */
function useRuns({ isProbed, place }: { readonly isProbed: boolean; readonly place: object }) {
  const caller = useCaller();
  const client = useQueryClient();
  const [sent, setSent] = useState<string | null>(null);
  const task = useNewestImport();
  const failed = failedLines(task);
  async function begin(csv: string, mode: 'check' | 'apply'): Promise<void> {
    const answer = await caller.ask('device/import', { csv, mode, isProbed, ...place }, SILENT);
    client.setQueryData(KEY, answer.import);
    if (mode === 'apply') setSent(csv);
    await client.invalidateQueries({ queryKey: KEY });
  }
  return {
    task,
    begin,
    /** Rows that can be tried again, for as long as this panel holds their file. */
    retryable: sent === null ? 0 : failed.size,
    retry: () => (sent === null ? Promise.resolve() : begin(linesOf(sent, failed), 'apply')),
    stop: async (): Promise<void> => {
      const id = task?.task ?? null;
      if (id === null) return;
      const answer = await caller.ask('device/import/cancel', { task: id }, SILENT);
      client.setQueryData(KEY, answer.import);
    },
  };
}

export function useImport({ isProbed, organizationId }: ImportWishes) {
  const t = useT();
  const place = { organizationId, ...useChosenSite() };
  const caller = useCaller();
  const runs = useRuns({ isProbed, place });
  const [file, setFile] = useState<HeldFile | null>(null);
  const [dryRun, setDryRun] = useState<DeviceImport | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  // Of the file that was read last, or of what was sent of it.
  const [placeOf, setPlaceOf] = useState<(line: number) => string>(() => String);
  const say = (failure: unknown): void => setProblem(importFailure(t, failure));

  async function look(held: HeldFile): Promise<void> {
    setFile({ ...held, state: 'uploading' });
    try {
      setDryRun((await caller.ask('device/import', { csv: held.csv, mode: 'dryRun', ...place }, SILENT)).import);
      setFile({ ...held, state: 'success' });
    } catch (failure) {
      setFile(null);
      say(failure);
    }
  }

  return {
    file,
    dryRun,
    problem,
    task: runs.task,
    isRunning: runs.task?.state === 'running',
    retryable: runs.retryable,
    refuse: () => setProblem(t('file.accept')),
    placeOf,
    take: async (given: readonly File[]): Promise<void> => {
      setProblem(null);
      setDryRun(null);
      const taken = await takeFiles(t, given);
      if ('problem' in taken) return setProblem(taken.problem);
      const { csv, placeOf: place } = joinFiles(taken.files);
      if (csv.length > IMPORT_LIMITS.csvLength) return setProblem(t('file.tooBig'));
      setPlaceOf(() => place);
      await look({ name: taken.files.map(({ name }) => name).join(t('common.listSeparator')), csv, state: 'ready' });
    },
    run: async (mode: 'check' | 'apply'): Promise<void> => {
      if (file === null) return;
      setProblem(null);
      await runs.begin(file.csv, mode).then(() => {
        setDryRun(null);
        if (mode === 'apply') setFile(null);
      }, say);
    },
    retry: async (): Promise<void> => {
      setProblem(null);
      // What is sent again has lines of its own.
      setPlaceOf(() => String);
      await runs.retry().catch(say);
    },
    stop: () => runs.stop().catch(say),
  };
}

function importFailure(t: ReturnType<typeof useT>, failure: unknown): string {
  const data = failure instanceof CallFailure ? failure.data : null;
  if (typeof data === 'object' && data !== null && 'csv' in data) {
    const line = 'line' in data ? Number(data.line) : 1;
    const said = t.find(`file.bad_${String(data.csv)}`, { line });
    if (said !== undefined) return said;
  }
  return failureText(t, failure);
}
