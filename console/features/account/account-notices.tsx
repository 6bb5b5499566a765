// What others did to the account, until its owner says that it was seen; and video that such a reset closed, opened by a recovery code.
import { TWO_FACTOR_CODE } from '@vedette/contract/calls/account.ts';
import type { AccountNotice } from '@vedette/contract/calls/account-security.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { IconShieldExclamation } from '@tabler/icons-react';
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { type FormEvent, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { PATHS } from '../../navigation/paths.ts';
import { useCaller } from '../../services/services.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';
import style from './account-notices.module.css';

const KEY = ['account/notice/list'];

export function AccountNotices() {
  const t = useT();
  const caller = useCaller();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isOpening, setOpening] = useState(false);
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => caller.ask('account/notice/list', {}, { signal, showError: false }),
  });
  const { noticeList = [], videoClosedUntil = 0 } = data ?? {};
  if (noticeList.length === 0 && videoClosedUntil === 0) return null;
  const confirm = async (): Promise<void> => {
    for (const { noticeId } of noticeList) await caller.send('account/notice/confirm', { noticeId });
    await client.invalidateQueries({ queryKey: KEY });
  };
  const hasMails = noticeList.some(({ kind }) => kind === 'mailUnconfirmed');
  return (
    <section className={style.notices} role="alert" aria-label={t('notice.title')}>
      <IconShieldExclamation size={18} stroke={1.6} aria-hidden="true" />
      <div className={style.words}>
        <Words noticeList={noticeList} videoClosedUntil={videoClosedUntil} />
        <div className={style.actions}>
          {hasMails && (
            <Button onClick={() => void navigate(`${PATHS.alarmMsg}?view=channels`)}>{t('notice.toChannels')}</Button>
          )}
          {videoClosedUntil > 0 ? (
            <Button onClick={() => setOpening(true)}>{t('notice.openVideo')}</Button>
          ) : (
            <Button onClick={() => void confirm()}>{t('notice.seen')}</Button>
          )}
        </div>
      </div>
      {isOpening && <OpenVideo onClose={() => setOpening(false)} />}
    </section>
  );
}

interface WordsProps {
  readonly noticeList: readonly AccountNotice[];
  readonly videoClosedUntil: number;
}

function Words({ noticeList, videoClosedUntil }: WordsProps) {
  const t = useT();
  const format = useTimeFormat();
  const time = (at: number) => formatDateTime(at, format, false);
  const isReset = noticeList.some(({ kind }) => kind !== 'mailUnconfirmed');
  return (
    <>
      {noticeList.map(({ noticeId, kind, byName, at }) => (
        <p key={noticeId} className={style.title}>
          {t(`notice.${kind}`, { name: byName, time: time(at) })}
        </p>
      ))}
      {videoClosedUntil > 0 && <p>{t('notice.closed', { time: time(videoClosedUntil) })}</p>}
      {videoClosedUntil <= 0 && isReset && <p>{t('notice.advice')}</p>}
    </>
  );
}

function OpenVideo({ onClose }: { readonly onClose: () => void }) {
  const t = useT();
  const caller = useCaller();
  const client = useQueryClient();
  const formId = useId();
  const [code, setCode] = useState('');
  const [state, setState] = useState({ isTried: false, isBusy: false, failure: null as unknown });
  const isBad = !TWO_FACTOR_CODE.test(code.trim());
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setState({ isTried: true, isBusy: !isBad, failure: null });
    if (isBad) return;
    try {
      await caller.ask('account/video/open', { code: code.trim() }, { showError: false });
      onClose();
      const { videoClosedUntil } = await client.fetchQuery({
        queryKey: KEY,
        queryFn: () => caller.ask('account/notice/list', {}, { showError: false }),
        staleTime: 0,
      });
      if (videoClosedUntil === 0) showToast('success', t('notice.opened'));
    } catch (failure) {
      setCode('');
      setState({ isTried: false, isBusy: false, failure });
    }
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('notice.openVideo')}
      closeLabel={t('common.close')}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button look="primary" type="submit" form={formId} isBusy={state.isBusy}>
            {t('notice.open')}
          </Button>
        </>
      }
    >
      <form id={formId} className={style.form} onSubmit={(event) => void submit(event)} noValidate>
        <TextField
          label={t('notice.recoveryCode')}
          autoComplete="off"
          data-autofocus
          maxLength={19}
          value={code}
          onValue={setCode}
          error={state.isTried && isBad ? t('factor.codeBad') : null}
        />
        {state.failure !== null && <Notice tone="error">{failureText(t, state.failure)}</Notice>}
      </form>
    </Dialog>
  );
}
