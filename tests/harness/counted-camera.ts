// One virtual camera in the test's process with numbered frames, whose behaviour and counters are fields.
import { DAY_MS, HOUR_MS } from '@vedette/foundation/units/durations.ts';
import { VirtualDevice } from '../../virtual-devices/host/virtual-device.ts';
import { RecordingGenerator } from '../../virtual-devices/recordings/recording-generator.ts';
import type { SceneName } from '../../virtual-devices/scene/scene-catalogue.ts';
import type { LiveStream } from '../../virtual-devices/stream/live-stream.ts';

export const CAMERA_ACCOUNT = { user: 'admin', password: 'camera-secret' } as const;
/** 320×180 at 10 pictures a second: small, and the strip is still read. */
const PATH = '/live/1/third';

export interface CountedCamera {
  readonly device: VirtualDevice;
  readonly stream: LiveStream;
  readonly rtspPort: number;
  /** Takes effect at the next sign-in; lines that are open stay. */
  setPassword(password: string): void;
  /** Of the stream, without credentials; `port` where a relay stands in front. */
  url(port?: number): string;
  stop(): Promise<void>;
}

let cameras = 0;

export interface CountedCameraOptions {
  readonly password?: string;
  readonly hasAudio?: boolean;
  readonly scene?: SceneName;
  /** What time it is there when it starts, whenever the test runs; UTC where none is given. */
  readonly localHour?: number;
}

export async function startCountedCamera(more: CountedCameraOptions = {}): Promise<CountedCamera> {
  cameras += 1;
  const recordingGenerator = new RecordingGenerator();
  const scene = more.scene ?? 'lobby';
  const offsetMs = more.localHour === undefined ? 0 : more.localHour * HOUR_MS - (Date.now() % DAY_MS);
  const plan = {
    name: 'Counted',
    kind: 'camera' as const,
    serial: `COUNTED${cameras}`,
    model: 'VD-C2',
    user: CAMERA_ACCOUNT.user,
    password: more.password ?? CAMERA_ACCOUNT.password,
    organization: [],
    channels: [{ name: 'Counted', label: 'Counted', scene, variant: 0, hasAudio: more.hasAudio ?? false }],
    hasHistory: false,
  };
  const device = new VirtualDevice({
    plan,
    host: '127.0.0.1',
    httpPort: 0,
    rtspPort: 0,
    clock: { wallMs: () => Date.now(), monotonicMs: () => performance.now() },
    utcOffset: () => offsetMs,
    seed: cameras,
    recordingGenerator,
    report: (error) => {
      throw error;
    },
  });
  await device.start();
  const stream = device.streams.get(PATH);
  if (!stream) throw new Error(`the camera has no stream ${PATH}`);
  return {
    device,
    stream,
    rtspPort: device.rtspPort,
    setPassword: (password) => {
      plan.password = password;
    },
    url: (port = device.rtspPort) => `rtsp://127.0.0.1:${port}${PATH}`,
    stop: async () => {
      await device.stop();
      await recordingGenerator.close();
    },
  };
}
