// What a screen gives to the resource tree; the tree itself is `resource-tree.tsx` (export `ResourceTree`).
import type { ResourceNode } from './resource-node.ts';

export interface ResourceTreeProps {
  /** Enter, double click, or a click on a row that plays: open it. Organisations toggle by themselves first. */
  readonly onActivate: (node: ResourceNode) => void;
  /** Shift+Enter: everything that the row stands for. */
  readonly onActivateAll?: (node: ResourceNode) => void;
  /** A single click or a move of the cursor by key. */
  readonly onSelect?: (node: ResourceNode) => void;
  /** Row ids (`organizationKey`, `deviceKey`, `channelKey`) drawn as selected. */
  readonly selectedKeys?: ReadonlySet<string>;
  /** `channelKey`s that play just now: their rows carry the live mark. */
  readonly playingKeys?: ReadonlySet<string>;
  /** `channelKey`s whose recordings play just now: the same for playback. */
  readonly playbackKeys?: ReadonlySet<string>;
  /** Rows can be dragged as `channelDrag`, with all that is below them. */
  readonly isDraggable?: boolean;
  /** `channels`: organisations, devices, channels (default). `organizations`: organisations alone. */
  readonly scope?: 'channels' | 'organizations';
  /** Text of the search field's name for readers; `tree.search` by default. */
  readonly searchLabel?: string;
  /** A row above the tree that stands for everything. */
  readonly first?: { readonly label: string; readonly isSelected: boolean; readonly onChoose: () => void };
}
