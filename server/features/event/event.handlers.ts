// Handlers of event/ingest and its keys: events of other programs become alarms, on devices that the key's owner may configure.
import { createHash } from 'node:crypto';
import { VIRTUAL_ALARM_TOPIC } from '@vedette/contract/alarm-topics.ts';
import type { eventCalls } from '@vedette/contract/calls/event.ts';
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import { type EventPicture, readEventPicture } from '@vedette/rules/alarm/event-picture.ts';
import { authorizeDevice } from '../../auth/authorize.ts';
import { loadAccountRights, loadRights, type Rights } from '../../auth/rights.ts';
import type { Credentials, Sessions } from '../../auth/sessions.ts';
import { CallError, fieldError } from '../../core/call-error.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import {
  findIngestKey,
  deleteIngestKey,
  ingestKeysOf,
  insertIngestKey,
} from '../../database/alarm/ingest-key.queries.ts';
import type { Database } from '../../database/connection.ts';
import type { Handlers } from '../../http/handler.ts';
import type { MqttInSettings } from '../../mqtt-in/mqtt-in-settings.ts';
import type { MqttListener } from '../../mqtt-in/mqtt-listener.ts';
import { brokerOf } from '../../outbound/mqtt-connection.ts';
import { PictureRates } from '../../quota/picture-rates.ts';
import { withinQuota } from '../../quota/reserve-quota.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import { newSecret } from '@vedette/foundation/random/secrets.ts';
import type { DeviceEventReport } from '@vedette/contract/site/site.ts';
import type { DeviceFacts } from '../../database/device/device.queries.ts';

export interface EventDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly sessions: Pick<Sessions, 'authenticateAny'>;
  /** Stores the event as if the device had told it, and answers the alarm that it raised. */
  readonly writeEvent: (
    device: DeviceFacts,
    report: DeviceEventReport,
    picture?: EventPicture,
  ) => Promise<{ readonly alarmId: string | null; readonly isPictureStored: boolean }>;
  readonly mqttSettings: MqttInSettings;
  readonly mqttListener: MqttListener;
}

const TOKEN_PREFIX = 'vdi_';

export function eventHandlers(deps: EventDeps): Handlers<keyof typeof eventCalls> {
  const { database, clock, writeEvent } = deps;
  const pictureRates = new PictureRates();
  return {
    ...mqttHandlers(deps),
    'event/ingest': async ({ input, token, proof, now, audit }) => {
      const sender = await senderOf(deps, { token, proof }, now);
      audit.accountId = sender.accountId;
      const { deviceSerial, channelNo, type, phase, time, eventId } = input;
      const sent = pictureOf(input);
      const device = await authorizeDevice(database, sender.rights, 'Config', { deviceSerial, channelNo });
      const report: DeviceEventReport = {
        kind: 'deviceEvent',
        deviceSerial,
        eventId: `app ${sender.id} ${eventId ?? newId()}`,
        topic: `${VIRTUAL_ALARM_TOPIC}/${type}`,
        phase,
        channelNo: channelNo ?? 0,
        key: `app ${input.key}`,
        at: time ?? now,
        deviceAt: null,
        source: { app: sender.name },
        data: input.data,
      };
      // An event is never lost for its picture.
      const isKept = sent !== undefined && pictureRates.spend(sender.accountId, clock.monotonicMs());
      return await writeEvent(device, report, isKept ? sent : undefined);
    },
    'event/key/list': async ({ principal }) => {
      const keyList = (await ingestKeysOf(database, principal.userId)).map(toKey);
      return { total: keyList.length, keyList };
    },
    'event/key/add': async ({ input, principal, now, audit }) => {
      const token = `${TOKEN_PREFIX}${newSecret()}`;
      const row = {
        key_id: newId(),
        account_id: principal.userId,
        key_name: input.name.trim(),
        token_hash: hashOf(token),
        created_at: now,
        last_at: null,
      };
      audit.object = row.key_id;
      const use = { accountId: principal.userId, now, take: { ingestKeys: 1 } };
      await withinQuota(database, use, (transaction) => insertIngestKey(transaction, row));
      return { key: toKey(row), token };
    },
    'event/key/delete': async ({ input, principal, audit }) => {
      audit.object = input.keyId;
      if (!(await deleteIngestKey(database, principal.userId, input.keyId))) throw new CallError('notFound');
      return {};
    },
  };
}

interface Sender {
  /** Events of different senders never count as one. */
  readonly id: string;
  readonly name: string;
  readonly accountId: string;
  readonly rights: Rights;
}

/** The program behind a key, or an app behind its token. Throws 1001, 1002 or 2031; 1004 for an app without the scope. */
async function senderOf(
  { database, clock, sessions }: EventDeps,
  { token, proof }: Credentials,
  now: number,
): Promise<Sender> {
  const key = token === null ? undefined : await findIngestKey(database, hashOf(token), now);
  if (key !== undefined) {
    const rights = await loadAccountRights(database, clock, key.account_id);
    return { id: key.key_id, name: key.key_name, accountId: key.account_id, rights };
  }
  const { principal } = await sessions.authenticateAny({ token, proof });
  const { app, userId } = principal;
  if (app === undefined) throw new CallError('tokenInvalid');
  if (!app.scopes.includes('event.ingest')) throw new CallError('permissionDenied');
  return { id: app.appId, name: app.appName, accountId: userId, rights: await loadRights(database, clock, principal) };
}

function pictureOf({ picture, channelNo }: CallInput<'event/ingest'>): EventPicture | undefined {
  if (picture === undefined) return undefined;
  // Who may watch recordings of the channel may see it: without one it would be nobody.
  if (channelNo === undefined) throw fieldError({ channelNo: 'required' });
  const read = readEventPicture(picture);
  if (typeof read === 'string') throw fieldError({ picture: read });
  return read;
}

function mqttHandlers(deps: EventDeps): Handlers<'event/mqtt/get' | 'event/mqtt/set'> {
  const { database, mqttSettings, mqttListener } = deps;
  const state = async () => {
    const { password, version, accountId: _namedBy, ...mqtt } = await mqttSettings.read();
    const { isConnected, lastTime, problem, droppedCount } = mqttListener;
    return { mqtt, hasPassword: password !== '', version, isConnected, lastTime, problem, droppedCount };
  };
  return {
    'event/mqtt/get': async () => await state(),
    'event/mqtt/set': async ({ input, rights, principal }) => {
      const { mqtt, version } = input;
      if (mqtt.url !== '' && brokerOf(mqtt.url) === null) throw fieldError({ 'mqtt.url': 'format' });
      const held = await rights();
      for (const { deviceSerial, channelNo } of mqtt.cameraList) {
        await authorizeDevice(database, held, 'Config', { deviceSerial, channelNo });
      }
      const before = await mqttSettings.read();
      // The stored password is not sent to another broker.
      const kept = before.url === mqtt.url ? before.password : '';
      const by = { accountId: principal.userId, password: input.password ?? kept };
      const stored = await mqttSettings.replace(mqtt, by, version);
      if (stored === undefined) throw new CallError('stale', await state());
      mqttListener.restart();
      return await state();
    },
  };
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function toKey(row: { key_id: string; key_name: string; created_at: number; last_at: number | null }) {
  return { keyId: row.key_id, name: row.key_name, createTime: row.created_at, lastTime: row.last_at };
}
