// Keys by which other programs tell alarms: made here, shown once, taken back.
import { IconKey, IconPlus, IconTrash } from '@tabler/icons-react';
import type { IngestKey } from '@vedette/contract/calls/event.ts';
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { CopyButton } from '../../ui/buttons/copy-button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import rows from '../../ui/layout/list-rows.module.css';
import { SkeletonLines, StateView } from '../../ui/feedback/state-view.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { ConfirmDialog } from '../confirm/confirm-dialog.tsx';
import style from './alarm-source.module.css';
import { useIngestKeys } from './alarm-source.query.ts';

const NAME_MAX = 64;

export function IngestKeys() {
  const t = useT();
  const { query, add, remove } = useIngestKeys();
  const [name, setName] = useState('');
  const [token, setToken] = useState<string | null>(null);
  const [leaving, setLeaving] = useState<IngestKey | null>(null);
  const isBad = name.trim() === '' || /[<>]/.test(name);
  const keys = query.data ?? [];
  const make = (): void => {
    if (isBad || add.isPending) return;
    add.mutate(name.trim(), {
      onSuccess: (made) => {
        setToken(made.token);
        setName('');
      },
    });
  };
  return (
    <section className={style.part} aria-label={t('alarmSources.keys')}>
      <h2 className={style.heading}>{t('alarmSources.keys')}</h2>
      <p className={style.lead}>{t('alarmSources.keysLead')}</p>
      {query.isPending && <SkeletonLines label={t('common.loading')} rows={2} rowHeight={52} />}
      {query.isError && (
        <StateView
          isSmall
          role="alert"
          title={t('alarmSources.keysError')}
          detail={failureText(t, query.error)}
          action={<Button onClick={() => void query.refetch()}>{t('common.retry')}</Button>}
        />
      )}
      {query.isSuccess && keys.length === 0 && <p className={style.none}>{t('alarmSources.noKeys')}</p>}
      {keys.length > 0 && (
        <ul className={rows.list}>
          {keys.map((key) => (
            <KeyRow key={key.keyId} ingestKey={key} onDelete={() => setLeaving(key)} />
          ))}
        </ul>
      )}
      <form
        className={style.add}
        onSubmit={(event) => {
          event.preventDefault();
          make();
        }}
      >
        <TextField
          label={t('alarmSources.program')}
          hint={t('alarmSources.programHint')}
          value={name}
          onValue={setName}
          maxLength={NAME_MAX}
          autoComplete="off"
          error={add.isError ? failureText(t, add.error) : null}
        />
        <Button type="submit" icon={<IconPlus size={15} stroke={2} />} isBusy={add.isPending} disabled={isBad}>
          {t('alarmSources.makeKey')}
        </Button>
      </form>
      {token !== null && <TokenDialog token={token} onClose={() => setToken(null)} />}
      {leaving !== null && (
        <ConfirmDialog
          title={t('alarmSources.deleteKey')}
          detail={t('alarmSources.deleteKeyText', { name: leaving.name })}
          confirmLabel={t('alarmSources.takeBack')}
          onConfirm={() => remove.mutateAsync(leaving.keyId)}
          onClose={() => setLeaving(null)}
        />
      )}
    </section>
  );
}

function KeyRow({ ingestKey, onDelete }: { readonly ingestKey: IngestKey; readonly onDelete: () => void }) {
  const t = useT();
  const format = useTimeFormat();
  const { name, createTime, lastTime } = ingestKey;
  const time = (at: number) => formatDateTime(at, format, false);
  return (
    <li className={rows.row} data-ingest-key={name}>
      <IconKey size={17} stroke={1.7} aria-hidden="true" />
      <div className={rows.words}>
        <strong className={rows.name}>{name}</strong>
        <span className={rows.detail}>{t('alarmSources.made', { time: time(createTime) })}</span>
      </div>
      <span className={rows.detail}>
        {lastTime === null ? t('alarmSources.unused') : t('alarmSources.used', { time: time(lastTime) })}
      </span>
      <IconButton label={t('alarmSources.takeBackOf', { name })} onClick={onDelete}>
        <IconTrash size={17} stroke={1.7} />
      </IconButton>
    </li>
  );
}

function TokenDialog({ token, onClose }: { readonly token: string; readonly onClose: () => void }) {
  const t = useT();
  return (
    <Dialog
      isOpen
      width={560}
      title={t('alarmSources.keyMade')}
      closeLabel={t('common.close')}
      onClose={onClose}
      actions={
        <Button look="primary" onClick={onClose}>
          {t('alarmSources.keyKept')}
        </Button>
      }
    >
      <p>{t('alarmSources.keyOnce')}</p>
      <div className={style.token}>
        <code data-token>{token}</code>
        <CopyButton
          text={token}
          label={t('common.copy')}
          doneLabel={t('common.copied')}
          failedLabel={t('common.copyFailed')}
        />
      </div>
      <p className={rows.detail}>{t('alarmSources.keyUse')}</p>
      <code className={style.example}>{`POST ${location.origin}/api/v1/event/ingest`}</code>
    </Dialog>
  );
}
