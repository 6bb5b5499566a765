// Has the alarms of a filter written into a CSV file and gives it to the user.
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { wait } from '@vedette/foundation/time/wait.ts';
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import { useState } from 'react';
import { saveText } from '../../browser/save-text.ts';
import { useT } from '../../language/use-t.ts';
import { useServices } from '../../services/services.ts';
import { showToast } from '../../ui/feedback/toast-store.ts';

const LOOK_EVERY_MS = 400;

export function useAlarmExport() {
  const t = useT();
  const { caller } = useServices();
  const [isBusy, setBusy] = useState(false);
  const write = async (filter: CallInput<'alarm/list'>): Promise<void> => {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    const language = t.language === 'zh-CN' ? 'zh-CN' : 'en';
    let { export: task } = await caller.ask('alarm/export', { ...filter, language, timeZone });
    while (task.state === 'running') {
      await wait(systemClock, LOOK_EVERY_MS);
      ({ export: task } = await caller.ask('alarm/export/status', { task: task.task }));
    }
    if (task.state === 'failed') return showToast('error', t('alarms.exportFailed'));
    saveText(task.fileName, task.csv);
    if (task.isCut) showToast('info', t('alarms.exportCut', { count: task.rows }));
  };
  const start = (filter: CallInput<'alarm/list'>): void => {
    setBusy(true);
    write(filter)
      // The sentence of a refusal is shown by the call itself.
      .catch(() => undefined)
      .finally(() => setBusy(false));
  };
  return { isBusy, start };
}
