// The mark of what came by a share: whose it is and until when, at the top of what was shared.
import { IconUsers } from '@tabler/icons-react';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { sharedText } from '../share/share-mark.ts';
import type { ResourceNode } from './resource-node.ts';
import style from './tree-row.module.css';

export function SharedMark({ node, level }: { readonly node: ResourceNode; readonly level: number }) {
  const t = useT();
  const format = useTimeFormat();
  const { organization, device, nodeType } = node;
  const of = nodeType === 'organization' ? organization : nodeType === 'device' ? device : undefined;
  // What stands below a shared organisation came with it.
  if (!of?.shareInfo || level > 1) return null;
  const text = sharedText(t, of, format);
  return (
    <span className={style.shared} title={text}>
      <IconUsers size={14} stroke={1.7} aria-hidden="true" />
      <span className="visually-hidden">{text}</span>
    </span>
  );
}
