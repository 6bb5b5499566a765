// Tells that an export is ready, on whatever screen one is.
import { NOTIFICATION } from '@vedette/contract/limits.ts';
import { useEffect, useRef } from 'react';
import { codeText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { showToast } from '../../ui/toast-store.ts';
import { isPending, useExports } from './exports.query.ts';

export function ExportWatcher() {
  const t = useT();
  const { exports } = useExports();
  const pending = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    for (const one of exports) {
      if (!pending.current.has(one.task)) continue;
      if (one.state === 'finished') {
        showToast('success', t('export.ready', { name: one.name }), NOTIFICATION.durationMs);
      } else if (one.state === 'failed') {
        const why = one.code === null ? '' : codeText(t, one.code, '', null);
        showToast('error', `${t('export.title')}: ${why}`, NOTIFICATION.durationMs);
      }
    }
    pending.current = new Set(exports.filter(isPending).map(({ task }) => task));
  }, [exports, t]);
  return null;
}
