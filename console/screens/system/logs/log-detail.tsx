// One line of the log in full, below the list.
import { IconX } from '@tabler/icons-react';
import type { LogLine } from '@vedette/contract/calls/system-log.ts';
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { useT } from '../../../language/use-t.ts';
import { useTimeFormat } from '../../../language/use-time-format.ts';
import { CopyButton } from '../../../ui/buttons/copy-button.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { LEVEL_KEYS, PART_KEYS } from './log-words.ts';
import style from './logs.module.css';

export function LogDetail({ line, onClose }: { readonly line: LogLine; readonly onClose: () => void }) {
  const t = useT();
  const format = useTimeFormat();
  const detail = readable(line.detail);
  const whole = [`${new Date(line.time).toISOString()} ${line.level} ${line.part}: ${line.text}`, detail];
  return (
    <section className={style.detail} aria-label={t('systemLog.line')}>
      <header className={style.detailTop}>
        <span className={style.level} data-level={line.level}>
          {t(LEVEL_KEYS[line.level])}
        </span>
        <span className={style.facts}>{`${t(PART_KEYS[line.part])} · ${formatDateTime(line.time, format)}`}</span>
        <CopyButton
          text={whole.filter(Boolean).join('\n')}
          label={t('common.copy')}
          doneLabel={t('common.copied')}
          failedLabel={t('common.copyFailed')}
        />
        <IconButton label={t('common.close')} size="small" tipSide="left" onClick={onClose}>
          <IconX size={15} stroke={1.8} />
        </IconButton>
      </header>
      <p className={style.detailText}>{line.text}</p>
      {detail !== '' && <pre className={style.fields}>{detail}</pre>}
    </section>
  );
}

function readable(detail: string): string {
  try {
    return detail === '' ? '' : JSON.stringify(JSON.parse(detail), null, 2).replaceAll('\\n', '\n');
  } catch {
    return detail; // a long one is cut, and no JSON any more
  }
}
