// Recorder groups: which sites stand in for each other, who has whose cameras, and the way back.
import { IconDots, IconPlus } from '@tabler/icons-react';
import type { RecorderGroup } from '@vedette/contract/calls/recorder-group.ts';
import { useState } from 'react';
import { failureText } from '../../../calls/failure-text.ts';
import { ConfirmDialog } from '../../../features/confirm/confirm-dialog.tsx';
import { useRecorderGroupChanges, useRecorderGroups } from '../../../features/site/recorder-group.query.ts';
import { useSites } from '../../../features/site/site.query.ts';
import { useT } from '../../../language/use-t.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { Menu } from '../../../ui/overlays/menu.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { SettingsSection } from '../../../ui/layout/settings-section.tsx';
import { SkeletonLines } from '../../../ui/feedback/state-view.tsx';
import { GroupDialog } from './group-dialog.tsx';
import { GroupMemberRow } from './group-member-row.tsx';
import style from './groups-part.module.css';

type Doing =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'adding' }
  | { readonly kind: 'changing' | 'dissolving'; readonly group: RecorderGroup };

const NOTHING: Doing = { kind: 'nothing' };
/** One site alone has nobody to stand in for it. */
const SITES_LEAST = 2;

export function GroupsPart() {
  const t = useT();
  const [doing, setDoing] = useState<Doing>(NOTHING);
  const { data: groups, isPending, error, refetch } = useRecorderGroups();
  const { data: sites = [] } = useSites();
  const hasSites = sites.length >= SITES_LEAST;
  return (
    <SettingsSection title={t('groups.title')} lead={t('groups.lead')}>
      {isPending && <SkeletonLines label={t('common.loading')} rows={1} rowHeight={44} />}
      {groups === undefined && error !== null && (
        <Notice tone="error" action={<Button onClick={() => void refetch()}>{t('common.retry')}</Button>}>
          {t('groups.error')} {failureText(t, error)}
        </Notice>
      )}
      {groups?.map((group) => (
        <GroupCard
          key={group.groupId}
          group={group}
          onChange={() => setDoing({ kind: 'changing', group })}
          onDissolve={() => setDoing({ kind: 'dissolving', group })}
        />
      ))}
      {!hasSites && groups?.length === 0 && <p className={style.hint}>{t('groups.needSites')}</p>}
      <Button
        className={style.add}
        disabled={!hasSites}
        icon={<IconPlus size={15} stroke={2} aria-hidden="true" />}
        onClick={() => setDoing({ kind: 'adding' })}
      >
        {t('groups.add')}
      </Button>
      <DoingDialog doing={doing} groups={groups ?? []} onClose={() => setDoing(NOTHING)} />
    </SettingsSection>
  );
}

interface DoingDialogProps {
  readonly doing: Doing;
  readonly groups: readonly RecorderGroup[];
  readonly onClose: () => void;
}

function DoingDialog({ doing, groups, onClose }: DoingDialogProps) {
  const t = useT();
  const { dissolve } = useRecorderGroupChanges();
  switch (doing.kind) {
    case 'nothing':
      return null;
    case 'adding':
      return <GroupDialog group={null} groups={groups} onClose={onClose} />;
    case 'changing':
      return <GroupDialog group={doing.group} groups={groups} onClose={onClose} />;
    case 'dissolving':
      return (
        <ConfirmDialog
          title={t('groups.dissolveTitle', { name: doing.group.groupName })}
          detail={t('groups.dissolveDetail')}
          confirmLabel={t('groups.dissolve')}
          done={t('groups.dissolved')}
          onConfirm={() => dissolve(doing.group.groupId)}
          onClose={onClose}
        />
      );
  }
}

interface GroupCardProps {
  readonly group: RecorderGroup;
  readonly onChange: () => void;
  readonly onDissolve: () => void;
}

function GroupCard({ group, onChange, onDissolve }: GroupCardProps) {
  const t = useT();
  const { groupName: name, memberList, returnsByItself } = group;
  const more = t('groups.more', { name });
  const facts = [
    t.plural('groups.sites', memberList.length),
    t.plural('groups.spares', memberList.filter(({ isSpare }) => isSpare).length),
    ...(returnsByItself ? [t('groups.returns')] : []),
  ];
  return (
    <section className={style.group} aria-label={name}>
      <header className={style.head}>
        <div className={style.text}>
          <h3 className={style.name}>{name}</h3>
          <span className={style.facts}>{facts.join(' · ')}</span>
        </div>
        <Menu
          label={more}
          side="bottom-end"
          width={180}
          entries={[
            { kind: 'item', label: t('groups.change'), onChoose: onChange },
            { kind: 'line' },
            { kind: 'item', label: t('groups.dissolve'), onChoose: onDissolve, isDanger: true },
          ]}
        >
          <IconButton label={more} size="small" tipSide="left">
            <IconDots size={16} stroke={1.8} />
          </IconButton>
        </Menu>
      </header>
      <ul className={style.members}>
        {memberList.map((member) => (
          <GroupMemberRow key={member.siteId} member={member} />
        ))}
      </ul>
    </section>
  );
}
