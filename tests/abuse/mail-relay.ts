// A tenant lets the installation send mail to strangers: twenty addresses, three hundred tests.
import { SEND_LIMITS } from '@vedette/contract/limits.ts';
import { SmtpSink } from '../harness/smtp-sink.ts';
import type { AttackPlace, AttackResult } from './attack.ts';
import { newTenant } from './tenants.ts';

const STRANGERS = 20;
const ROUNDS = 15;

/** Its mail server is the attack's own while it runs: a product that has one is left alone. */
export async function mailRelay(place: AttackPlace): Promise<AttackResult> {
  const { owner } = place;
  const about = { name: 'mail-relay', memoryMB: null, p95Ms: null } as const;
  const before = await owner.ok('system/account/get', {});
  if (before.config.mail !== null)
    return { ...about, tried: 'nothing: it sends mail already', ownerSaw: {}, broken: [] };
  const sink = await SmtpSink.start();
  const config = { ...before.config, mail: sink.settings };
  await owner.ok('system/account/set', { config, version: before.version });
  const codes: number[] = [];
  try {
    const { client } = await newTenant(place);
    const channels: string[] = [];
    for (let index = 0; index < STRANGERS; index += 1) {
      const settings = { to: `stranger${index}@example.net` };
      const saved = await client.call('alarm/channel/save', { kind: 'email', name: 'Mail', isEnabled: true, settings });
      if (saved.code === 200) channels.push(saved.data.channel.channelId);
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      const answers = channels.map((channelId) => client.call('alarm/channel/test', { channelId }));
      codes.push(...(await Promise.all(answers)).map(({ code }) => code));
    }
  } finally {
    const { version } = await owner.ok('system/account/get', {});
    await owner.ok('system/account/set', { config: before.config, version });
    await sink.stop();
  }
  const mails = sink.mails.length;
  // Each address may be asked once whether it wants any; while this runs one more test may find place.
  const most = SEND_LIMITS.test.account + 1 + STRANGERS;
  const broken = mails > most ? [`${mails} mails left, ${most} at most may`] : [];
  const refused = codes.filter((code) => code !== 200).length;
  const tried = `${codes.length} tests of mail to ${STRANGERS} strangers`;
  return { ...about, tried, ownerSaw: { mails, refused }, broken };
}
