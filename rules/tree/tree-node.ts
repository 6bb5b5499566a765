// The nodes of the organisation and device tree, by the field names of the specification (WG-13).

export interface TreeNode {
  readonly id: string;
  readonly name: string;
  /** What the row shows; `name` where absent. */
  readonly label?: string;
  /** Word that picks the icon by type; `folder` turns into `folder_open` and `folder_close`. */
  readonly iconSkin?: string;
  readonly icon?: string;
  readonly imgSrc?: string;
  readonly nodeType?: string;
  readonly chlId?: number;
  readonly deviceId?: string;
  readonly supportLive?: boolean;
  readonly playing?: boolean;
  readonly supportPlayBack?: boolean;
  readonly playbacking?: boolean;
  readonly isEdit?: boolean;
  /** Its children are fetched on first expand. */
  readonly lazy?: boolean;
  readonly iniChecked?: boolean;
  readonly iniIndeterminate?: boolean;
  /** Stays closed when everything is expanded. */
  readonly keepClose?: boolean;
  /** Its check box is shown but can't be changed. */
  readonly disabled?: boolean;
  /** It has no check box and counts for nothing in its parent's state, unless through its own children. */
  readonly nochecked?: boolean;
  readonly children?: readonly TreeNode[];
}

/** Icon word of a row: folders follow their state (WG-08). */
export function iconOf(node: TreeNode, isOpen: boolean): string {
  const skin = node.iconSkin ?? node.icon ?? '';
  return skin === 'folder' ? (isOpen ? 'folder_open' : 'folder_close') : skin;
}
