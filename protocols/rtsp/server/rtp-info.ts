// Writes the RTP-Info header: where each track of a playback begins (RFC 2326 12.33).
import { trackUrl } from '../request-url.ts';
import type { RtspPlayback } from './server-mount.ts';
import type { ServerSession } from './server-session.ts';

/** '' where no track that is set up has begun. */
export function rtpInfo(uri: string, { mount, tracks }: ServerSession, { starts }: RtspPlayback): string {
  return starts
    .flatMap((start, track) => {
      if (start === undefined || !tracks.has(track)) return [];
      return [`url=${trackUrl(uri, mount.controls[track] ?? '')};seq=${start.sequence};rtptime=${start.rtpTime}`];
    })
    .join(',');
}
