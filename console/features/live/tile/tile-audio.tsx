// Audio of the tile that is listened to: its volume, and why nothing is heard.
import type { Translate } from '@vedette/phrases/translate.ts';
import type { AudioState } from '@vedette/player/audio/audio-player.ts';
import { IconVolume, IconVolumeOff } from '@tabler/icons-react';
import { useT } from '../../../language/use-t.ts';
import { setAudioVolume, useAudioVolume } from './audio-volume.ts';
import style from './tile-audio.module.css';

/** Null where the audio speaks for itself, or nobody asked for it. */
export function audioSentence(t: Translate, sound: AudioState): string | null {
  switch (sound.kind) {
    case 'off':
    case 'playing':
    case 'starting':
      return null;
    case 'blocked':
      return t('live.sound_blocked');
    case 'none':
      return t('live.sound_none');
    case 'unavailable':
      return t(`live.sound_${sound.because}`);
  }
}

export function AudioMark({ sound }: { readonly sound: AudioState }) {
  const t = useT();
  const sentence = audioSentence(t, sound);
  const Icon = sentence === null ? IconVolume : IconVolumeOff;
  return (
    <span className={style.mark} role="status" data-sound={sound.kind}>
      <Icon size={13} stroke={1.9} aria-hidden="true" />
      {sentence !== null && <span>{sentence}</span>}
    </span>
  );
}

export function VolumeSlider({ isStop }: { readonly isStop: boolean }) {
  const t = useT();
  const volume = useAudioVolume((state) => state.volume);
  return (
    <input
      type="range"
      className={style.volume}
      min={0}
      max={1}
      step={0.05}
      value={volume}
      tabIndex={isStop ? 0 : -1}
      aria-label={t('live.volume')}
      // A drag on the knob is no drag of the tile, an arrow no step of the selection.
      draggable
      onDragStart={(event) => {
        event.preventDefault();
        event.stopPropagation();
      }}
      onKeyDown={(event) => event.stopPropagation()}
      onClick={(event) => event.stopPropagation()}
      onChange={(event) => setAudioVolume(event.currentTarget.valueAsNumber)}
    />
  );
}
