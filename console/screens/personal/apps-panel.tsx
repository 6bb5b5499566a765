// The apps that the account registered, or for operators those of all accounts.
import type { App } from '@vedette/contract/calls/app.ts';
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { ConfirmDialog } from '../../features/confirm/confirm-dialog.tsx';
import { useT } from '../../language/use-t.ts';
import { useCaller } from '../../services/services.ts';
import { useAuth } from '../../session/auth-store.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { SkeletonLines } from '../../ui/feedback/state-view.tsx';
import rows from '../../ui/layout/list-rows.module.css';
import { useApps, useFetchApps } from './app.query.ts';
import { AppDialog } from './app-dialog.tsx';
import { AppSecretDialog, type ShownSecret } from './app-secret-dialog.tsx';
import { PanelFrame, PanelRow } from './panel.tsx';
import style from './personal-screen.module.css';

type Open =
  | { readonly kind: 'form'; readonly app: App | null }
  | { readonly kind: 'delete'; readonly app: App }
  | { readonly kind: 'secret'; readonly shown: ShownSecret };

export function AppsPanel() {
  const t = useT();
  const { data, isPending, error } = useApps();
  const [open, setOpen] = useState<Open | null>(null);
  return (
    <PanelFrame title={t('personal.apps')} lead={t('personal.appsLead')}>
      {isPending && <SkeletonLines label={t('common.loading')} rows={2} rowHeight={52} />}
      {error !== null && <Notice tone="error">{failureText(t, error)}</Notice>}
      {data?.total === 0 && <p className={style.none}>{t('personal.noApps')}</p>}
      {data !== undefined && data.total > 0 && (
        <ul className={rows.list}>
          {data.appList.map((app) => (
            <AppRow key={app.appId} app={app} onOpen={setOpen} />
          ))}
        </ul>
      )}
      <div>
        <Button look="primary" onClick={() => setOpen({ kind: 'form', app: null })}>
          {t('personal.newApp')}
        </Button>
      </div>
      {open !== null && <AppDialogs open={open} onOpen={setOpen} />}
    </PanelFrame>
  );
}

function AppDialogs({ open, onOpen }: { readonly open: Open; readonly onOpen: (open: Open | null) => void }) {
  const t = useT();
  const caller = useCaller();
  const fetchAgain = useFetchApps();
  const close = (): void => onOpen(null);
  return (
    <>
      {open.kind === 'form' && (
        <AppDialog
          app={open.app}
          onClose={close}
          onSaved={async ({ app, secret }) => {
            await fetchAgain();
            if (secret === '') close();
            else onOpen({ kind: 'secret', shown: { app, secret, oldSecretUntil: null } });
          }}
        />
      )}
      {open.kind === 'secret' && <AppSecretDialog shown={open.shown} onClose={close} />}
      {open.kind === 'delete' && (
        <ConfirmDialog
          title={t('personal.appDeleteTitle', { app: open.app.appName })}
          detail={t('personal.appDeleteDetail')}
          confirmLabel={t('personal.appDelete')}
          done={t('personal.appDeleted', { app: open.app.appName })}
          onConfirm={async () => {
            await caller.ask('app/delete', { appId: open.app.appId }, { showError: false });
            await fetchAgain();
          }}
          onClose={close}
        />
      )}
    </>
  );
}

function AppRow({ app, onOpen }: { readonly app: App; readonly onOpen: (open: Open) => void }) {
  const t = useT();
  const caller = useCaller();
  const fetchAgain = useFetchApps();
  const isOperator = useAuth((auth) => auth.userType === USER_TYPE.super);
  const state = app.isApproved ? t('personal.appIsApproved') : t('personal.appIsOwnOnly');
  const rotate = async (): Promise<void> => {
    const { secret, oldSecretUntil } = await caller.ask('app/secret/rotate', { appId: app.appId });
    await fetchAgain();
    onOpen({ kind: 'secret', shown: { app, secret, oldSecretUntil } });
  };
  const approve = async (): Promise<void> => {
    await caller.ask('app/approve', { appId: app.appId, isApproved: !app.isApproved });
    await fetchAgain();
  };
  return (
    <PanelRow
      name={app.appName}
      mark={app.isEnabled ? state : t('personal.appIsDisabled')}
      detail={`${app.ownerName} · ${t('personal.appId')} ${app.appId}`}
    >
      {isOperator && (
        <Button look="quiet" onClick={() => void approve()}>
          {t(app.isApproved ? 'personal.appUnapprove' : 'personal.appApprove')}
        </Button>
      )}
      {!app.isPublic && (
        <Button look="quiet" onClick={() => void rotate()}>
          {t('personal.appRotate')}
        </Button>
      )}
      <Button look="quiet" onClick={() => onOpen({ kind: 'form', app })}>
        {t('personal.editApp')}
      </Button>
      <Button look="quiet" onClick={() => onOpen({ kind: 'delete', app })}>
        {t('personal.appDelete')}
      </Button>
    </PanelRow>
  );
}
