// orgManage: the tree of organisations on the left, the chosen one with its devices on the right.
import { IconFolderPlus } from '@tabler/icons-react';
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { failureText } from '../../calls/failure-text.ts';
import { ROOT_ORGANIZATION } from '../../features/resource-tree/organization-options.ts';
import { useShownResources } from '../../features/resource-tree/resources.query.ts';
import { useT } from '../../language/use-t.ts';
import { useAuth } from '../../session/auth-store.ts';
import { cacheNodeOrgs } from '../../session/cached-lists.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { SkeletonLines, StateView } from '../../ui/feedback/state-view.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';
import layout from '../../ui/layout/side-layout.module.css';
import { orgFacts, useOrgChanges } from './org-changes.ts';
import { OrgBelow } from './org-below.tsx';
import { OrgContent } from './org-content.tsx';
import { type OrgDialogKind, OrgDialogs } from './org-dialogs.tsx';
import style from './org-manage-screen.module.css';
import { OrgTree } from './org-tree.tsx';

interface OpenDialog {
  readonly kind: OrgDialogKind;
  /** The organisation it is about; '0' is the root. */
  readonly organizationId: string;
  readonly serials: readonly string[];
}

function useSelected(): [string, (organizationId: string) => void] {
  const [params, setParams] = useSearchParams();
  const selected = params.get('organization') ?? ROOT_ORGANIZATION;
  return [
    selected,
    (organizationId) =>
      setParams(organizationId === ROOT_ORGANIZATION ? {} : { organization: organizationId }, { replace: true }),
  ];
}

export function OrgManageScreen() {
  const t = useT();
  const { query, resources } = useShownResources();
  const changes = useOrgChanges();
  const isOwner = useAuth((auth) => auth.userType !== USER_TYPE.sub);
  const [selected, select] = useSelected();
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const [editId, setEditId] = useState<string | null>(null);
  const facts = useMemo(() => orgFacts(resources ?? []), [resources]);
  const organization = facts.byId.get(selected);
  const below = useMemo(
    () => [...facts.byId.values()].filter((one) => one.parentOrgId === selected),
    [facts, selected],
  );
  useEffect(() => cacheNodeOrgs(below), [below]);
  const open = (kind: OrgDialogKind, organizationId: string, serials: readonly string[] = []): void =>
    setDialog({ kind, organizationId, serials });
  const takeDevices = (serials: readonly string[], organizationId: string): void => {
    changes
      .moveDevices(serials, organizationId)
      .catch((failure: unknown) => showToast('error', failureText(t, failure)));
  };
  if (resources === undefined)
    return (
      <Frame>
        {query.isPending ? (
          <div className={style.loading}>
            <SkeletonLines label={t('tree.loading')} rows={12} rowHeight={28} />
          </div>
        ) : (
          <StateView
            role="alert"
            title={t('tree.error')}
            detail={failureText(t, query.error)}
            action={<Button onClick={() => void query.refetch()}>{t('common.retry')}</Button>}
          />
        )}
      </Frame>
    );
  return (
    <Frame>
      <aside className={`${layout.side} ${style.side}`} aria-label={t('org.tree')}>
        <div className={style.sideHead}>
          <h1>{t('screen.organizations')}</h1>
          {isOwner && (
            <IconButton label={t('org.addTop')} size="small" onClick={() => open('add', ROOT_ORGANIZATION)}>
              <IconFolderPlus size={17} stroke={1.7} />
            </IconButton>
          )}
        </div>
        <OrgTree
          resources={resources}
          facts={facts}
          changes={changes}
          selected={selected}
          onSelect={select}
          onTake={takeDevices}
          editId={editId}
          onEditEnd={() => setEditId(null)}
        />
        {facts.byId.size === 0 && (
          <StateView
            isSmall
            title={t('org.empty')}
            action={
              isOwner && (
                <Button look="primary" onClick={() => open('add', ROOT_ORGANIZATION)}>
                  {t('org.addTop')}
                </Button>
              )
            }
          />
        )}
      </aside>
      <OrgContent
        organization={organization}
        fact={`${t.plural('org.total', below.length)} · ${t.plural('devices.total', facts.deviceTotals.get(selected) ?? 0)}`}
        isOwner={isOwner}
        below={<OrgBelow below={below} facts={facts} onSelect={select} onTake={takeDevices} />}
        onDialog={(kind, serials) => open(kind, selected, serials)}
        onRename={() => setEditId(selected)}
      />
      {dialog !== null && (
        <OrgDialogs
          kind={dialog.kind}
          organization={facts.byId.get(dialog.organizationId)}
          serials={dialog.serials}
          facts={facts}
          changes={changes}
          isOwner={isOwner}
          onClose={() => setDialog(null)}
          onDone={(organizationId) => {
            setDialog(null);
            select(organizationId);
          }}
        />
      )}
    </Frame>
  );
}

function Frame({ children }: { readonly children: ReactNode }) {
  return <main className={`${layout.screen} ${style.screen}`}>{children}</main>;
}
