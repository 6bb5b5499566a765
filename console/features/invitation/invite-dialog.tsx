// Makes an invitation and shows its link this once.
import { INVITATION_DAYS } from '@vedette/contract/limits.ts';
import type { PlainKey } from '@vedette/phrases/pack.ts';
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { PATHS } from '../../navigation/paths.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { NumberField } from '../../ui/fields/number-field.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { LinkAddress } from '../link-address/link-address.tsx';
import style from './invitation.module.css';
import { useInvite } from './invitation.query.ts';

const NAMES: Readonly<Record<number, PlainKey>> = {
  [USER_TYPE.super]: 'role.super',
  [USER_TYPE.manage]: 'role.manage',
  [USER_TYPE.ordinary]: 'role.ordinary',
  [USER_TYPE.background]: 'role.background',
  [USER_TYPE.sub]: 'role.sub',
};

export function typeName(userType: number): PlainKey {
  return NAMES[userType] ?? 'role.sub';
}

export interface InviteDialogProps {
  /** Kinds of account that the inviter may make, the usual one first. */
  readonly userTypes: readonly number[];
  readonly onClose: () => void;
}

interface InviteState {
  readonly userType: number;
  readonly description: string;
  readonly days: number | null;
  readonly isBusy: boolean;
  readonly failure: unknown;
  readonly made: { readonly link: string; readonly endTime: number } | null;
}

export function InviteDialog({ userTypes, onClose }: InviteDialogProps) {
  const t = useT();
  const invite = useInvite();
  const [state, setState] = useState<InviteState>({
    userType: userTypes[0] ?? USER_TYPE.sub,
    description: '',
    days: INVITATION_DAYS.usual,
    isBusy: false,
    failure: null,
    made: null,
  });
  const change = (part: Partial<InviteState>): void => setState((before) => ({ ...before, ...part }));
  const isGood = state.days !== null && state.days >= 1 && state.days <= INVITATION_DAYS.most;
  const create = async (): Promise<void> => {
    change({ isBusy: true, failure: null });
    const { userType, description, days } = state;
    try {
      const { token, invitation } = await invite({
        userType,
        description: description.trim(),
        days: days ?? INVITATION_DAYS.usual,
      });
      const link = `${PATHS.invitation}#${new URLSearchParams({ invitation: token })}`;
      change({ isBusy: false, made: { link, endTime: invitation.expiresAt } });
    } catch (failure) {
      change({ isBusy: false, failure });
    }
  };
  const { made } = state;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('invitation.new')}
      closeLabel={t('common.close')}
      width={520}
      actions={
        made !== null ? (
          <Button look="primary" onClick={onClose}>
            {t('theme.done')}
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>{t('common.cancel')}</Button>
            <Button look="primary" isBusy={state.isBusy} disabled={!isGood} onClick={() => void create()}>
              {t('invitation.create')}
            </Button>
          </>
        )
      }
    >
      <div className={style.fields}>
        {made !== null ? (
          <LinkAddress label={t('invitation.link')} hint={t('invitation.linkHint')} {...made} />
        ) : (
          <>
            <SelectField
              label={t('invitation.type')}
              value={String(state.userType)}
              options={userTypes.map((type) => ({ value: String(type), label: t(typeName(type)) }))}
              onValue={(value) => change({ userType: Number(value) })}
            />
            <TextField
              label={t('invitation.note')}
              maxLength={64}
              value={state.description}
              onValue={(description) => change({ description: description.replace(/[<>]/g, '') })}
            />
            <NumberField
              label={t('invitation.days')}
              value={state.days}
              onValue={(days) => change({ days })}
              min={1}
              max={INVITATION_DAYS.most}
              unit={t('invitation.daysUnit')}
            />
            {state.failure !== null && <Notice tone="error">{failureText(t, state.failure)}</Notice>}
          </>
        )}
      </div>
    </Dialog>
  );
}
