// The icon of a tree row: the image of its own that a node names, else the one of its kind.
import { IconDeviceCctv } from '@tabler/icons-react';
import { iconOf, type TreeNode } from '@vedette/rules/tree/tree-node.ts';
import { TREE_ICONS } from './tree-icons.ts';
import style from './tree-row.module.css';

export function NodeIcon({ node, isOpen }: { readonly node: TreeNode; readonly isOpen: boolean }) {
  if (node.imgSrc !== undefined) return <img className={style.icon} src={node.imgSrc} alt="" width={16} height={16} />;
  const Icon = TREE_ICONS[iconOf(node, isOpen)] ?? IconDeviceCctv;
  return <Icon className={style.icon ?? ''} size={16} stroke={1.6} aria-hidden="true" />;
}
