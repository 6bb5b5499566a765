// What the server asks of the site about two-way talk.
import type { TalkCodec } from './talk-wire.ts';

export interface TalkCalls {
  /** Asks the device whether it listens; 1018 with `{userName}` while another account talks to it. */
  talk: {
    input: { deviceSerial: string; channelNo: number; userId: string };
    output: { codec: TalkCodec };
  };
}
