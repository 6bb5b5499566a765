// Plays one recorded clip from its HLS playlist in a video element; for the guest page, which has nothing else to play.
import { mediaSourceClass } from '../../decode/media-source.ts';

export interface ClipPlayerOptions {
  readonly video: HTMLVideoElement;
  /** Of the playlist. */
  readonly url: string;
  /** `status`: of the answer that refused it; null where it is no refusal. */
  readonly onFault: (status: number | null) => void;
}

/** Answers what ends it. */
export async function openClip({ video, url, onFault }: ClipPlayerOptions): Promise<() => void> {
  if (!mediaSourceClass()) {
    video.src = url;
    const fail = (): void => onFault(null);
    video.addEventListener('error', fail);
    return () => {
      video.removeEventListener('error', fail);
      video.removeAttribute('src');
      video.load();
    };
  }
  const { default: Hls } = await import('hls.js/light');
  const hls = new Hls({ enableWorker: false, maxBufferLength: 30, backBufferLength: 60 });
  hls.on(Hls.Events.ERROR, (_event, error) => {
    const status = error.response?.code ?? null;
    // A ticket that is over never comes back: no use in hls.js's own tries.
    const isRefused = error.type === Hls.ErrorTypes.NETWORK_ERROR && status !== null && status >= 400 && status < 500;
    if (error.fatal || isRefused) onFault(status);
  });
  hls.loadSource(url);
  hls.attachMedia(video);
  return () => hls.destroy();
}
