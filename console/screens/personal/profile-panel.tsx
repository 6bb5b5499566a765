// Picture, name and contacts of the own account.
import { usernameProblem } from '@vedette/rules/validation/account-fields.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { type FormEvent, useRef, useState } from 'react';
import { isFailure } from '../../calls/call-failure.ts';
import { failureText } from '../../calls/failure-text.ts';
import { useChangeProfile } from '../../features/account/account.query.ts';
import { Avatar } from '../../features/account/avatar.tsx';
import { squareImage } from '../../features/account/square-image.ts';
import { useUnsaved } from '../../features/unsaved/use-unsaved.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';
import { ContactRows } from './contact-rows.tsx';
import { PanelFrame, type PanelProps } from './panel.tsx';
import style from './personal-screen.module.css';

export function ProfilePanel({ profile }: PanelProps) {
  const t = useT();
  return (
    <PanelFrame title={t('personal.profile')} lead={t('personal.profileLead')}>
      <PictureChooser profile={profile} />
      <NameForm profile={profile} />
      <h3 className={style.heading}>{t('personal.contacts')}</h3>
      <ContactRows profile={profile} />
    </PanelFrame>
  );
}

function PictureChooser({ profile }: PanelProps) {
  const t = useT();
  const change = useChangeProfile();
  const input = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);
  const keep = async (avatar: () => Promise<string>): Promise<void> => {
    setBusy(true);
    try {
      const picture = await avatar().catch(() => null);
      if (picture === null) showToast('error', t('personal.pictureBad'));
      else await change({ avatar: picture });
    } catch (failure) {
      showToast('error', failureText(t, failure));
    } finally {
      setBusy(false);
    }
  };
  const take = (list: FileList | null): void => {
    const file = list?.[0];
    if (file !== undefined) void keep(() => squareImage(file));
  };
  return (
    <div className={style.person}>
      <Avatar userName={profile.userName} picture={profile.avatar} size={64} />
      <div>
        <div className={style.personActions}>
          <Button isBusy={isBusy} onClick={() => input.current?.click()}>
            {t('personal.pictureChoose')}
          </Button>
          {profile.avatar !== '' && (
            <Button look="quiet" onClick={() => void keep(async () => '')}>
              {t('personal.pictureRemove')}
            </Button>
          )}
        </div>
        <p className={style.hint}>{t('personal.pictureHint')}</p>
      </div>
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        aria-label={t('personal.pictureChoose')}
        hidden
        onChange={(event) => {
          take(event.currentTarget.files);
          event.currentTarget.value = '';
        }}
      />
    </div>
  );
}

function NameForm({ profile }: PanelProps) {
  const t = useT();
  const change = useChangeProfile();
  const [userName, setUserName] = useState(profile.userName);
  const [state, setState] = useState({ isBusy: false, failure: null as unknown });
  const problem = usernameProblem(userName);
  const isChanged = userName !== profile.userName;
  useUnsaved(isChanged);
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!isChanged || problem !== null) return;
    setState({ isBusy: true, failure: null });
    try {
      await change({ userName, version: profile.version });
      setState({ isBusy: false, failure: null });
      showToast('success', t('personal.saved'));
    } catch (failure) {
      setState({ isBusy: false, failure });
    }
  }
  const isTaken = isFailure(state.failure, ERROR_CODES.alreadyExists);
  const said = state.failure === null ? null : isTaken ? t('register.nameTaken') : failureText(t, state.failure);
  return (
    <form className={style.form} onSubmit={submit} noValidate>
      <TextField
        label={t('setup.username')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={20}
        value={userName}
        onValue={setUserName}
        error={problem === null ? said : t(problem === 'required' ? 'login.accountRequired' : 'valid.username')}
      />
      {isChanged && (
        <Button type="submit" look="primary" isBusy={state.isBusy} disabled={problem !== null}>
          {t('personal.rename')}
        </Button>
      )}
    </form>
  );
}
