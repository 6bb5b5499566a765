// The streams on CDNs: state, bit rate, since when, by whom, and where they are played.
import { IconDots, IconPlus } from '@tabler/icons-react';
import type { CdnLive } from '@vedette/contract/calls/cdn.ts';
import type { Translate } from '@vedette/phrases/translate.ts';
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { useState } from 'react';
import { failureText } from '../../../calls/failure-text.ts';
import { ConfirmDialog } from '../../../features/confirm/confirm-dialog.tsx';
import { useT } from '../../../language/use-t.ts';
import { useTimeFormat } from '../../../language/use-time-format.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { SkeletonLines } from '../../../ui/feedback/state-view.tsx';
import { StatusDot, type StatusTone } from '../../../ui/feedback/status-dot.tsx';
import { SettingsSection } from '../../../ui/layout/settings-section.tsx';
import { Menu } from '../../../ui/overlays/menu.tsx';
import style from '../../../ui/layout/titled-rows.module.css';
import { useCdnChange, useLives } from './cdn-live.query.ts';
import { ActivateCode } from './activate-code.tsx';
import { LiveDialog } from './live-dialog.tsx';
import { PlayAddresses } from './play-addresses.tsx';

type Doing =
  | { readonly kind: 'starting' | 'activating' }
  | { readonly kind: 'stopping' | 'addresses'; readonly live: CdnLive };

export function LivesPart() {
  const t = useT();
  const [doing, setDoing] = useState<Doing | null>(null);
  const { providerList: providers = [], resource = null } = useLives().data ?? {};
  return (
    <SettingsSection title={t('cdn.lives')} lead={t('cdn.livesLead')}>
      <LiveList onDoing={setDoing} />
      {resource !== null && <p className={style.hint}>{t('cdn.package', { ...resource })}</p>}
      <div className={style.buttons}>
        <Button
          className={style.add}
          icon={<IconPlus size={15} stroke={2} aria-hidden="true" />}
          disabled={providers.length === 0}
          onClick={() => setDoing({ kind: 'starting' })}
        >
          {t('cdn.startLive')}
        </Button>
        {resource !== null && <Button onClick={() => setDoing({ kind: 'activating' })}>{t('cdn.activate')}</Button>}
      </div>
      {doing !== null && <LiveTask doing={doing} providers={providers} onClose={() => setDoing(null)} />}
    </SettingsSection>
  );
}

interface LiveTaskProps {
  readonly doing: Doing;
  readonly providers: Parameters<typeof LiveDialog>[0]['providers'];
  readonly onClose: () => void;
}

/** The dialog of what was chosen. */
function LiveTask({ doing, providers, onClose }: LiveTaskProps) {
  if (!('live' in doing))
    return doing.kind === 'activating' ? (
      <ActivateCode onClose={onClose} />
    ) : (
      <LiveDialog providers={providers} onClose={onClose} />
    );
  if (doing.kind === 'stopping') return <StopLive live={doing.live} onClose={onClose} />;
  return <PlayAddresses live={doing.live} onClose={onClose} />;
}

function LiveList({ onDoing }: { readonly onDoing: (doing: Doing) => void }) {
  const t = useT();
  const { data, isPending, error, refetch } = useLives();
  if (isPending) return <SkeletonLines label={t('common.loading')} rows={2} rowHeight={44} />;
  if (data === undefined)
    return (
      <Notice tone="error" action={<Button onClick={() => void refetch()}>{t('common.retry')}</Button>}>
        {t('cdn.livesError')} {failureText(t, error)}
      </Notice>
    );
  if (data.liveList.length === 0) return <NoLives hasProvider={data.providerList.length > 0} />;
  return (
    <ul className={style.rows} aria-label={t('cdn.lives')}>
      {data.liveList.map((live) => (
        <LiveRow key={live.liveId} live={live} onDoing={onDoing} />
      ))}
    </ul>
  );
}

/** ER-05: the fixed words, and what they mean. */
function NoLives({ hasProvider }: { readonly hasProvider: boolean }) {
  const t = useT();
  return (
    <div className={style.text}>
      <p className={style.name}>{t('cdn.interfaceError')}</p>
      <p className={style.hint}>{t(hasProvider ? 'cdn.noLives' : 'cdn.noProviders')}</p>
    </div>
  );
}

const TONES: Readonly<Record<CdnLive['state'], StatusTone>> = {
  starting: 'warning',
  live: 'online',
  retrying: 'offline',
  stopped: 'offline',
  unknown: 'unknown',
};

function stateText(t: Translate, { state, reason, bitsPerSecond }: CdnLive): string {
  if (state === 'live') return t('live.infoBitrateValue', { kbps: Math.round(bitsPerSecond / 1000) });
  const word = t(`cdn.state.${state}`);
  return reason === null ? word : t('cdn.because', { state: word, reason: t(`cdn.reason.${reason}`) });
}

function LiveRow({ live, onDoing }: { readonly live: CdnLive; readonly onDoing: (doing: Doing) => void }) {
  const t = useT();
  const format = useTimeFormat();
  const { channelName, quality, providerName, userName, startTime, state } = live;
  const more = t('cdn.more', { name: channelName });
  const facts = [
    t(`live.quality${quality}`),
    providerName,
    t('cdn.startedBy', { user: userName, time: formatDateTime(startTime, format, false) }),
  ];
  return (
    <li className={style.row} data-state={state}>
      <div className={style.text}>
        <span className={style.name}>{channelName}</span>
        <span className={style.facts}>{facts.join(' · ')}</span>
      </div>
      <span className={style.status}>
        <StatusDot tone={TONES[state]} label={stateText(t, live)} />
      </span>
      <Menu
        label={more}
        side="bottom-end"
        width={200}
        entries={[
          { kind: 'item', label: t('cdn.addresses'), onChoose: () => onDoing({ kind: 'addresses', live }) },
          { kind: 'line' },
          { kind: 'item', label: t('cdn.stop'), isDanger: true, onChoose: () => onDoing({ kind: 'stopping', live }) },
        ]}
      >
        <IconButton label={more} size="small" tipSide="left">
          <IconDots size={16} stroke={1.8} />
        </IconButton>
      </Menu>
    </li>
  );
}

function StopLive({ live, onClose }: { readonly live: CdnLive; readonly onClose: () => void }) {
  const t = useT();
  const change = useCdnChange();
  return (
    <ConfirmDialog
      title={t('cdn.stopTitle', { name: live.channelName })}
      detail={t('cdn.stopDetail')}
      confirmLabel={t('cdn.stop')}
      done={t('cdn.stopped')}
      onConfirm={() => change('cdn/live/stop', { liveId: live.liveId })}
      onClose={onClose}
    />
  );
}
