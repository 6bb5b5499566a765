// The task in the editor, run over the last recordings of its camera before it is saved: what it would have told.
import type { ReplayedEvent } from '@vedette/contract/calls/task-replay.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { cameraOfKey } from '@vedette/rules/camera-key.ts';
import type { Translate } from '@vedette/phrases/translate.ts';
import { useState } from 'react';
import { isFailure } from '../../calls/call-failure.ts';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { ShownImage } from '../../ui/feedback/shown-image.tsx';
import { UsageBar } from '../../ui/feedback/usage-bar.tsx';
import { Segmented } from '../../ui/fields/segmented.tsx';
import { PictureCard } from './picture-card.tsx';
import { sceneText, type TaskDraft } from './task-draft.ts';
import { type TaskReplay as Replay, useTaskReplay } from './task-replay.query.ts';
import style from './task-replay.module.css';

const HOUR_MS = 3_600_000;
const HOURS = ['1', '3', '6'] as const;

export interface TaskReplayProps {
  readonly draft: TaskDraft;
  /** Its camera is chosen, and what is drawn is what the rule needs. */
  readonly canRun: boolean;
}

export function TaskReplay({ draft, canRun }: TaskReplayProps) {
  const t = useT();
  const replay = useTaskReplay();
  const [hours, setHours] = useState<(typeof HOURS)[number]>('1');
  const options = HOURS.map((value) => ({ value, label: t(`edge.replay.hours${value}`) }));
  return (
    <section className={style.panel} aria-labelledby="task-replay">
      <h2 id="task-replay" className={style.title}>
        {t('edge.replay.title')}
      </h2>
      <p className={style.hint}>{t('edge.replay.hint')}</p>
      <div className={style.choice}>
        <Segmented label={t('edge.replay.range')} value={hours} options={options} onValue={setHours} />
        {replay.isRunning ? (
          <Button onClick={replay.stop}>{t('edge.replay.stop')}</Button>
        ) : (
          <Button disabled={!canRun} onClick={() => replay.start(draft, Number(hours) * HOUR_MS)}>
            {t('edge.replay.start')}
          </Button>
        )}
      </div>
      <Outcome replay={replay} draft={draft} />
    </section>
  );
}

function Outcome({ replay, draft }: { readonly replay: Replay; readonly draft: TaskDraft }) {
  const t = useT();
  const { run, progress, failure } = replay;
  if (failure !== null) return <Notice tone="error">{refusalText(t, failure)}</Notice>;
  if (run === null) return null;
  const isOther = sceneText(run.draft) !== sceneText(draft);
  const share = progress === null ? 0 : progress.doneLength / Math.max(1, progress.recordedLength);
  return (
    <>
      {replay.isRunning && <UsageBar label={t('edge.replay.progress')} share={share} tone="normal" />}
      <p className={style.state} role="status">
        {stateText(t, replay, share)}
      </p>
      {isOther && <Notice tone="warning">{t('edge.replay.changed')}</Notice>}
      {progress !== null && progress.events.length > 0 && (
        <ol className={style.events} aria-label={t('edge.replay.events')}>
          {progress.events.map((event, at) => (
            <EventCard key={`${event.time} ${at}`} event={event} draft={run.draft} />
          ))}
        </ol>
      )}
    </>
  );
}

function refusalText(t: Translate, failure: unknown): string {
  if (isFailure(failure, ERROR_CODES.serviceBusy) && isReason(failure.data, 'replayRuns')) return t('edge.replay.busy');
  if (isFailure(failure, ERROR_CODES.functionNotSupported)) return t('edge.replay.missing');
  if (isFailure(failure, ERROR_CODES.notFound)) return t('edge.replay.ended');
  return failureText(t, failure);
}

function isReason(data: unknown, reason: string): boolean {
  return typeof data === 'object' && data !== null && 'reason' in data && data.reason === reason;
}

function stateText(t: Translate, { progress, isRunning }: Replay, share: number): string {
  if (progress === null) return isRunning ? t('edge.replay.starting') : t('edge.replay.stopped');
  const percent = Math.min(100, Math.max(0, Math.floor(share * 100)));
  const values = { count: progress.total, percent, minutes: Math.ceil(progress.doneLength / 60_000) };
  if (isRunning) return t('edge.replay.running', values);
  if (progress.fault !== null) return t(`edge.replay.fault.${progress.fault}`, values);
  if (progress.state === 'running') return t('edge.replay.stoppedAt', values);
  if (progress.recordedLength === 0) return t('edge.replay.noRecordings');
  return t(progress.total === 0 ? 'edge.replay.none' : 'edge.replay.finished', values);
}

function EventCard({ event, draft }: { readonly event: ReplayedEvent; readonly draft: TaskDraft }) {
  const t = useT();
  const { objectClass, score, direction, regionId, time, picture } = event;
  const region = draft.regionList.find((one) => one.regionId === regionId)?.regionName ?? '';
  const sure = t('boxes.label', {
    name: objectClass === null ? '' : t(`edge.object.${objectClass}`),
    percent: Math.round(score * 100),
  });
  const place = [region, ...(direction === null ? [] : [t(`edge.direction.${direction}`)])].join(' · ');
  return (
    <PictureCard
      camera={cameraOfKey(draft.camera ?? '')}
      picture={picture && <ShownImage src={`data:image/jpeg;base64,${picture}`} alt="" draggable={false} />}
      isWide
      what={objectClass === null ? t(`alarmType_${event.type}`) : sure}
      where={place}
      time={time}
      from={time}
    />
  );
}
