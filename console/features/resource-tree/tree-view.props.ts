// What a screen gives to the tree widget: nodes by the names of the specification, and which of its abilities it uses.
import type { ChildrenPage } from '@vedette/rules/tree/lazy-children.ts';
import type { Linkage } from '@vedette/rules/tree/tree-check.ts';
import type { TreeNode } from '@vedette/rules/tree/tree-node.ts';
import type { ReactNode } from 'react';

export interface LoadedChildren<N> {
  readonly children: readonly N[];
  readonly total: number;
}

export interface TreeViewProps<N extends TreeNode & { readonly children?: readonly N[] }> {
  readonly label: string;
  readonly roots: readonly N[];
  readonly selectedId?: string | null;
  /** A click, or a move of the cursor by key. */
  readonly onSelect?: (node: N) => void;
  /** Levels that stand open at first; 1 by default. */
  readonly openLevels?: number;
  /** Children of a node with `lazy`: once, on its first opening, page by page (WG-09). */
  readonly load?: (node: N, page: ChildrenPage) => Promise<LoadedChildren<N>>;
  /** Boxes before the rows (WG-08). */
  readonly check?: { readonly linkage?: Linkage; readonly onCheck: (checked: readonly N[]) => void };
  readonly rename?: {
    readonly canRename: (node: N) => boolean;
    /** Why the name is not taken: the node stays in edit mode and shows it (WG-10). */
    readonly problemOf: (node: N, name: string) => string | null;
    /** Rejects where the server refuses. */
    readonly save: (node: N, name: string) => Promise<void>;
    /** Set from outside to start editing this node. */
    readonly editId?: string | null;
    readonly onEnd?: () => void;
  };
  readonly drag?: {
    readonly canDrag: (node: N) => boolean;
    /** Restricted by WG-11; null: to the end of its siblings. */
    readonly onBefore: (node: N, before: N | null) => void;
    /** Also onto a node, where the screen allows it. */
    readonly onInto?: (node: N, into: N) => void;
    readonly canDropInto?: (node: N, into: N) => boolean;
  };
  /** Things dragged from another part of the page onto a node. */
  readonly foreign?: {
    readonly canTake: (transfer: DataTransfer, node: N) => boolean;
    readonly onTake: (transfer: DataTransfer, into: N) => void;
  };
  /** At the right end of a row. */
  readonly rowEnd?: (node: N) => ReactNode;
}
