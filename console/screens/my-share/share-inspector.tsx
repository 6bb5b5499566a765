// One share in the inspector: what it holds, its rights and times, and what can be done with it.
import { IconPencil } from '@tabler/icons-react';
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { ConfirmDialog } from '../../features/confirm/confirm-dialog.tsx';
import { RIGHT_ICONS } from '../../features/share/rights-choice.tsx';
import { rightsOf, storedRight } from '../../features/share/share-rights.ts';
import { type SharedItems, useShareActions } from '../../features/share/share.query.ts';
import { openShareEdit } from '../../features/share/share-target.ts';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { type Fact, Facts, Section } from '../../ui/layout/facts.tsx';
import { Inspector } from '../../ui/overlays/inspector.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';
import style from './my-share-screen.module.css';
import { ItemIcon, StateMark, shareName, untilText } from './share-words.tsx';

export interface ShareInspectorProps {
  readonly share: SharedItems;
  readonly isGiven: boolean;
  readonly onClose: () => void;
}

export function ShareInspector({ share, isGiven, onClose }: ShareInspectorProps) {
  const t = useT();
  const { first, items } = share;
  const rights = rightsOf(first.permission);
  const isOffer = !isGiven && first.state === 'pending';
  return (
    <Inspector
      title={shareName(t, share)}
      closeLabel={t('common.close')}
      onClose={onClose}
      footer={
        isGiven ? <GivenActions share={share} onGone={onClose} /> : <ReceivedActions share={share} onGone={onClose} />
      }
    >
      <p className={style.lead}>{t(isOffer ? 'share.stateDetail_offer' : `share.stateDetail_${first.state}`)}</p>
      <Section title={t('share.what')}>
        <ul className={style.items}>
          {items.map((item) => (
            <li key={`${item.organizationId ?? ''} ${item.deviceSerial ?? ''} ${item.channelNo ?? ''}`}>
              <ItemIcon isShared={item.isShared} />
              {item.resourceName}
            </li>
          ))}
        </ul>
      </Section>
      <Section title={t(isGiven ? 'share.may' : 'share.youMay')}>
        <ul className={style.rights}>
          {rights.map((right) => {
            const Icon = RIGHT_ICONS[right];
            return (
              <li key={right}>
                <Icon size={16} stroke={1.7} aria-hidden="true" />
                {t(`share.right_${storedRight(right)}`)}
              </li>
            );
          })}
        </ul>
      </Section>
      <Section title={t('share.inspector')}>
        <Facts facts={useFacts(share, isGiven)} />
      </Section>
    </Inspector>
  );
}

function useFacts({ first }: SharedItems, isGiven: boolean): Fact[] {
  const t = useT();
  const format = useTimeFormat();
  const facts: (Fact & { readonly isShown?: boolean })[] = [
    { name: t('share.state'), value: <StateMark state={first.state} /> },
    {
      name: t(isGiven ? 'share.column_with' : 'share.column_by'),
      value: isGiven ? first.account : first.owner,
    },
    {
      name: t('share.from'),
      value: first.startTime === null ? '' : formatDateTime(first.startTime, format, false),
      isShown: first.startTime !== null,
    },
    { name: t('share.until'), value: untilText(t, first.endTime, format) },
    {
      name: t('share.hours'),
      value: t('share.hoursSummary'),
      isShown: first.plan !== null,
    },
    { name: t('share.passedOnFact'), value: t('share.passedOn'), isShown: first.isPassedOn },
    { name: t('share.description'), value: first.description, isShown: first.description !== '' },
    { name: t('share.created'), value: formatDateTime(first.createTime, format, false) },
  ];
  return facts.filter((fact) => fact.isShown !== false);
}

interface ActionsProps {
  readonly share: SharedItems;
  readonly onGone: () => void;
}

function GivenActions({ share, onGone }: ActionsProps) {
  const t = useT();
  const actions = useShareActions();
  const [isAsking, setAsking] = useState(false);
  const { first } = share;
  return (
    <>
      <Button icon={<IconPencil size={16} stroke={1.7} />} onClick={() => openShareEdit(share)}>
        {t('share.edit')}
      </Button>
      <Button look="danger" onClick={() => setAsking(true)}>
        {t('share.withdraw')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('share.withdrawAsk', { account: first.account })}
          detail={t('share.withdrawDetail')}
          confirmLabel={t('share.withdraw')}
          done={t('share.withdrawn')}
          onConfirm={async () => {
            await actions.withdraw(first);
            onGone();
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

function ReceivedActions({ share, onGone }: ActionsProps) {
  const t = useT();
  const actions = useShareActions();
  const [state, setState] = useState({ isAsking: false, isBusy: false, failure: null as unknown });
  const { first, shareId } = share;
  const isPending = first.state === 'pending';
  const accept = async (): Promise<void> => {
    setState({ ...state, isBusy: true, failure: null });
    try {
      await actions.accept(shareId);
      showToast('success', t('share.accepted'));
      setState({ ...state, isBusy: false });
    } catch (failure) {
      setState({ ...state, isBusy: false, failure });
    }
  };
  return (
    <>
      {state.failure !== null && <Notice tone="error">{failureText(t, state.failure)}</Notice>}
      {isPending && (
        <Button look="primary" isBusy={state.isBusy} onClick={() => void accept()}>
          {t('share.accept')}
        </Button>
      )}
      <Button onClick={() => setState({ ...state, isAsking: true })}>
        {t(isPending ? 'share.decline' : 'share.quit')}
      </Button>
      {state.isAsking && (
        <ConfirmDialog
          title={t('share.quitAsk')}
          detail={t('share.quitDetail', { owner: first.owner })}
          confirmLabel={t(isPending ? 'share.decline' : 'share.quit')}
          done={t('share.gone')}
          onConfirm={async () => {
            await actions.quit(shareId);
            onGone();
          }}
          onClose={() => setState({ ...state, isAsking: false })}
        />
      )}
    </>
  );
}
