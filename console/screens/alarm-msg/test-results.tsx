// What came of a test: each action with what it did or why it could not.
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import type { CallOutput } from '@vedette/contract/calls/calls.ts';
import { useT } from '../../language/use-t.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import rows from '../../ui/layout/list-rows.module.css';
import style from './centre-view.module.css';

export interface TestOutcome {
  /** Of the rule or the channel. */
  readonly name: string;
  readonly results: CallOutput<'alarm/rule/test'>['resultList'];
}

export interface TestResultsProps {
  /** Null: nothing is shown. */
  readonly tested: TestOutcome | null;
  readonly onClose: () => void;
}

const NOTHING: TestOutcome = { name: '', results: [] };

export function TestResults({ tested, onClose }: TestResultsProps) {
  const t = useT();
  const { name, results } = tested ?? NOTHING;
  return (
    <Dialog
      isOpen={tested !== null}
      onClose={onClose}
      title={t('alarmRules.tested', { name })}
      closeLabel={t('common.close')}
      width={480}
    >
      <ul className={style.results}>
        {results.map(({ action, channelName, isDone, reason, detail }) => (
          <li key={`${action} ${channelName}`} className={style.result} data-done={isDone || undefined}>
            {isDone ? (
              <IconCheck size={16} stroke={2} aria-hidden="true" />
            ) : (
              <IconAlertTriangle size={16} stroke={2} aria-hidden="true" />
            )}
            <div className={rows.words}>
              <strong className={rows.name}>
                {t.find(`alarmRules.action_${action}`) ?? action}
                {channelName === '' ? '' : ` · ${channelName}`}
              </strong>
              <span className={style.detail}>
                {isDone && t('alarmRules.testDone')} {reason !== null && t(`deliveryReason_${reason}`)} {detail}
              </span>
            </div>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
