// Edge intelligence: the tasks of all cameras with what their sites do, the editor of one, and the search for what was seen.
import { IconPlus } from '@tabler/icons-react';
import type { AnalysisTask } from '@vedette/contract/calls/analysis.ts';
import { type ReactNode, useState } from 'react';
import { useSearchParams } from 'react-router';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { SkeletonLines, StateView } from '../../ui/feedback/state-view.tsx';
import { Segmented } from '../../ui/fields/segmented.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import layout from '../../ui/layout/side-layout.module.css';
import { SightingSearch } from './sighting-search.tsx';
import { useTasks } from './analysis.query.ts';
import { useConfigurableCameras } from './configurable-cameras.ts';
import style from './edge-intelligence-screen.module.css';
import { SiteCosts } from './site-costs.tsx';
import { TaskEditor } from './task-editor.tsx';
import { TaskTable } from './task-table.tsx';

const SECTIONS = ['tasks', 'search'] as const;
type Section = (typeof SECTIONS)[number];
type Open = { readonly task: AnalysisTask | null } | null;

export function EdgeIntelligenceScreen() {
  const [address, setAddress] = useSearchParams();
  const section = SECTIONS.find((one) => one === address.get('section')) ?? 'tasks';
  const choice = <SectionChoice section={section} onSection={(next) => setAddress({ section: next })} />;
  return section === 'tasks' ? <Tasks choice={choice} /> : <Search choice={choice} />;
}

interface SectionProps {
  readonly choice: ReactNode;
}

function Search({ choice }: SectionProps) {
  const t = useT();
  return (
    <main className={layout.screen}>
      <div className={layout.middle}>
        <PageHeader title={t('screen.edgeIntelligence')} fact={t('edge.search.lead')}>
          {choice}
        </PageHeader>
        <SightingSearch />
      </div>
    </main>
  );
}

interface SectionChoiceProps {
  readonly section: Section;
  readonly onSection: (section: Section) => void;
}

function SectionChoice({ section, onSection }: SectionChoiceProps) {
  const t = useT();
  const options = SECTIONS.map((value) => ({ value, label: t(`edge.section.${value}`) }));
  return <Segmented label={t('edge.section')} value={section} options={options} onValue={onSection} />;
}

function Tasks({ choice }: SectionProps) {
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
          <TaskList choice={choice} addButton={addButton} onOpen={(task) => setOpen({ task })} />
        ) : (
          <TaskEditor task={open.task} onClose={() => setOpen(null)} />
        )}
      </div>
    </main>
  );
}

interface TaskListProps extends SectionProps {
  readonly addButton: ReactNode;
  readonly onOpen: (task: AnalysisTask) => void;
}

function TaskList({ choice, addButton, onOpen }: TaskListProps) {
  const t = useT();
  const { data: tasks, error, isPending, refetch } = useTasks();
  const isEmpty = tasks === undefined || tasks.length === 0;
  return (
    <>
      <PageHeader title={t('screen.edgeIntelligence')} fact={t('edge.lead')}>
        {choice}
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
