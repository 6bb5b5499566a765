// The organisation, device and channel tree: search, virtual rows, keyboard, drag source.
import { IconStack2 } from '@tabler/icons-react';
import { isBranch, siblingPosition } from '@vedette/rules/tree/flat-tree.ts';
import { bestMatch } from '@vedette/rules/tree/tree-search.ts';
import { visibleRowOf } from '@vedette/rules/tree/tree-keys.ts';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { useT } from '../../language/use-t.ts';
import type { ResourceNode } from './resource-node.ts';
import { playKey } from './resource-node.ts';
import style from './resource-tree.module.css';
import type { ResourceTreeProps } from './resource-tree.props.ts';
import { ResourceTreeState as TreeStateView } from './resource-tree-state.tsx';
import { TreeRow } from './tree-row.tsx';
import { TreeSearchField } from './tree-search-field.tsx';
import { useResourceTree } from './use-resource-tree.ts';
import { useTreeKeys } from './use-tree-keys.ts';
import { useVirtualRows } from './use-virtual-rows.ts';

const NONE: ReadonlySet<string> = new Set();

export function ResourceTree(props: ResourceTreeProps) {
  const { onActivate, onSelect, scope = 'channels' } = props;
  const t = useT();
  const prefix = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const state = useResourceTree(scope);
  const { tree, rows, open, current } = state;
  const currentRow = visibleRowOf(rows, current);
  const { virtual, rowHeight } = useVirtualRows({
    scroller,
    count: rows.length,
    keyOf: (row) => tree.nodes[rows[row] ?? 0]?.id ?? row,
    currentRow,
  });

  function choose(index: number): void {
    const node = tree.nodes[index];
    if (node === undefined) return;
    state.setCurrent(index);
    onSelect?.(node);
    if (playKey(node) !== null) onActivate(node);
    else if (scope === 'channels' && isBranch(tree, index)) state.setNodeOpen(index, open[index] !== 1);
  }
  function enter(index: number): void {
    const node = tree.nodes[index];
    if (node === undefined) return;
    if (playKey(node) === null && isBranch(tree, index) && scope === 'channels')
      state.setNodeOpen(index, open[index] !== 1);
    else onActivate(node);
  }
  const actions = useStableActions({
    onChoose: choose,
    onToggle: (index) => state.setNodeOpen(index, open[index] !== 1),
  });
  const keys = useTreeKeys({
    state,
    pageRows: () => Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight),
    onSelect: (node: ResourceNode) => onSelect?.(node),
    onEnter: enter,
    onEnterAll: (index) => {
      const node = tree.nodes[index];
      if (node !== undefined) props.onActivateAll?.(node);
    },
  });
  const isFull = rows.length > 0;
  return (
    <div className={style.tree}>
      <TreeSearchField
        label={props.searchLabel ?? t('tree.search')}
        value={state.keyWord}
        onValue={state.setKeyWord}
        total={state.search?.total ?? null}
        onEnter={() => {
          // Of what is typed now: the list below may still show an earlier word.
          const best = bestMatch(tree, state.texts, state.keyWord);
          if (best < 0) return;
          state.setCurrent(best);
          enter(best);
        }}
        onLeave={() => {
          const first = rows[0];
          if (current < 0 && first !== undefined) state.setCurrent(first);
          scroller.current?.focus();
        }}
      />
      {props.first !== undefined && <FirstRow {...props.first} />}
      {!isFull && <TreeStateView state={state} scope={scope} />}
      <div
        ref={scroller}
        className={style.scroller}
        role="tree"
        aria-label={t('tree.label')}
        aria-activedescendant={currentRow < 0 ? undefined : `${prefix}${current}`}
        tabIndex={isFull ? 0 : -1}
        hidden={!isFull}
        {...keys}
        onFocus={() => {
          const first = rows[0];
          if (currentRow < 0 && first !== undefined) state.setCurrent(first);
        }}
      >
        <div role="none" className={style.rows} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => (
            <RowAt
              key={item.key}
              index={rows[item.index] ?? -1}
              top={item.start}
              prefix={prefix}
              state={state}
              selectedKeys={props.selectedKeys}
              playingKeys={props.playingKeys}
              playbackKeys={props.playbackKeys}
              isDraggable={props.isDraggable}
              {...actions}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

function FirstRow({ label, isSelected, onChoose }: NonNullable<ResourceTreeProps['first']>) {
  return (
    <button type="button" className={style.first} aria-pressed={isSelected} onClick={onChoose}>
      <IconStack2 size={16} stroke={1.6} aria-hidden="true" />
      {label}
    </button>
  );
}

interface RowActions {
  readonly onChoose: (index: number) => void;
  readonly onToggle: (index: number) => void;
}

/** The same two functions for the life of the tree, which call the newest ones: rows need not render for them. */
function useStableActions(actions: RowActions): RowActions {
  const newest = useRef(actions);
  useEffect(() => {
    newest.current = actions;
  });
  const [stable] = useState<RowActions>(() => ({
    onChoose: (index) => newest.current.onChoose(index),
    onToggle: (index) => newest.current.onToggle(index),
  }));
  return stable;
}

interface RowAtProps extends RowActions {
  readonly selectedKeys: ResourceTreeProps['selectedKeys'];
  readonly playingKeys: ResourceTreeProps['playingKeys'];
  readonly playbackKeys: ResourceTreeProps['playbackKeys'];
  readonly isDraggable: ResourceTreeProps['isDraggable'];
  readonly index: number;
  readonly top: number;
  readonly prefix: string;
  readonly state: ReturnType<typeof useResourceTree>;
}

function RowAt({ index, top, prefix, state, onChoose, onToggle, ...marks }: RowAtProps) {
  const { selectedKeys = NONE, isDraggable = false } = marks;
  const { tree, open, search } = state;
  const node = useMarkedNode(tree.nodes[index], marks);
  if (node === undefined) return null;
  const key = playKey(node);
  const place = siblingPosition(tree, index, search?.shown);
  return (
    <TreeRow
      id={`${prefix}${index}`}
      node={node}
      index={index}
      top={top}
      level={tree.depth[index]! + 1}
      position={place.position}
      siblings={place.count}
      isBranch={isBranch(tree, index)}
      isOpen={open[index] === 1}
      isCurrent={index === state.current}
      isSelected={selectedKeys.has(node.id) || (key !== null && selectedKeys.has(key))}
      isDraggable={isDraggable}
      keyWord={search === null ? '' : state.keyWord}
      onChoose={onChoose}
      onToggle={onToggle}
    />
  );
}

/** The same node as long as its marks are, so that a row renders when it changes. */
function useMarkedNode(
  node: ResourceNode | undefined,
  { playingKeys = NONE, playbackKeys = NONE }: Pick<RowAtProps, 'playingKeys' | 'playbackKeys'>,
): ResourceNode | undefined {
  const key = node === undefined ? null : playKey(node);
  const playing = key !== null && playingKeys.has(key);
  const playbacking = key !== null && playbackKeys.has(key);
  return useMemo(
    () => (node !== undefined && (playing || playbacking) ? { ...node, playing, playbacking } : node),
    [node, playing, playbacking],
  );
}
