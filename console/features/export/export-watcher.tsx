// Tells that an export is ready, on whatever screen one is.
import type { ExportTask } from '@vedette/contract/calls/record-export.ts';
import { useEffect, useRef } from 'react';
import { codeText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { showNotification } from '../../ui/feedback/toast-store.ts';
import { isPending, useExports } from './export.query.ts';

export function ExportWatcher() {
  const t = useT();
  const { data } = useExports();
  /** Exports whose end is no news: null until the first list came. */
  const over = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    if (data === undefined) return;
    const ended = data.filter((one) => !isPending(one));
    // Also one that was over before it was ever seen under way.
    const news = over.current === null ? [] : ended.filter(({ task }) => !over.current?.has(task));
    for (const one of news) tell(t, one);
    over.current = new Set(ended.map(({ task }) => task));
  }, [data, t]);
  return null;
}

function tell(t: ReturnType<typeof useT>, { state, name, code }: ExportTask): void {
  if (state === 'finished') return showNotification('success', t('export.ready', { name }));
  const why = code === null ? t('export.failed') : codeText(t, code, '', null);
  showNotification('error', `${t('export.title')}: ${why}`);
}
