// Requires a session for a screen: without one it offers sign-in in place and mounts nothing that would call the server (RT-09).
import { type ReactNode, useLayoutEffect, useState } from 'react';
import { isForUser } from '../features/account/row-viewer.ts';
import { useRowViewer } from '../features/account/use-row-viewer.ts';
import { usePermissionFlags } from '../features/account/use-permission-flags.ts';
import { SignInForm } from '../features/sign-in/sign-in-form.tsx';
import { useT } from '../language/use-t.ts';
import { PageHeader } from '../ui/layout/page-header.tsx';
import { StateView } from '../ui/feedback/state-view.tsx';
import { leadsSomewhere, type ScreenRow } from './screen-rows.ts';
import style from './require-session.module.css';

export function RequireSession({ row, children }: { readonly row: ScreenRow; readonly children: ReactNode }) {
  const t = useT();
  const viewer = useRowViewer();
  const isSignedIn = viewer.isSignedIn || viewer.saasScopes !== null;
  const flags = usePermissionFlags();
  const [wasSignedIn, setWasSignedIn] = useState(isSignedIn);
  if (isSignedIn && !wasSignedIn) setWasSignedIn(true);
  // Before the effects of the screen, which may name the tab that it shows.
  useLayoutEffect(() => {
    document.title = `${t(row.title)} · ${t('common.appName')}`;
  }, [t, row]);
  // Whoever signs out is on the way to /login: a form that is gone with the next moment would lose what is typed into it.
  if (!isSignedIn && wasSignedIn) return <main className={style.page} />;
  if (!isSignedIn)
    return (
      <main className={style.page}>
        <PageHeader title={t(row.title)} />
        <div className={style.place}>
          <section className={style.card} aria-labelledby="sign-in-place">
            <h2 id="sign-in-place" className={style.title}>
              {t('login.inPlace')}
            </h2>
            <p className={style.detail}>{t('login.inPlaceDetail')}</p>
            <SignInForm />
          </section>
        </div>
      </main>
    );
  if (!isForUser(row, viewer))
    return (
      <main className={style.page}>
        <PageHeader title={t(row.title)} />
        <StateView title={t('system.forbidden')} />
      </main>
    );
  if (!leadsSomewhere(row, flags))
    return (
      <main className={style.page}>
        <PageHeader title={t(row.title)} />
        <StateView title={t('perm.noPage')} detail={t('perm.noPageDetail')} />
      </main>
    );
  return children;
}
