// The microphone of this computer: asked for when somebody talks, given back right after, and in words why it cannot be had.

/** Why nothing can be said: the page is not secure, the user or a policy said no, there is none, another program holds it. */
export type MicrophoneObstacle = 'insecure' | 'denied' | 'none' | 'busy' | 'failed';

export class MicrophoneError extends Error {
  override readonly name = 'MicrophoneError';
  readonly obstacle: MicrophoneObstacle;

  constructor(obstacle: MicrophoneObstacle, cause?: unknown) {
    super(`no microphone: ${obstacle}`, { cause });
    this.obstacle = obstacle;
  }
}

export interface Microphone {
  /** Samples per second. */
  readonly rate: number;
  /** What WebRTC sends. */
  readonly track: MediaStreamTrack | null;
  close(): void;
}

/** `onSound` gets pieces of about 20 ms, one channel, -1 to 1. Rejects with MicrophoneError. */
export type OpenMicrophone = (onSound: (samples: Float32Array) => void, onLost: () => void) => Promise<Microphone>;

const PROCESSOR = 'vedette-talk-capture';

export const openBrowserMicrophone: OpenMicrophone = async (onSound, onLost) => {
  // Both are there on secure pages alone (HTTPS or this machine).
  if (!globalThis.isSecureContext || !('mediaDevices' in navigator) || !('AudioWorkletNode' in globalThis)) {
    throw new MicrophoneError('insecure');
  }
  const stream = await ask();
  const context = new AudioContext({ latencyHint: 'interactive' });
  const close = (): void => {
    for (const track of stream.getTracks()) track.stop();
    void context.close();
  };
  try {
    await context.audioWorklet.addModule(new URL('./talk-worklet.js', import.meta.url));
    if (context.state === 'suspended') await context.resume();
  } catch (error) {
    close();
    throw new MicrophoneError('failed', error);
  }
  const node = new AudioWorkletNode(context, PROCESSOR, { numberOfOutputs: 0 });
  node.port.onmessage = ({ data }: MessageEvent<Float32Array>) => onSound(data);
  context.createMediaStreamSource(stream).connect(node);
  for (const track of stream.getAudioTracks()) track.addEventListener('ended', onLost, { once: true });
  return { rate: context.sampleRate, track: stream.getAudioTracks()[0] ?? null, close };
};

async function ask(): Promise<MediaStream> {
  try {
    return await navigator.mediaDevices.getUserMedia({
      // The loudspeaker of the camera is near its microphone, ours near this one: both would howl.
      audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true, channelCount: 1 },
    });
  } catch (error) {
    throw new MicrophoneError(obstacleOf(error), error);
  }
}

function obstacleOf(error: unknown): MicrophoneObstacle {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied';
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'none';
  return name === 'NotReadableError' || name === 'AbortError' ? 'busy' : 'failed';
}
