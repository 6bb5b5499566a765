// Attack: a tenant sends mail to strangers through the installation: tests, confirmation mails, new channels, other spellings, a second account.
import { SmtpSink } from '../harness/smtp-sink.ts';
import type { AttackTarget, AttackResult } from './attack.ts';
import { newTenant } from './tenants.ts';

const STRANGERS = 20;
const ROUNDS = 15;

type Tenant = Awaited<ReturnType<typeof newTenant>>['client'];

const strangerOf = (index: number, more = '') => `stranger${index}${more}@example.net`;

async function channelTo(client: Tenant, to: string): Promise<string[]> {
  const wish = { kind: 'email', name: 'Mail', isEnabled: true, settings: { to } } as const;
  const saved = await client.call('alarm/channel/save', wish);
  return saved.code === 200 ? [saved.data.channel.channelId] : [];
}

/** Tests and questions to every stranger, as often as there are rounds; answers their codes. */
async function press(client: Tenant, channels: readonly string[]): Promise<number[]> {
  const codes: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const answers = channels.flatMap((channelId, index) => [
      client.call('alarm/channel/test', { channelId }),
      client.call('alarm/channel/ask', { channelId, address: strangerOf(index) }),
    ]);
    codes.push(...(await Promise.all<{ code: number }>(answers)).map(({ code }) => code));
  }
  return codes;
}

/** What is gone and comes again, the same mailbox under other names, and all of it by another account. */
async function comeAgain(place: AttackTarget, client: Tenant, channels: readonly string[]): Promise<void> {
  for (const channelId of channels) await client.call('alarm/channel/delete', { channelId });
  const { client: other } = await newTenant(place);
  for (let index = 0; index < STRANGERS; index += 1) {
    for (const one of [client, other]) await channelTo(one, strangerOf(index).toUpperCase());
    await channelTo(other, strangerOf(index, '+again'));
  }
}

/** Its mail server is the attack's own while it runs: a product that has one is left alone. */
export async function mailRelay(place: AttackTarget): Promise<AttackResult> {
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
    for (let index = 0; index < STRANGERS; index += 1) channels.push(...(await channelTo(client, strangerOf(index))));
    codes.push(...(await press(client, channels)));
    await comeAgain(place, client, channels);
  } finally {
    const { version } = await owner.ok('system/account/get', {});
    await owner.ok('system/account/set', { config: before.config, version });
    await sink.stop();
  }
  const mails = sink.mails.length;
  const mailboxes = sink.mails.map(({ to }) => to.toLowerCase().replace(/\+[^@]*/, ''));
  const most = Math.max(0, ...[...new Set(mailboxes)].map((one) => mailboxes.filter((other) => other === one).length));
  const others = sink.mails.filter(({ text }) => !text.includes('/alarmMail#mail=')).length;
  const broken = [
    ...(others > 0 ? [`${others} mails asked nothing`] : []),
    ...(most > 1 ? [`${most} mails went to one address that nobody confirmed`] : []),
  ];
  const refused = codes.filter((code) => code !== 200).length;
  const tried = `${codes.length} tests of and questions to ${STRANGERS} strangers, then anew and by another account`;
  return { ...about, tried, ownerSaw: { mails, others, mostToOne: most, refused }, broken };
}
