// The page around sign-in and set-up: form on one side, illustration on the other.
import { IconLanguage } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { LANGUAGE_NAMES } from '../../language/language-store.ts';
import { useT } from '../../language/use-t.ts';
import { manualAddress } from '../../navigation/paths.ts';
import { BrandMark } from '../../ui/theme/brand-mark.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { PreferencesMenu } from './preferences-menu.tsx';
import style from './sign-in-frame.module.css';
import { SignInArt } from './sign-in-art.tsx';

export interface SignInFrameProps {
  readonly title: string;
  readonly lead: string;
  readonly children: ReactNode;
}

export function SignInFrame({ title, lead, children }: SignInFrameProps) {
  const t = useT();
  return (
    <div className={style.page}>
      <title>{`${title} · ${t('common.appName')}`}</title>
      <main className={style.side}>
        <header className={style.top}>
          <span className={style.brand}>
            <BrandMark size={22} />
            {t('common.appName')}
          </span>
          <PreferencesMenu>
            <Button look="quiet" icon={<IconLanguage size={16} stroke={1.7} />}>
              <span className="visually-hidden">{t('shell.preferences')}</span>
              {LANGUAGE_NAMES[t.shown]}
            </Button>
          </PreferencesMenu>
        </header>
        <div className={style.middle}>
          <div className={style.column}>
            <h1 className={style.title}>{title}</h1>
            <p className={style.lead}>{lead}</p>
            {children}
          </div>
        </div>
        <footer className={style.foot}>
          <span>{t('common.tagline')}</span>
          <Link to={manualAddress({ page: 'first-start' })}>{t('manual.help')}</Link>
        </footer>
      </main>
      <SignInArt />
    </div>
  );
}
