// The logo of an app: a small picture file, kept as a data URL.
import { useRef } from 'react';
import { APP_LIMITS } from '@vedette/contract/limits.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';
import style from './dialogs.module.css';

const TYPES = ['image/png', 'image/jpeg', 'image/webp'];

export function AppLogoField({ logo, onLogo }: { readonly logo: string; readonly onLogo: (logo: string) => void }) {
  const t = useT();
  const input = useRef<HTMLInputElement>(null);
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    const url = await dataUrlOf(file);
    if (TYPES.includes(file.type) && url.length <= APP_LIMITS.logoLength) onLogo(url);
    else showToast('error', t('personal.appLogoHint'));
  };
  return (
    <div className={style.logo}>
      {logo !== '' && <img src={logo} alt="" width={40} height={40} />}
      <input
        ref={input}
        type="file"
        accept={TYPES.join(',')}
        aria-label={t('personal.appLogo')}
        hidden
        onChange={(event) => void take(event.currentTarget.files?.[0])}
      />
      <Button onClick={() => input.current?.click()}>{t('personal.appLogo')}</Button>
      {logo !== '' && (
        <Button look="quiet" onClick={() => onLogo('')}>
          {t('personal.appRemoveLogo')}
        </Button>
      )}
      <span>{t('personal.appLogoHint')}</span>
    </div>
  );
}

function dataUrlOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result)));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('the file could not be read')));
    reader.readAsDataURL(file);
  });
}
