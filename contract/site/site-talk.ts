// What the server asks of the site about two-way talk, and the schema of the answer.
import { z } from 'zod';
import type { TalkCodec } from '../talk-wire.ts';

export interface TalkCalls {
  /** Asks the device whether it listens; 1018 with `{userName}` while another account talks to it. */
  talk: {
    input: { deviceSerial: string; channelNo: number; userId: string };
    output: { codec: TalkCodec };
  };
}

export const talkAnswers = { talk: z.object({ codec: z.enum(['pcma', 'pcmu']) }) };
