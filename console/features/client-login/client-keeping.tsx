// What the client keeps after signing in, and the devices of the local network that its shell knows (RT-03).
import { useT } from '../../language/use-t.ts';
import type { RememberedSignIn } from '../../session/remembered-sign-in.ts';
import { CheckBox } from '../../ui/fields/check-box.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import style from './client-login.module.css';
import type { KnownShell } from './shell-info.query.ts';

export interface ClientKeepingProps {
  readonly isRemembered: boolean;
  readonly isAutoLogin: boolean;
  /** The key of the shell would lie in a file. */
  readonly isKeyInFile: boolean;
  readonly onChange: (part: {
    readonly isRemembered?: boolean;
    readonly isAutoLogin?: RememberedSignIn['isAutoLogin'];
  }) => void;
}

export function ClientKeeping({ isRemembered, isAutoLogin, isKeyInFile, onChange }: ClientKeepingProps) {
  const t = useT();
  return (
    <div className={style.keep}>
      <CheckBox
        label={t('client.remember')}
        isOn={isRemembered}
        onToggle={(isOn) => onChange({ isRemembered: isOn, ...(!isOn && { isAutoLogin: false }) })}
      />
      <CheckBox
        label={t('client.autoLogin')}
        isOn={isAutoLogin}
        onToggle={(isOn) => onChange({ isAutoLogin: isOn, ...(isOn && { isRemembered: true }) })}
      />
      {isAutoLogin && isKeyInFile && <Notice tone="warning">{t('client.keyInFile')}</Notice>}
    </div>
  );
}

export function LanDevices({ devices }: Pick<KnownShell, 'devices'>) {
  const t = useT();
  if (devices.length === 0) return null;
  return (
    <section className={style.lan} aria-label={t('client.lanDevices')}>
      <h2 className={style.heading}>{t('client.lanDevices')}</h2>
      <ul className={style.list}>
        {devices.map(({ name, address }) => (
          <li key={address}>
            <a href={`http://${address}/`} target="_blank" rel="noreferrer">
              {name}
              <span className={style.address}>{address}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
