// The server that the client signs in to: this one, or another whose own client page is opened instead.
import { type FormEvent, useState } from 'react';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import style from './client-login.module.css';

/** Some browsers take a space in a name for a part of it. */
const HOST = /^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])$/;

/** Null for what is no address of a server. */
export function serverOrigin(text: string): string | null {
  const typed = text.trim();
  const url = URL.parse(/^https?:\/\//i.test(typed) ? typed : `https://${typed}`);
  return url !== null && HOST.test(url.hostname) && url.username === '' ? url.origin : null;
}

export function ServerAddress() {
  const t = useT();
  const [text, setText] = useState(location.origin);
  const [isTried, setTried] = useState(false);
  const origin = serverOrigin(text);
  const isHere = origin === location.origin;
  const go = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (origin !== null && !isHere) location.assign(`${origin}/client.html#/login`);
  };
  return (
    <form className={style.server} onSubmit={go} noValidate>
      <TextField
        label={t('client.server')}
        value={text}
        onValue={setText}
        autoCapitalize="none"
        spellCheck={false}
        inputMode="url"
        maxLength={256}
        isLarge
        error={isTried && origin === null ? t('client.serverBad') : null}
      />
      {!isHere && (
        <Button type="submit" isWide>
          {t('client.serverGo')}
        </Button>
      )}
    </form>
  );
}
