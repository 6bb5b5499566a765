// One task: the picture of its camera with what is drawn on it, and beside it all that counts.
import type { AnalysisTask } from '@vedette/contract/calls/analysis.ts';
import { ANALYSIS_ALGORITHMS } from '@vedette/contract/enumerations.ts';
import { cameraOfKey } from '@vedette/rules/camera-key.ts';
import { useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { HoursField } from '../../features/alarm-rule/hours-field.tsx';
import { ConfirmDialog } from '../../features/confirm/confirm-dialog.tsx';
import { LiveView } from '../../features/device-config/live-view.tsx';
import { useUnsaved } from '../../features/unsaved/use-unsaved.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { SwitchField } from '../../ui/fields/switch-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { useCameraZone, useTaskChange } from './analysis.query.ts';
import { useConfigurableCameras } from './configurable-cameras.ts';
import { RegionList } from './region-list.tsx';
import { RegionOverlay } from './region-overlay.tsx';
import { TaskReplay } from './task-replay.tsx';
import { AdvancedFields, ClassChips, type SceneFieldsProps, ThresholdField } from './scene-fields.tsx';
import { type DraftProblems, draftOf, draftProblems, NEW_TASK, saveInput, type TaskDraft } from './task-draft.ts';
import style from './task-editor.module.css';

export interface TaskEditorProps {
  /** null: a new one. */
  readonly task: AnalysisTask | null;
  readonly onClose: () => void;
}

export function TaskEditor({ task, onClose }: TaskEditorProps) {
  const t = useT();
  const [before] = useState(() => (task === null ? NEW_TASK : draftOf(task)));
  const [draft, setDraft] = useState(before);
  const [chosen, setChosen] = useState(0);
  const problems = draftProblems(draft);
  const isChanged = JSON.stringify(draft) !== JSON.stringify(before);
  const leave = useUnsaved(isChanged);
  const onDraft = (part: Partial<TaskDraft>): void => setDraft((held) => ({ ...held, ...part }));
  const fields = { draft, problems, onDraft };
  return (
    <>
      <PageHeader title={task === null ? t('edge.newTask') : task.taskName} fact={task?.channelName}>
        <Button look="quiet" onClick={() => leave(onClose)}>
          {t('common.cancel')}
        </Button>
      </PageHeader>
      <div className={style.board}>
        <div className={style.column}>
          <TaskFields {...fields} isNew={task === null} />
          <RegionList
            draft={draft}
            problems={problems}
            chosen={chosen}
            onChosen={setChosen}
            onRegions={(regionList) => onDraft({ regionList })}
          />
          <ClassChips {...fields} />
          <ThresholdField {...fields} />
          <AdvancedFields {...fields} />
          <Hours {...fields} />
        </div>
        <div className={style.stage}>
          <Stage draft={draft} chosen={chosen} onChosen={setChosen} onDraft={onDraft} />
          {draft.camera !== null && <TaskReplay key={draft.camera} draft={draft} canRun={canRun(problems)} />}
        </div>
      </div>
      <SaveBar
        task={task}
        draft={draft}
        canSave={problems.fields.size + problems.shapes.size === 0}
        onClose={onClose}
      />
    </>
  );
}

/** A task needs no name to be run over recordings. */
function canRun({ fields, shapes }: DraftProblems): boolean {
  return shapes.size === 0 && [...fields].every((field) => field === 'name');
}

function TaskFields({ draft, problems, onDraft, isNew }: SceneFieldsProps & { readonly isNew: boolean }) {
  const t = useT();
  const cameras = useConfigurableCameras();
  return (
    <>
      <TextField
        label={t('edge.name')}
        value={draft.taskName}
        onValue={(taskName) => onDraft({ taskName })}
        maxLength={64}
        error={problems.fields.has('name') && !isNew ? t('edge.problem.name') : null}
      />
      {isNew && (
        <SelectField
          label={t('edge.camera')}
          hint={t('edge.cameraHint')}
          isSearchable
          value={draft.camera}
          options={cameras}
          onValue={(camera) => onDraft({ camera })}
        />
      )}
      <SelectField
        label={t('edge.rule')}
        value={draft.algorithm}
        options={ANALYSIS_ALGORITHMS.map((value) => ({ value, label: t(`edge.algorithm.${value}`) }))}
        onValue={(value) => onDraft({ algorithm: ANALYSIS_ALGORITHMS.find((one) => one === value) ?? draft.algorithm })}
      />
      <SwitchField label={t('edge.enabled')} isOn={draft.isEnabled} onToggle={(isEnabled) => onDraft({ isEnabled })} />
    </>
  );
}

function Hours({ draft, onDraft }: SceneFieldsProps) {
  const t = useT();
  const place = draft.camera === null ? null : cameraOfKey(draft.camera);
  const zone = useCameraZone(place).data ?? '';
  // A task is watched or not: the types of a recording plan do not matter.
  const plan =
    draft.plan &&
    draft.plan.map(({ day, entryList }) => ({
      day,
      entryList: entryList.map((entry) => ({ ...entry, Type: 1 as const })),
    }));
  return (
    <fieldset className={style.group}>
      <legend>{t('edge.hours')}</legend>
      <HoursField
        label={t('edge.hours')}
        plan={plan}
        timeZone={zone}
        titleOfPlan={t('edge.planTitle')}
        nameOfType={t('edge.watched')}
        nameOfNone={t('edge.always')}
        onPlan={(next) => onDraft({ plan: next })}
      />
    </fieldset>
  );
}

interface StageProps {
  readonly draft: TaskDraft;
  readonly chosen: number;
  readonly onChosen: (at: number) => void;
  readonly onDraft: (part: Partial<TaskDraft>) => void;
}

function Stage({ draft, chosen, onChosen, onDraft }: StageProps) {
  const t = useT();
  if (draft.camera === null) return <p className={style.noPicture}>{t('edge.chooseCamera')}</p>;
  return (
    <LiveView key={draft.camera} {...cameraOfKey(draft.camera)} label={t('edge.picture', { name: draft.taskName })}>
      <RegionOverlay
        regions={draft.regionList}
        chosen={chosen}
        onChosen={onChosen}
        onRegion={(at, region) => onDraft({ regionList: draft.regionList.with(at, region) })}
      />
    </LiveView>
  );
}

interface SaveBarProps extends TaskEditorProps {
  readonly draft: TaskDraft;
  readonly canSave: boolean;
}

function SaveBar({ task, draft, canSave, onClose }: SaveBarProps) {
  const t = useT();
  const change = useTaskChange();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const [isDeleting, setDeleting] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      await change('ai/task/save', saveInput(draft, task));
      showToast('success', t('edge.saved', { name: draft.taskName }));
      onClose();
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  };
  return (
    <footer className={style.saveBar}>
      {failure !== null && <Notice tone="error">{failureText(t, failure)}</Notice>}
      {task !== null && (
        <Button look="quiet" onClick={() => setDeleting(true)}>
          {t('edge.delete')}
        </Button>
      )}
      <Button look="primary" isBusy={isBusy} disabled={!canSave} onClick={() => void save()}>
        {t('common.save')}
      </Button>
      {isDeleting && task !== null && (
        <ConfirmDialog
          title={t('edge.deleteTitle', { name: task.taskName })}
          detail={t('edge.deleteDetail')}
          confirmLabel={t('edge.delete')}
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            const { deviceSerial, channelNo, taskId } = task;
            await change('ai/task/delete', { deviceSerial, channelNo, taskId });
            onClose();
          }}
        />
      )}
    </footer>
  );
}
