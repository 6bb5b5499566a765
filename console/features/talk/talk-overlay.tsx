// What a tile shows while somebody talks through it: where the talk stands, how loud it is, and why it ended.
import type { Translate } from '@vedette/phrases/translate.ts';
import type { TalkEnd } from '@vedette/player/talk/talk-session.ts';
import { IconMicrophoneFilled, IconMicrophoneOff, IconX } from '@tabler/icons-react';
import { codeText, failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import style from './talk.module.css';
import {
  dismissTalk,
  isTalkingTo,
  isWithoutLoudspeaker,
  type PresentTalk,
  type TalkChannel,
  useTalk,
} from './talk-store.ts';

const BARS = 12;

export function TalkOverlay({ channel }: { readonly channel: TalkChannel }) {
  const t = useT();
  const present = useTalk((talk) => (isTalkingTo(talk.present, channel) ? talk.present : null));
  if (present === null) return null;
  const { state, isLatched } = present;
  if (state.kind === 'ended') return <Ended because={state.because} />;
  const isTalking = state.kind === 'talking';
  return (
    <div
      className={style.overlay}
      data-talking={isTalking || undefined}
      data-direct={(isTalking && state.isDirect) || undefined}
      role="status"
    >
      <IconMicrophoneFilled size={16} aria-hidden="true" />
      <span className={style.words}>
        <strong>{t(`talk.${state.kind}`)}</strong>
        {isTalking && <span className={style.hint}>{t(isLatched ? 'talk.latchHint' : 'talk.holdHint')}</span>}
      </span>
      <Meter state={state} />
    </div>
  );
}

function Meter({ state }: Pick<PresentTalk, 'state'>) {
  const t = useT();
  const level = state.kind === 'talking' ? state.level : 0;
  const lit = Math.round(level * BARS);
  return (
    <span
      className={style.meter}
      role="meter"
      aria-label={t('talk.level')}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(level * 100)}
    >
      {Array.from({ length: BARS }, (_, bar) => (
        <span
          key={bar}
          className={style.bar}
          data-lit={bar < lit || undefined}
          data-loud={bar >= BARS - 2 || undefined}
        />
      ))}
    </span>
  );
}

function Ended({ because }: { readonly because: TalkEnd }) {
  const t = useT();
  return (
    <div className={style.overlay} data-ended role="alert">
      <IconMicrophoneOff size={16} aria-hidden="true" />
      <span className={style.words}>{endSentence(t, because)}</span>
      <button type="button" className={style.close} aria-label={t('talk.dismiss')} onClick={dismissTalk}>
        <IconX size={14} />
      </button>
    </div>
  );
}

function endSentence(t: Translate, because: TalkEnd): string {
  if (isWithoutLoudspeaker(because)) return t('talk.noLoudspeaker');
  switch (because.kind) {
    case 'microphone':
      return t(`talk.obstacle_${because.obstacle}`);
    case 'refused':
      return failureText(t, because.failure);
    case 'code':
      return codeText(t, because.code, '', because);
    case 'lost':
    case 'done':
      return t('talk.lost');
  }
}
