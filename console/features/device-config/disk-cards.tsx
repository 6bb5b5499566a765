// Disks and cards of a device: size, use, state; a disk is emptied only when its name was typed.
import type { FormatTask } from '@vedette/contract/calls/config.ts';
import { RECORD_STATUS } from '@vedette/contract/enumerations.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { sizeText } from '../../language/size-text.ts';
import { useT } from '../../language/use-t.ts';
import type { ChannelPlace } from '../../navigation/paths.ts';
import { useCaller } from '../../services/services.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { StatusDot, type StatusTone } from '../../ui/feedback/status-dot.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { UsageBar } from '../../ui/feedback/usage-bar.tsx';
import { DangerDialog } from '../confirm/danger-dialog.tsx';
import style from './device-config.module.css';
import { recordStatusText } from './field-words.ts';

export interface Disk {
  readonly id: string;
  readonly name?: string;
  readonly kind?: string;
  readonly totalBytes?: number;
  readonly usedBytes?: number;
  readonly recordStatus?: number;
  readonly canFormat?: boolean;
}

const TONES: Readonly<Record<number, StatusTone>> = {
  [RECORD_STATUS.normal]: 'online',
  [RECORD_STATUS.noCard]: 'unknown',
  [RECORD_STATUS.unformatted]: 'warning',
  [RECORD_STATUS.abnormal]: 'offline',
};
const LOOK_EVERY_MS = 1000;
const NEARLY_FULL = 0.9;

export function DiskCards({ place, disks }: { readonly place: ChannelPlace; readonly disks: readonly Disk[] }) {
  const t = useT();
  return (
    <div className={style.rows}>
      {disks.length === 0 && <p className={style.none}>{t('config.noDisks')}</p>}
      {disks.map((disk) => (
        <DiskCard key={disk.id} place={place} disk={disk} />
      ))}
    </div>
  );
}

export function RecordStatus({ status }: { readonly status: number }) {
  const t = useT();
  return <StatusDot tone={TONES[status] ?? 'unknown'} label={recordStatusText(t, status)} />;
}

function DiskCard({ place, disk }: { readonly place: ChannelPlace; readonly disk: Disk }) {
  const t = useT();
  const [isAsking, setAsking] = useState(false);
  const { task, begin } = useFormat(place, disk.id);
  const name = disk.name ?? disk.id;
  return (
    <section className={style.card} aria-label={name}>
      <header className={style.cardHead}>
        <span>{name}</span>
        {disk.recordStatus !== undefined && (
          <span className={style.plain}>
            <RecordStatus status={disk.recordStatus} />
          </span>
        )}
      </header>
      <DiskUse name={name} disk={disk} />
      {task !== undefined && <FormatState name={name} task={task} />}
      {disk.canFormat === true && (
        <Button className={style.start} disabled={task?.state === 'running'} onClick={() => setAsking(true)}>
          {t('config.format')}
        </Button>
      )}
      <FormatDialog name={name} isOpen={isAsking} onClose={() => setAsking(false)} onConfirm={begin} />
    </section>
  );
}

function DiskUse({ name, disk }: { readonly name: string; readonly disk: Disk }) {
  const t = useT();
  const { totalBytes: total = 0, usedBytes: used = 0 } = disk;
  if (total <= 0) return null;
  return (
    <>
      <UsageBar
        label={t('config.diskUse', { name })}
        share={used / total}
        tone={used / total > NEARLY_FULL ? 'warning' : 'normal'}
      />
      <span className={style.dim}>{t('config.diskUsed', { used: sizeText(t, used), total: sizeText(t, total) })}</span>
    </>
  );
}

function FormatState({ name, task }: { readonly name: string; readonly task: FormatTask }) {
  const t = useT();
  switch (task.state) {
    case 'running':
      return (
        <>
          <span role="status">{t('config.formatting', { percent: task.progress })}</span>
          <UsageBar label={t('config.formatProgress', { name })} share={task.progress / 100} tone="normal" />
        </>
      );
    case 'failed':
      return (
        <Notice tone="error">
          {task.code === null ? t('config.formatFailed') : t(`errCode_${task.code}` as never)}
        </Notice>
      );
    case 'finished':
      return <Notice tone="info">{t('config.formatDone')}</Notice>;
    default:
      return null;
  }
}

interface FormatDialogProps {
  readonly name: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => Promise<void>;
}

function FormatDialog({ name, isOpen, onClose, onConfirm }: FormatDialogProps) {
  const t = useT();
  const [typed, setTyped] = useState('');
  const [failure, setFailure] = useState<unknown>(null);
  const close = (): void => {
    setTyped('');
    setFailure(null);
    onClose();
  };
  const confirm = async (): Promise<void> => {
    try {
      await onConfirm();
      close();
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <DangerDialog
      isOpen={isOpen}
      title={t('config.formatTitle', { name })}
      confirmLabel={t('config.format')}
      isDisabled={typed.trim() !== name}
      onConfirm={() => void confirm()}
      onClose={close}
    >
      <div className={style.column}>
        <p>{t('config.formatText')}</p>
        <TextField
          label={t('config.formatType', { name })}
          value={typed}
          autoFocus
          autoComplete="off"
          spellCheck={false}
          onValue={setTyped}
        />
        {failure !== null && <Notice tone="error">{failureText(t, failure)}</Notice>}
      </div>
    </DangerDialog>
  );
}

/** The task is asked for while it goes on; what the disk holds is read anew when it ends. */
function useFormat(place: ChannelPlace, disk: string) {
  const caller = useCaller();
  const client = useQueryClient();
  const { deviceSerial, channelNo } = place;
  const input = { deviceSerial, channelNo, disk };
  const key = ['config/storage/format/status', deviceSerial, disk];
  const { data: task } = useQuery<FormatTask>({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const { task: now } = await caller.ask('config/storage/format/status', input, { signal, showError: false });
      const before = client.getQueryData<FormatTask>(key);
      if (before?.state === 'running' && now.state !== 'running')
        void client.invalidateQueries({ queryKey: ['config/get', deviceSerial, channelNo, 'storage'] });
      return now;
    },
    refetchInterval: ({ state: { data } }) => (data?.state === 'running' ? LOOK_EVERY_MS : false),
    retry: false,
  });
  const begin = async (): Promise<void> => {
    const { task: begun } = await caller.ask('config/storage/format', input, { showError: false });
    client.setQueryData(key, begun);
  };
  return { task, begin };
}
