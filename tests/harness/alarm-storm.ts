// Starts an alarm burst over many devices from a process outside the server.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type pg from 'pg';
import { SecretBox } from '../../server/core/secret-box.ts';
import { sealSecrets } from '../../server/site-link/device-secrets.ts';
import type { StormOrder, StormResult } from '../peers/storm-order.ts';

const SCRIPT = new URL('../peers/main-alarm-storm.ts', import.meta.url).pathname;

/** Cameras of the account, by SQL: a thousand calls are not the subject. Answers their serials. */
export async function insertCameras(
  client: pg.Client,
  { ownerId, count, masterKey }: { readonly ownerId: string; readonly count: number; readonly masterKey: string },
): Promise<string[]> {
  const box = new SecretBox({ masterKey: Buffer.from(masterKey, 'hex') });
  const ids = Array.from({ length: count }, (_none, at) => `storm${at}`);
  const secrets = { target: 'rtsp://192.0.2.1/1', user: '', password: '', native: {} };
  await client.query(
    `insert into device (device_id, owner_id, device_serial, device_name, device_type, device_model, device_version,
       manufacturer, driver, address, device_user_name, credentials, is_operator_address, created_at)
     select id, $1, upper(id), 'Camera ' || id, 0, '', '', '', 'rtsp', '192.0.2.1', '', sealed, false, 0
     from unnest($2::text[], $3::bytea[]) as camera (id, sealed)`,
    [ownerId, ids, ids.map((id) => sealSecrets(box, id, secrets))],
  );
  await client.query(
    `insert into channel (channel_id, device_id, channel_no, channel_name)
     select 'c' || id, id, 1, 'Camera ' || id from unnest($1::text[]) as id`,
    [ids],
  );
  return ids.map((id) => id.toUpperCase());
}

export async function storm(order: StormOrder): Promise<StormResult> {
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, JSON.stringify(order)], {
    maxBuffer: 1 << 20,
  });
  return JSON.parse(stdout) as StormResult;
}
