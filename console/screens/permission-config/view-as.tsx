// What a sub-account may do and sees, through its eyes; nothing can be opened from here.
import type { User } from '@vedette/contract/calls/user.ts';
import { useMemo } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { buildResourceTree } from '../../features/resource-tree/build-resource-tree.ts';
import type { ResourceNode } from '../../features/resource-tree/resource-node.ts';
import { TreeView } from '../../features/resource-tree/tree-view.tsx';
import { useT } from '../../language/use-t.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { SkeletonLines, StateView } from '../../ui/feedback/state-view.tsx';
import { isPermission, PERMISSION_ORDER, PERMISSION_WORDS } from './permission-words.ts';
import style from './permission-config-screen.module.css';
import { useUserView } from './permission.query.ts';

const DIALOG_WIDTH_PX = 560;
const LEVELS_OPEN = 8;

export function ViewAs({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const t = useT();
  const { data, error, isPending } = useUserView(user.userId);
  const roots = useMemo(
    () => buildResourceTree(data?.resources ?? [], { isWeb: true, scope: 'channels', language: t.shown }),
    [data, t.shown],
  );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('perm.viewAsTitle', { name: user.userName })}
      closeLabel={t('common.close')}
      width={DIALOG_WIDTH_PX}
    >
      {isPending && <SkeletonLines label={t('common.loading')} rows={8} rowHeight={28} />}
      {data === undefined && error !== null && (
        <StateView isSmall role="alert" title={t('tree.error')} detail={failureText(t, error)} />
      )}
      {data !== undefined && (
        <>
          <ul className={style.chips} aria-label={t('perm.rights')}>
            {PERMISSION_ORDER.map((permission) => (
              <li key={permission} data-off={!data.permissionList.includes(permission) || undefined}>
                {t(PERMISSION_WORDS[permission])}
              </li>
            ))}
          </ul>
          {roots.length === 0 ? (
            <StateView isSmall title={t('perm.seesNothing')} />
          ) : (
            <div className={style.view}>
              <TreeView<ResourceNode>
                label={t('perm.viewAsTitle', { name: user.userName })}
                roots={roots}
                openLevels={LEVELS_OPEN}
                rowEnd={(node) => <span className={style.rowRights} data-rights={rightsText(t, node)} />}
              />
            </div>
          )}
        </>
      )}
    </Dialog>
  );
}

function rightsText(t: ReturnType<typeof useT>, node: ResourceNode): string {
  const held = (node.channel ?? node.device)?.permission ?? [];
  return held
    .filter(isPermission)
    .map((permission) => t(PERMISSION_WORDS[permission]))
    .join(t('common.listSeparator'));
}
