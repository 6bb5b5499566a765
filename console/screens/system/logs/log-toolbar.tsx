// What is shown of the log: level, process, words and time; following it, and the file.
import { IconDownload, IconPlayerPause, IconPlayerPlay, IconSearch } from '@tabler/icons-react';
import { LOG_PARTS, type LogLevel } from '@vedette/contract/calls/system-log.ts';
import { useEffect, useState } from 'react';
import { saveBlob } from '../../../browser/save-blob.ts';
import { NetworkFailure } from '../../../calls/call-failure.ts';
import { failureText } from '../../../calls/failure-text.ts';
import { useT } from '../../../language/use-t.ts';
import { useCaller } from '../../../services/services.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { showToast } from '../../../ui/feedback/toast-store.ts';
import { InstantField } from '../../../ui/fields/instant-field.tsx';
import { Segmented } from '../../../ui/fields/segmented.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { type LogFilter, logInput } from './log.query.ts';
import { PART_KEYS } from './log-words.ts';
import style from './logs.module.css';

export interface LogToolbarProps {
  readonly filter: LogFilter;
  readonly onChange: (part: Partial<LogFilter>) => void;
  readonly isFollowed: boolean;
  readonly onFollow: (isOn: boolean) => void;
}

const ALL = 'all';
const ICON = { size: 16, stroke: 1.8, 'aria-hidden': true } as const;

export function LogToolbar({ filter, onChange, isFollowed, onFollow }: LogToolbarProps) {
  const t = useT();
  const { isBusy, save } = useDownload(filter);
  const parts = LOG_PARTS.map((part) => ({ value: part as string, label: t(PART_KEYS[part]) }));
  return (
    <div className={style.toolbar}>
      <Segmented<LogLevel>
        label={t('systemLog.level')}
        value={filter.level}
        onValue={(level) => onChange({ level })}
        options={[
          { value: 'debug', label: t('common.all') },
          { value: 'warning', label: t('systemLog.fromWarning') },
          { value: 'error', label: t('systemLog.fromError') },
        ]}
      />
      <div className={style.part}>
        <SelectField
          label={t('systemLog.part')}
          isLabelHidden
          value={filter.part ?? ALL}
          options={[{ value: ALL, label: t('systemLog.allParts') }, ...parts]}
          onValue={(value) => onChange({ part: LOG_PARTS.find((part) => part === value) ?? null })}
        />
      </div>
      <div className={style.search}>
        <WordField keyWord={filter.keyWord} onKeyWord={(keyWord) => onChange({ keyWord })} />
      </div>
      <div className={style.instants}>
        <InstantField label={t('systemLog.from')} at={filter.startTime} onAt={(startTime) => onChange({ startTime })} />
        <span aria-hidden="true">–</span>
        <InstantField label={t('systemLog.to')} at={filter.endTime} onAt={(endTime) => onChange({ endTime })} />
      </div>
      <span className={style.space} />
      <Button
        look="quiet"
        disabled={filter.endTime !== null}
        icon={isFollowed ? <IconPlayerPause {...ICON} /> : <IconPlayerPlay {...ICON} />}
        onClick={() => onFollow(!isFollowed)}
      >
        {t(isFollowed ? 'systemLog.pause' : 'systemLog.follow')}
      </Button>
      <Button look="quiet" icon={<IconDownload {...ICON} />} isBusy={isBusy} onClick={() => void save()}>
        {t('systemLog.download')}
      </Button>
    </div>
  );
}

const TYPED_AFTER_MS = 300;

/** Searches once typing rests: each search reads files. */
function WordField({ keyWord, onKeyWord }: { readonly keyWord: string; readonly onKeyWord: (word: string) => void }) {
  const t = useT();
  const [typed, setTyped] = useState(keyWord);
  useEffect(() => {
    if (typed === keyWord) return;
    const timer = setTimeout(() => onKeyWord(typed), TYPED_AFTER_MS);
    return () => clearTimeout(timer);
  });
  return (
    <TextField
      aria-label={t('systemLog.search')}
      placeholder={t('systemLog.search')}
      value={typed}
      onValue={setTyped}
      maxLength={128}
      spellCheck={false}
      leftIcon={<IconSearch size={15} stroke={1.8} aria-hidden="true" />}
    />
  );
}

function useDownload(filter: LogFilter) {
  const t = useT();
  const caller = useCaller();
  const [isBusy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      const { name, gzip, lineTotal, isCut } = await caller.ask('system/log/download', logInput(filter));
      const bytes = Uint8Array.from(atob(gzip), (letter) => letter.charCodeAt(0));
      await saveBlob(name, new Blob([bytes], { type: 'application/gzip' }));
      if (isCut) showToast('info', t('systemLog.cut', { count: lineTotal }));
    } catch (failure) {
      if (failure instanceof NetworkFailure) showToast('error', failureText(t, failure));
      // Whatever the server refused has been shown already.
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, save };
}
