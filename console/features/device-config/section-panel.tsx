// One section: form, picture where it matters, and saving; loading, failure, a stale edit and an altered answer are told in place.
import { configSections, type Section } from '@vedette/contract/config/sections.ts';
import type { SectionName } from '@vedette/contract/config/section-names.ts';
import { useEffect, useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import type { ChannelPlace } from '../../navigation/paths.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { SkeletonLines, StateView } from '../../ui/feedback/state-view.tsx';
import type { ListLimits } from '@vedette/rules/config/limit-problems.ts';
import { SensitivityNotice, type SectionBurst, rowOf } from './sensitivity-notice.tsx';
import { type SectionState, useSection, type Values } from './config.query.ts';
import style from './device-config.module.css';
import { RecordStatus } from './disk-cards.tsx';
import { fieldText } from './field-words.ts';
import { LiveView } from './live-view.tsx';
import { hasPlaces, VideoOverlay } from './video-overlay.tsx';
import { SectionForm } from './section-form.tsx';
import { TimeTools } from './time-tools.tsx';
import { type SectionEdit, useSectionEdit } from './use-section-edit.ts';

export interface SectionPanelProps {
  readonly place: ChannelPlace;
  readonly section: SectionName;
  /** Of the channel, for who reads the picture's name. */
  readonly name: string;
  /** Of alarms that this section detects. */
  readonly flood: SectionBurst | null;
  readonly onUnsaved: (hasChanges: boolean) => void;
}

export function SectionPanel(props: SectionPanelProps) {
  const t = useT();
  const { data, isPending, error, refetch, isFetching } = useSection(props.place, props.section);
  if (data !== undefined) return <LoadedSection {...props} state={data} />;
  if (isPending || isFetching) {
    return (
      <div className={style.waitingForm}>
        <SkeletonLines label={t('common.loading')} rows={9} rowHeight={36} />
      </div>
    );
  }
  return (
    <StateView
      role="alert"
      title={t('config.failed')}
      detail={failureText(t, error)}
      action={<Button onClick={() => void refetch()}>{t('common.retry')}</Button>}
    />
  );
}

function LoadedSection({ place, state, name, flood, onUnsaved }: SectionPanelProps & { readonly state: SectionState }) {
  const edit = useSectionEdit(place, state);
  const [chosen, setChosen] = useState(() => rowOf(state, flood));
  useEffect(() => {
    onUnsaved(edit.hasChanges);
    return () => onUnsaved(false);
  }, [edit.hasChanges, onUnsaved]);
  useSaveKeys(edit);
  const { scope, fields }: Section = configSections[state.section];
  const status = edit.draft['recordStatus'];
  const disks = (edit.draft['disks'] ?? []) as readonly unknown[];
  return (
    <>
      <div className={style.board} data-picture={scope === 'channel' || undefined}>
        <div className={style.column}>
          <Outcome edit={edit} />
          {flood !== null && <SensitivityNotice state={state} edit={edit} flood={flood} />}
          {state.section === 'time' && <TimeTools edit={edit} />}
          {typeof status === 'number' && disks.length !== 1 && <RecordStatus status={status} />}
          <SectionForm place={place} edit={edit} chosen={chosen} onChosen={setChosen} />
        </div>
        {scope === 'channel' && (
          <div className={style.stage}>
            <LiveView {...place} label={name}>
              {hasPlaces(fields) && (
                <div className={style.surface} data-picture-overlay>
                  <VideoOverlay edit={edit} chosen={chosen} onChosen={setChosen} />
                </div>
              )}
            </LiveView>
          </div>
        )}
      </div>
      {isSettable(fields, edit.limits) && <SaveBar edit={edit} />}
    </>
  );
}

/** Some sections only tell. */
function isSettable(fields: Section['fields'], limits: Values): boolean {
  return Object.entries(fields).some(([name, field]) => {
    if (limits[name] === undefined || field.readOnly === true) return false;
    return field.kind !== 'list' || isSettable(field.fields, (limits[name] as ListLimits).item);
  });
}

function Outcome({ edit }: { readonly edit: SectionEdit }) {
  const t = useT();
  const { failure, differing } = edit.outcome;
  if (edit.isStale) return <Notice tone="warning">{t('config.stale')}</Notice>;
  if (failure !== null) return <Notice tone="error">{failureText(t, failure)}</Notice>;
  if (differing.length === 0) return null;
  const names = [...new Set(differing.map((path) => fieldText(t, path.split('.').at(-1) ?? path)))];
  return <Notice tone="warning">{t('config.differing', { fields: names.join(', ') })}</Notice>;
}

function SaveBar({ edit }: { readonly edit: SectionEdit }) {
  const t = useT();
  const { hasChanges, outcome, problems } = edit;
  const words = hasChanges ? t('config.unsaved') : outcome.isSaved ? t('config.saved') : t('config.asDevice');
  return (
    <div className={style.saveBar} data-unsaved={hasChanges || undefined}>
      <span className={style.saveWords} role="status">
        {words}
      </span>
      <Button look="quiet" onClick={edit.revert} disabled={!hasChanges || outcome.isBusy}>
        {t('config.revert')}
      </Button>
      <Button
        look="primary"
        onClick={() => void edit.save()}
        isBusy={outcome.isBusy}
        disabled={!hasChanges || Object.keys(problems).length > 0}
      >
        {t('common.save')}
      </Button>
    </div>
  );
}

/** Ctrl or Cmd with S saves; with Backspace what was changed goes back. */
function useSaveKeys({ save, revert }: SectionEdit): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      if (event.key === 's') void save();
      else if (event.key === 'Backspace' && event.shiftKey) revert();
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [save, revert]);
}
