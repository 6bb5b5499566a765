// Open invitations with their end, and the way to a new one; for whoever may make accounts.
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { creatableUserTypes } from '@vedette/rules/decide/user-types.ts';
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { useAuth } from '../../session/auth-store.ts';
import { Button } from '../../ui/buttons/button.tsx';
import rows from '../../ui/layout/list-rows.module.css';
import { Notice } from '../../ui/feedback/notice.tsx';
import style from './invitation.module.css';
import { useInvitations, useRevokeInvitation } from './invitation.query.ts';
import { InviteDialog, typeName } from './invite-dialog.tsx';

/** The usual kind first: users of their own for the operator, sub-accounts for everybody else. */
const ORDER = [USER_TYPE.ordinary, USER_TYPE.sub, USER_TYPE.manage, USER_TYPE.background, USER_TYPE.super];

export function InvitationList() {
  const t = useT();
  const format = useTimeFormat();
  const userType = useAuth((auth) => auth.userType);
  const { data, error } = useInvitations();
  const revoke = useRevokeInvitation();
  const [isOpen, setOpen] = useState(false);
  const creatable = creatableUserTypes(userType);
  return (
    <div className={style.fields}>
      {error !== null && <Notice tone="error">{failureText(t, error)}</Notice>}
      {data?.total === 0 && <p className={style.none}>{t('invitation.none')}</p>}
      {data !== undefined && data.total > 0 && (
        <ul className={`${rows.list} ${style.rows}`}>
          {data.invitationList.map((one) => (
            <li key={one.invitationId} className={rows.row}>
              <span className={rows.words}>
                <span>{one.description === '' ? t(typeName(one.userType)) : one.description}</span>
                <span className={style.detail}>
                  {`${t(typeName(one.userType))} · ${t('invitation.ends', { time: formatDateTime(one.expiresAt, format, false) })}`}
                </span>
              </span>
              <Button onClick={() => void revoke(one.invitationId)}>{t('invitation.revoke')}</Button>
            </li>
          ))}
        </ul>
      )}
      <div>
        <Button onClick={() => setOpen(true)}>{t('invitation.new')}</Button>
      </div>
      {isOpen && (
        <InviteDialog userTypes={ORDER.filter((type) => creatable.includes(type))} onClose={() => setOpen(false)} />
      )}
    </div>
  );
}
