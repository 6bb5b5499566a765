// The tasks: which camera is watched by which rule, where that runs and how it goes, and a switch for each.
import type { AnalysisTask } from '@vedette/contract/calls/analysis.ts';
import type { Translate } from '@vedette/phrases/translate.ts';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { StatusDot, type StatusTone } from '../../ui/feedback/status-dot.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';
import { SwitchField } from '../../ui/fields/switch-field.tsx';
import { type Column, DataTable } from '../../ui/layout/data-table.tsx';
import { useTaskChange } from './analysis.query.ts';
import { siteNameText } from './site-costs.tsx';
import { draftOf, saveInput } from './task-draft.ts';

export interface TaskTableProps {
  readonly tasks: readonly AnalysisTask[];
  readonly onOpen: (task: AnalysisTask) => void;
}

export function TaskTable({ tasks, onOpen }: TaskTableProps) {
  const t = useT();
  return (
    <DataTable<AnalysisTask, string>
      label={t('screen.edgeIntelligence')}
      columns={useColumns()}
      rows={tasks}
      keyOf={({ taskId }) => taskId}
      nameOf={({ taskName, channelName }) => `${taskName} ${channelName}`}
      selectedKey={null}
      onSelect={(task) => {
        if (task.isEditable) onOpen(task);
      }}
      sort={{ by: 'camera', order: 'asc' }}
      onSort={() => undefined}
    />
  );
}

const TONES: Readonly<Record<AnalysisTask['siteState'], StatusTone>> = {
  running: 'online',
  idle: 'online',
  starting: 'warning',
  missing: 'offline',
  failed: 'offline',
  noDecoder: 'offline',
  away: 'unknown',
  outdated: 'unknown',
};

function picturesText(t: Translate, { picturesPerS, dropped }: AnalysisTask): string {
  const count = Math.round(picturesPerS * 10) / 10;
  return dropped > 0 ? t('edge.dropped', { count, dropped }) : t('edge.picturesPerS', { count });
}

function useColumns(): readonly Column<AnalysisTask, string>[] {
  const t = useT();
  return [
    { id: 'camera', title: t('edge.camera'), draw: ({ channelName }) => channelName },
    { id: 'name', title: t('edge.name'), draw: ({ taskName }) => taskName },
    {
      id: 'rule',
      title: t('edge.rule'),
      width: '150px',
      isLesser: true,
      draw: ({ algorithm }) => t(`edge.algorithm.${algorithm}`),
    },
    {
      id: 'state',
      title: t('edge.stateTitle'),
      width: '150px',
      isLesser: true,
      draw: ({ isEnabled, siteState, hasModel }) => (
        <StatusDot
          tone={isEnabled ? (hasModel ? TONES[siteState] : 'offline') : 'unknown'}
          label={isEnabled ? t(hasModel ? `edge.state.${siteState}` : 'edge.state.noModel') : t('edge.off')}
        />
      ),
    },
    {
      id: 'site',
      title: t('edge.runsOn'),
      width: '140px',
      isMinor: true,
      draw: ({ siteName }) => siteNameText(t, siteName),
    },
    {
      id: 'pictures',
      title: t('edge.pictures'),
      width: '200px',
      isMinor: true,
      draw: (task) => (task.isEnabled ? picturesText(t, task) : '–'),
    },
    { id: 'enabled', title: t('edge.enabled'), width: '84px', draw: (task) => <EnableSwitch task={task} /> },
  ];
}

function EnableSwitch({ task }: { readonly task: AnalysisTask }) {
  const t = useT();
  const change = useTaskChange();
  const toggle = (isEnabled: boolean): void => {
    change('ai/task/save', saveInput({ ...draftOf(task), isEnabled }, task)).catch((failure: unknown) =>
      showToast('error', failureText(t, failure)),
    );
  };
  return (
    // The switch is not the row: pressing it opens nothing.
    <span
      role="presentation"
      onClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <SwitchField
        label=""
        ariaLabel={t('edge.enable', { name: task.taskName })}
        isOn={task.isEnabled}
        disabled={!task.isEditable}
        onToggle={toggle}
      />
    </span>
  );
}
