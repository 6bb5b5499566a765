// Edge intelligence: the tasks of all cameras with what their sites do, and the editor of one.
import { IconPlus } from '@tabler/icons-react';
import type { AnalysisTask } from '@vedette/contract/calls/analysis.ts';
import { type ReactNode, useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { SkeletonLines, StateView } from '../../ui/feedback/state-view.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import layout from '../../ui/layout/side-layout.module.css';
import { useTasks } from './analysis.query.ts';
import { useConfigurableCameras } from './configurable-cameras.ts';
import style from './edge-intelligence-screen.module.css';
import { SiteCosts } from './site-costs.tsx';
import { TaskEditor } from './task-editor.tsx';
import { TaskTable } from './task-table.tsx';

type Open = { readonly task: AnalysisTask | null } | null;

export function EdgeIntelligenceScreen() {
  const t = useT();
  const [open, setOpen] = useState<Open>(null);
  const canAdd = useConfigurableCameras().length > 0;
  const addButton = canAdd && (
    <Button look="primary" icon={<IconPlus size={16} stroke={2} />} onClick={() => setOpen({ task: null })}>
      {t('edge.add')}
    </Button>
  );
  return (
    <main className={layout.screen}>
      <div className={layout.middle}>
        {open === null ? (
          <TaskList addButton={addButton} onOpen={(task) => setOpen({ task })} />
        ) : (
          <TaskEditor task={open.task} onClose={() => setOpen(null)} />
        )}
      </div>
    </main>
  );
}

interface TaskListProps {
  readonly addButton: ReactNode;
  readonly onOpen: (task: AnalysisTask) => void;
}

function TaskList({ addButton, onOpen }: TaskListProps) {
  const t = useT();
  const { data: tasks, error, isPending, refetch } = useTasks();
  const isEmpty = tasks === undefined || tasks.length === 0;
  return (
    <>
      <PageHeader title={t('screen.edgeIntelligence')} fact={t('edge.lead')}>
        {!isEmpty && addButton}
      </PageHeader>
      <SiteCosts />
      <div className={style.work}>
        {isPending && <SkeletonLines label={t('common.loading')} rows={8} rowHeight={32} />}
        {!isPending && tasks === undefined && (
          <StateView
            role="alert"
            title={t('edge.error')}
            detail={failureText(t, error)}
            action={<Button onClick={() => void refetch()}>{t('common.retry')}</Button>}
          />
        )}
        {tasks?.length === 0 && (
          <StateView
            title={t('edge.none')}
            detail={t(addButton === false ? 'edge.noneAsk' : 'edge.noneDetail')}
            action={addButton}
          />
        )}
        {tasks !== undefined && tasks.length > 0 && <TaskTable tasks={tasks} onOpen={onOpen} />}
      </div>
    </>
  );
}
