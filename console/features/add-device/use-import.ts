// A CSV file on its way: read, looked through by the server, then added as a task that goes on without the panel.
import type { DeviceImport } from '@vedette/contract/calls/onboarding.ts';
import { IMPORT_LIMITS } from '@vedette/contract/limits.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { CallFailure } from '../../calls/call-failure.ts';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { fetchResourcesAgain } from '../../realtime/push-to-cache.ts';
import { useCaller } from '../../services/services.ts';
import { useChosenSite } from '../site/chosen-site.tsx';
import { failedLines, linesOf } from './failed-rows.ts';

const KEY = ['device/import/status'] as const;
const WHILE_RUNNING_MS = 500;
const SILENT = { showError: false } as const;

/** ST-10: a file that fails is reported and leaves. */
export interface HeldFile {
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
    take: async (given: File): Promise<void> => {
      setProblem(null);
      setDryRun(null);
      const read = await readText(given);
      if ('problem' in read) return setProblem(t(`file.${read.problem}`));
      await look({ name: given.name, csv: read.text, state: 'ready' });
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
