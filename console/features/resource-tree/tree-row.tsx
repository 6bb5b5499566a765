// One row of the resource tree. Its status comes from the push store, so that a change renders this row alone.
import { IconChevronRight } from '@tabler/icons-react';
import { cameraKey } from '@vedette/rules/camera-key.ts';
import { DEVICE_STATUS } from '@vedette/contract/enumerations.ts';
import { TREE } from '@vedette/contract/limits.ts';
import { type DragEvent, memo } from 'react';
import { useT } from '../../language/use-t.ts';
import { useDeviceStatus } from '../../realtime/status-store.ts';
import { StatusDot, type StatusTone } from '../../ui/feedback/status-dot.tsx';
import { channelDrag } from './channel-drag.ts';
import { channelsOf, type ResourceNode } from './resource-node.ts';
import { NodeIcon } from './node-icon.tsx';
import { rowTitle } from './row-title.ts';
import { SharedMark } from './shared-mark.tsx';
import style from './tree-row.module.css';

export interface TreeRowProps {
  readonly id: string;
  readonly node: ResourceNode;
  readonly index: number;
  /** Pixels from the top of the list. */
  readonly top: number;
  /** 1 for a first-level row. */
  readonly level: number;
  readonly position: number;
  readonly siblings: number;
  readonly isBranch: boolean;
  readonly isOpen: boolean;
  readonly isCurrent: boolean;
  readonly isSelected: boolean;
  readonly isDraggable: boolean;
  readonly keyWord: string;
  readonly onChoose: (index: number) => void;
  readonly onToggle: (index: number) => void;
}

function Name({ text, keyWord }: { readonly text: string; readonly keyWord: string }) {
  const wanted = keyWord.trim().toLowerCase();
  const at = wanted === '' ? -1 : text.toLowerCase().indexOf(wanted);
  if (at < 0) return <>{text}</>;
  return (
    <>
      {text.slice(0, at)}
      <mark className={style.mark}>{text.slice(at, at + wanted.length)}</mark>
      {text.slice(at + wanted.length)}
    </>
  );
}

function statusTone(status: number): StatusTone {
  if (status === DEVICE_STATUS.online) return 'online';
  return status === DEVICE_STATUS.offline ? 'offline' : 'unknown';
}

function RowStatus({ node }: { readonly node: ResourceNode }) {
  const t = useT();
  const status = useDeviceStatus(node.deviceId, node.device?.status ?? DEVICE_STATUS.unknown);
  if (node.nodeType === 'organization') return null;
  if (node.playing === true || node.playbacking === true) {
    const text = t(node.playing === true ? 'tree.playing' : 'tree.playbacking');
    return (
      <span className={style.playing} title={text}>
        <span className="visually-hidden">{text}</span>
        <i />
        <i />
        <i />
      </span>
    );
  }
  if (node.nodeType === 'channel' && status === DEVICE_STATUS.online) return null;
  const tone = statusTone(status);
  return (
    <span className={style.status} data-tone={tone}>
      <StatusDot tone={tone} />
      <span className="visually-hidden">{t(`status.${tone === 'warning' ? 'unknown' : tone}`)}</span>
    </span>
  );
}

export const TreeRow = memo(function TreeRow(props: TreeRowProps) {
  const { node, index, level, isBranch, isOpen, isDraggable } = props;
  const text = node.label ?? node.name;
  return (
    <div
      id={props.id}
      role="treeitem"
      className={style.row}
      aria-level={level}
      aria-posinset={props.position}
      aria-setsize={props.siblings}
      aria-expanded={isBranch ? isOpen : undefined}
      aria-selected={props.isSelected}
      data-current={props.isCurrent || undefined}
      data-type={node.nodeType}
      data-channel={node.channel && cameraKey(node.channel)}
      title={rowTitle(text)}
      style={{ transform: `translateY(${props.top}px)`, paddingLeft: 4 + (level - 1) * TREE.indentPx }}
      draggable={isDraggable}
      onDragStart={
        isDraggable ? (event: DragEvent) => channelDrag.begin(event.dataTransfer, channelsOf(node), 'copy') : undefined
      }
      onClick={() => props.onChoose(index)}
    >
      <span
        className={style.chevron}
        data-open={isOpen || undefined}
        data-leaf={!isBranch || undefined}
        aria-hidden="true"
        onClick={(event) => {
          if (!isBranch) return;
          event.stopPropagation();
          props.onToggle(index);
        }}
      >
        <IconChevronRight size={14} stroke={2} />
      </span>
      <NodeIcon node={node} isOpen={isOpen} />
      <span className={style.name}>
        <Name text={text} keyWord={props.keyWord} />
      </span>
      <SharedMark node={node} level={level} />
      <RowStatus node={node} />
    </div>
  );
});
