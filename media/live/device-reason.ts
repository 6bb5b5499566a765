// Maps a source's failure to the reason that the tile shows.
import type { DeviceReason } from '@vedette/contract/errors.ts';
import type { SourceFailure } from '../stream/stream.ts';

const REASONS: Readonly<Record<SourceFailure, DeviceReason>> = {
  unreachable: 'unreachable',
  timeout: 'timeout',
  authentication: 'deviceAuth',
  'not-found': 'fault',
  protocol: 'wrongProtocol',
  'no-video': 'noVideo',
  'unsupported-codec': 'unsupportedCodec',
  'no-key-picture': 'noKeyPicture',
  'refused-address': 'refusedAddress',
  untrusted: 'untrusted',
  misbehaving: 'misbehaving',
};

export function deviceReasonOf(failure: SourceFailure): DeviceReason {
  return REASONS[failure];
}
