// Registry of attacks, ordered by how little they disturb.
import type { Attack } from './attack.ts';
import { changedBytes } from './changed-bytes.ts';
import { corpora } from './corpora/corpora.ts';
import { frozenDatabase } from './frozen-database.ts';
import { hostileAnswers } from './hostile-answers.ts';
import { hostileFirmware } from './hostile-firmware.ts';
import { mailRelay } from './mail-relay.ts';
import { operatorAsTenant } from './operator-as-tenant.ts';
import { pagesReturn } from './pages-return.ts';
import { quotaRace } from './quota-race.ts';
import { rtspFloods } from './rtsp-floods.ts';
import { secretsInArguments } from './secrets-in-arguments.ts';
import { secretsInLog } from './secrets-in-log.ts';
import { siteMemory } from './site-memory.ts';
import { socketFloods } from './socket-floods.ts';
import { socketsAtOnce } from './sockets-at-once.ts';
import { stolenToken } from './stolen-token.ts';
import { storageByShare } from './storage-by-share.ts';
import { watchingUnseen } from './watching-unseen.ts';

export const ATTACKS: Readonly<Record<string, Attack>> = {
  'stolen-token': stolenToken,
  'operator-as-tenant': operatorAsTenant,
  'storage-by-share': storageByShare,
  'watching-unseen': watchingUnseen,
  'quota-race': quotaRace,
  'mail-relay': mailRelay,
  corpora,
  'hostile-firmware': hostileFirmware,
  'changed-bytes': changedBytes,
  'hostile-answers': hostileAnswers,
  'secrets-in-arguments': secretsInArguments,
  'secrets-in-log': secretsInLog,
  'site-memory': siteMemory,
  'rtsp-floods': rtspFloods,
  'socket-floods': socketFloods,
  'sockets-at-once': socketsAtOnce,
  'frozen-database': frozenDatabase,
  'pages-return': pagesReturn,
};
