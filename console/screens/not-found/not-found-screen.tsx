// An unknown address: a way back, and the session stays (RT-02).
import { IconCompass } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { PATHS } from '../../navigation/paths.ts';
import { useT } from '../../language/use-t.ts';
import { useAuth } from '../../session/auth-store.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { StateView } from '../../ui/feedback/state-view.tsx';

export function NotFoundScreen() {
  const t = useT();
  const navigate = useNavigate();
  const isSignedIn = useAuth((auth) => auth.accessToken !== '');
  return (
    <main style={{ flex: 1, height: '100%' }}>
      <title>{`${t('screen.notFound')} · ${t('common.appName')}`}</title>
      <h1 className="visually-hidden">{t('screen.notFound')}</h1>
      <StateView
        icon={<IconCompass size={20} stroke={1.6} />}
        title={t('notFound.title')}
        detail={isSignedIn ? t('notFound.detail') : undefined}
        action={
          <Button look="primary" onClick={() => navigate(isSignedIn ? PATHS.homepage : PATHS.login)}>
            {isSignedIn ? t('notFound.back') : t('setup.toLogin')}
          </Button>
        }
      />
    </main>
  );
}
