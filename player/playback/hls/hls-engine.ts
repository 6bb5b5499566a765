// Plays a growing playlist through hls.js, which is fetched on first use.
import type { ErrorData, HlsConfig, Loader, LoaderCallbacks, LoaderContext, LoaderStats } from 'hls.js/light';
import type { EngineFault, EngineOptions, PlaybackEngine } from './playback-engine.ts';

/** Only a name: the text comes from `options.playlist`. */
const PLAYLIST_ADDRESS = 'https://playlist.invalid/windows.m3u8';

export async function openHlsEngine(options: EngineOptions): Promise<PlaybackEngine> {
  const { default: Hls, LoadStats } = await import('hls.js/light');
  const stats = (): LoaderStats => new LoadStats();
  const config: Partial<HlsConfig> = {
    pLoader: playlistLoader(options.playlist, stats) as unknown as NonNullable<HlsConfig['pLoader']>,
    startPosition: options.startAt,
    maxBufferLength: 20,
    maxMaxBufferLength: 60,
    backBufferLength: 60,
    // The playlist grows at its end but is no live stream: nothing may pull the position there.
    liveMaxLatencyDurationCount: Number.POSITIVE_INFINITY,
    liveSyncDurationCount: 1,
    maxBufferHole: 0.5,
    enableWorker: false,
  };
  const hls = new Hls(config);
  hls.on(Hls.Events.LEVEL_UPDATED, (_event, { details }) => {
    options.onParts(
      details.fragments.map((fragment) => ({
        start: fragment.start,
        durationS: fragment.duration,
        wallMs: fragment.programDateTime ?? 0,
      })),
    );
  });
  hls.on(Hls.Events.ERROR, (_event, error) => {
    const isCodec = error.details === Hls.ErrorDetails.BUFFER_INCOMPATIBLE_CODECS_ERROR;
    const isAddCodec = error.details === Hls.ErrorDetails.BUFFER_ADD_CODEC_ERROR;
    if (isCodec || isAddCodec) return options.onFault({ kind: 'codec', codec: error.mimeType ?? null });
    const fault = faultOf(error, error.type === Hls.ErrorTypes.NETWORK_ERROR);
    if (error.fatal || isRefusal(fault)) options.onFault(fault);
  });
  hls.loadSource(PLAYLIST_ADDRESS);
  hls.attachMedia(options.video);
  return { close: () => hls.destroy() };
}

function faultOf({ error, details, response }: ErrorData, isOfNetwork: boolean): EngineFault {
  const message = error?.message ?? details;
  return isOfNetwork ? { kind: 'network', status: response?.code ?? null, message } : { kind: 'media', message };
}

/** A ticket that is over never comes back: no use in hls.js's own tries. */
function isRefusal(fault: EngineFault): boolean {
  return fault.kind === 'network' && fault.status !== null && fault.status >= 400 && fault.status < 500;
}

type PlaylistLoaderClass = new () => Loader<LoaderContext>;

function playlistLoader(playlist: () => string, newStats: () => LoaderStats): PlaylistLoaderClass {
  return class implements Loader<LoaderContext> {
    context: LoaderContext | null = null;
    readonly stats = newStats();
    #isAborted = false;

    load(context: LoaderContext, _config: unknown, callbacks: LoaderCallbacks<LoaderContext>): void {
      this.context = context;
      const data = playlist();
      const now = performance.now();
      this.stats.loading = { start: now, first: now, end: now };
      this.stats.loaded = data.length;
      this.stats.total = data.length;
      // hls.js expects its answer after `load` returned.
      queueMicrotask(() => {
        if (!this.#isAborted) callbacks.onSuccess({ url: context.url, data }, this.stats, context, null);
      });
    }

    abort(): void {
      this.#isAborted = true;
    }

    destroy(): void {
      this.#isAborted = true;
      this.context = null;
    }
  };
}
