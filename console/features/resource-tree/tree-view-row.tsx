// One row of the tree widget: chevron, box, icon, name or the field that renames it.
import { IconCheck, IconChevronRight, IconMinus } from '@tabler/icons-react';
import { TREE } from '@vedette/contract/limits.ts';
import { CHECK, type CheckState } from '@vedette/rules/tree/tree-check.ts';
import type { TreeNode } from '@vedette/rules/tree/tree-node.ts';
import { type DragEvent, type KeyboardEvent, type ReactNode, useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { TextField } from '../../ui/fields/text-field.tsx';
import { NodeIcon } from './node-icon.tsx';
import { rowTitle } from './row-title.ts';
import style from './tree-row.module.css';
import type { DropPlace } from './use-tree-drag.ts';

export interface TreeViewRowProps {
  readonly id: string;
  readonly node: TreeNode;
  readonly top: number;
  readonly level: number;
  readonly position: number;
  readonly siblings: number;
  readonly isBranch: boolean;
  readonly isOpen: boolean;
  readonly isCurrent: boolean;
  readonly isSelected: boolean;
  readonly isLoading: boolean;
  readonly hasFailed: boolean;
  /** null: no box. */
  readonly check: CheckState | null;
  readonly isEditing: boolean;
  readonly problemOf: (name: string) => string | null;
  readonly onSave: (name: string) => Promise<void>;
  readonly onEditEnd: () => void;
  readonly onChoose: () => void;
  readonly onToggle: () => void;
  readonly onCheck: () => void;
  readonly onEdit: () => void;
  readonly isDraggable: boolean;
  readonly drop: DropPlace | null;
  readonly onDragStart: (event: DragEvent) => void;
  readonly onDragOver: (event: DragEvent) => void;
  readonly onDragLeave: () => void;
  readonly onDragEnd: () => void;
  readonly onDrop: (event: DragEvent) => void;
  readonly end?: ReactNode;
}

const CHECKED = { [CHECK.checked]: true, [CHECK.unchecked]: false, [CHECK.indeterminate]: 'mixed' } as const;

export function TreeViewRow(props: TreeViewRowProps) {
  const { node, level, isBranch, isOpen, isEditing, check } = props;
  const text = node.label ?? node.name;
  return (
    <div
      id={props.id}
      role="treeitem"
      className={style.row}
      aria-label={text}
      aria-level={level}
      aria-posinset={props.position}
      aria-setsize={props.siblings}
      aria-expanded={isBranch ? isOpen : undefined}
      aria-selected={props.isSelected}
      aria-checked={check === null ? undefined : CHECKED[check]}
      aria-disabled={node.disabled || undefined}
      aria-busy={props.isLoading || undefined}
      data-current={props.isCurrent || undefined}
      data-drop={props.drop ?? undefined}
      data-type={node.nodeType}
      title={rowTitle(text)}
      style={{ transform: `translateY(${props.top}px)`, paddingLeft: 4 + (level - 1) * TREE.indentPx }}
      draggable={props.isDraggable && !isEditing}
      onDragStart={props.onDragStart}
      onDragOver={props.onDragOver}
      onDragLeave={props.onDragLeave}
      onDragEnd={props.onDragEnd}
      onDrop={props.onDrop}
      onClick={check === null ? props.onChoose : props.onCheck}
      onDoubleClick={props.onEdit}
    >
      <Chevron isBranch={isBranch} isOpen={isOpen} onToggle={props.onToggle} />
      <Box check={check} isDisabled={node.disabled === true} />
      <NodeIcon node={node} isOpen={isOpen} />
      <NodeName {...props} text={text} />
      <ChildrenNote isLoading={props.isLoading} hasFailed={props.hasFailed} />
      {!isEditing && props.end}
    </div>
  );
}

function Chevron({ isBranch, isOpen, onToggle }: Pick<TreeViewRowProps, 'isBranch' | 'isOpen' | 'onToggle'>) {
  return (
    <span
      className={style.chevron}
      data-open={isOpen || undefined}
      data-leaf={!isBranch || undefined}
      aria-hidden="true"
      onClick={(event) => {
        if (!isBranch) return;
        event.stopPropagation();
        onToggle();
      }}
    >
      <IconChevronRight size={14} stroke={2} />
    </span>
  );
}

function ChildrenNote({ isLoading, hasFailed }: Pick<TreeViewRowProps, 'isLoading' | 'hasFailed'>) {
  const t = useT();
  return (
    <>
      {isLoading && <span className={style.note}>{t('tree.loadingChildren')}</span>}
      {hasFailed && <span className={style.note}>{t('tree.childrenFailed')}</span>}
    </>
  );
}

function NodeName({ text, ...props }: TreeViewRowProps & { readonly text: string }) {
  return props.isEditing ? <NameField {...props} name={props.node.name} /> : <span className={style.name}>{text}</span>;
}

function Box({ check, isDisabled }: { readonly check: CheckState | null; readonly isDisabled: boolean }) {
  if (check === null) return null;
  return (
    <span className={style.box} data-state={check} data-disabled={isDisabled || undefined} aria-hidden="true">
      {check === CHECK.checked && <IconCheck size={12} stroke={3} />}
      {check === CHECK.indeterminate && <IconMinus size={12} stroke={3} />}
    </span>
  );
}

type NameFieldProps = Pick<TreeViewRowProps, 'problemOf' | 'onSave' | 'onEditEnd'> & { readonly name: string };

/** A vetoed name stays in the field with the reason; Escape leaves it as it was. */
function NameField({ name, problemOf, onSave, onEditEnd }: NameFieldProps) {
  const t = useT();
  const [text, setText] = useState(name);
  const [state, setState] = useState<{ isBusy: boolean; problem: string | null }>({ isBusy: false, problem: null });
  async function save(): Promise<void> {
    if (text === name) return onEditEnd();
    const problem = problemOf(text);
    if (problem !== null) return setState({ isBusy: false, problem });
    setState({ isBusy: true, problem: null });
    try {
      await onSave(text);
      onEditEnd();
    } catch (failure) {
      setState({ isBusy: false, problem: failureText(t, failure) });
    }
  }
  const onKey = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key === 'Enter') void save();
    else if (event.key === 'Escape') onEditEnd();
    else return;
    event.preventDefault();
  };
  return (
    <span
      className={style.edit}
      role="none"
      data-problem={state.problem !== null || undefined}
      onClick={(event) => event.stopPropagation()}
    >
      <TextField
        aria-label={t('devices.newName')}
        value={text}
        onValue={(next) => {
          setText(next);
          setState({ isBusy: false, problem: null });
        }}
        maxLength={128}
        autoFocus
        disabled={state.isBusy}
        onKeyDown={onKey}
        onBlur={() => {
          if (!state.isBusy && state.problem === null) void save();
        }}
        error={state.problem}
      />
    </span>
  );
}
