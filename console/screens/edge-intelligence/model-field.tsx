// By which model the objects of a camera are found, where its operator has added one.
import { useT } from '../../language/use-t.ts';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { useAnalysisSites } from './analysis.query.ts';
import type { TaskDraft } from './task-draft.ts';

/** Stands for the model that comes with the program. */
const USUAL = '';

export interface ModelFieldProps {
  readonly draft: TaskDraft;
  readonly onDraft: (part: Partial<TaskDraft>) => void;
}

export function ModelField({ draft, onDraft }: ModelFieldProps) {
  const t = useT();
  const { data: sites = [] } = useAnalysisSites();
  // The first of each site comes with the program.
  const own = new Set(sites.flatMap(({ modelList }) => modelList.slice(1).map(({ name }) => name)));
  if (draft.model !== null) own.add(draft.model);
  if (own.size === 0) return null;
  const options = [...own].toSorted().map((name) => ({ value: name, label: name }));
  return (
    <SelectField
      label={t('edge.model')}
      hint={t('edge.modelHint')}
      value={draft.model ?? USUAL}
      options={[{ value: USUAL, label: t('edge.modelUsual') }, ...options]}
      onValue={(name) => onDraft({ model: name === USUAL ? null : name })}
    />
  );
}
