// Banner on top of the page: what is shown may be out of date.
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useT } from '../language/use-t.ts';
import { useConnection } from '../realtime/connection-store.ts';
import style from './connection-banner.module.css';

/** A short break is not worth a banner. */
const SHOWN_AFTER_MS = 2000;

export function ConnectionBanner() {
  const t = useT();
  const isLost = useConnection((connection) => connection.state === 'reconnecting');
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (!isLost) return setShown(false);
    const timer = setTimeout(() => setShown(true), SHOWN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isLost]);
  if (!isShown) return null;
  return (
    <div className={style.banner} role="alert">
      <IconPlugConnectedX size={16} stroke={1.8} aria-hidden="true" />
      {t('connection.banner')}
    </div>
  );
}
