// The group filter above the table of devices, with the link to managing groups.
import { IconTags } from '@tabler/icons-react';
import { useT } from '../../language/use-t.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import style from '../device-groups/device-groups.module.css';
import { GroupDialog } from './group-dialog.tsx';
import { groupName, useGroups } from './group.query.ts';

export interface GroupFilterProps {
  /** Empty for all. */
  readonly groupId: string;
  readonly onGroup: (groupId: string) => void;
  readonly canManage: boolean;
  readonly isManaging: boolean;
  readonly onManaging: (isManaging: boolean) => void;
}

export function GroupFilter({ groupId, onGroup, canManage, isManaging, onManaging }: GroupFilterProps) {
  const t = useT();
  const { data = [] } = useGroups();
  return (
    <div className={style.filter}>
      <SelectField
        label={t('group.filter')}
        isLabelHidden
        value={groupId === '' ? 'all' : groupId}
        options={[
          { value: 'all', label: t('group.all') },
          ...data.map((group) => ({ value: group.groupId, label: groupName(t, group) })),
        ]}
        onValue={(value) => onGroup(value === 'all' ? '' : value)}
        isSearchable
      />
      {canManage && (
        <IconButton label={t('group.manage')} onClick={() => onManaging(true)}>
          <IconTags size={17} stroke={1.7} />
        </IconButton>
      )}
      {isManaging && canManage && <GroupDialog onClose={() => onManaging(false)} />}
    </div>
  );
}
