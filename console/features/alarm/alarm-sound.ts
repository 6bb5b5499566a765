// The sound of new alarms: two short tones, never more than one sound in five seconds, on or off as the user left it.
import { create } from 'zustand';

const KEY = 'vedette.alarmSound';
export const SOUND_EVERY_MS = 5000;
const TONES = [880, 1175] as const;
const TONE_S = 0.14;

export const useAlarmSound = create<{ readonly isOn: boolean }>(() => ({ isOn: localStorage.getItem(KEY) === 'on' }));

export function setAlarmSound(isOn: boolean): void {
  localStorage.setItem(KEY, isOn ? 'on' : 'off');
  useAlarmSound.setState({ isOn });
}

let lastAt = Number.NEGATIVE_INFINITY;
let context: AudioContext | null = null;

/** `now` in ms of any steady clock; true where it sounded. */
export function soundAlarm(now: number): boolean {
  if (!useAlarmSound.getState().isOn || now - lastAt < SOUND_EVERY_MS) return false;
  lastAt = now;
  context ??= new AudioContext();
  const { currentTime, destination } = context;
  for (const [at, frequency] of TONES.entries()) {
    const tone = new OscillatorNode(context, { frequency });
    const volume = new GainNode(context, { gain: 0.12 });
    tone.connect(volume).connect(destination);
    tone.start(currentTime + at * TONE_S);
    tone.stop(currentTime + (at + 1) * TONE_S - 0.02);
  }
  return true;
}
