// Call of the site for two-way talk, and the schema of its answer.
import { z } from 'zod';
import type { TalkCodec } from '../talk-wire.ts';

export interface TalkCalls {
  /** Checks that the device accepts audio; 1018 with `{userName}` while another account talks to it. */
  talk: {
    input: { deviceSerial: string; channelNo: number; userId: string };
    output: { codec: TalkCodec };
  };
}

export const talkAnswers = { talk: z.object({ codec: z.enum(['pcma', 'pcmu']) }) };
