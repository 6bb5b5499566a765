// Puts chosen devices into a group.
import { IconTags } from '@tabler/icons-react';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';
import { groupName, useGroupChanges, useGroups } from './group.query.ts';

export function AssignGroup({ serials }: { readonly serials: readonly string[] }) {
  const t = useT();
  const { data = [] } = useGroups();
  const { assign } = useGroupChanges();
  const put = (groupId: string, name: string): void => {
    assign(groupId, [...serials]).then(
      () => showToast('success', t('group.assigned', { name })),
      (failure: unknown) => showToast('error', failureText(t, failure)),
    );
  };
  return (
    <Menu
      label={t('group.assign')}
      entries={data.map((group) => ({
        kind: 'item',
        label: groupName(t, group),
        onChoose: () => put(group.groupId, groupName(t, group)),
      }))}
    >
      <Button look="quiet" icon={<IconTags size={15} stroke={1.8} aria-hidden="true" />}>
        {t('group.assign')}
      </Button>
    </Menu>
  );
}
