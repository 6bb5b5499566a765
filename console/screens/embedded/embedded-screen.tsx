// What a framed console shows while nobody is signed in: sign-in is never framed, so it waits for the page around it.
import { useT } from '../../language/use-t.ts';
import { StateView } from '../../ui/feedback/state-view.tsx';

export function EmbeddedScreen() {
  const t = useT();
  return (
    <main>
      <h1 className="visually-hidden">{t('common.appName')}</h1>
      <StateView title={t('apps.embedWaits')} detail={t('apps.embedWaitsDetail')} />
    </main>
  );
}
