// Sends a server and a site to names that change, within a network and with a name server of the test's own; prints one NamesReport.
import { ScriptedSite } from '../contract/scripted-site.ts';
import { ServerUnderTest } from '../contract/server-under-test.ts';
import type { NamesReport } from './changing-names.ts';
import {
  askCameras,
  changingPlaces,
  hearEvents,
  keepCamera,
  messagesMeanwhile,
  sendMails,
  sendMessages,
  silentPlaces,
} from './name-attempts.ts';
import { reached, startPeers } from './name-peers.ts';
import { SiteProcess } from './site-process.ts';

async function main(): Promise<void> {
  const peers = await startPeers();
  const ports = { VEDETTE_PUBLIC_PORT: '8443', VEDETTE_OWN_PORTS: `8443,${peers.own.port}` };
  const server = await ServerUnderTest.start(ports);
  const site = await SiteProcess.create(ports);
  try {
    const operator = await server.setUp();
    const scripted = await ScriptedSite.dial(server);
    const accounts = ['guest', 'slow'];
    for (const username of accounts) await operator.ok('user/add', { username, password: 'Secret-1', userType: 2 });
    const [guest, slow] = await Promise.all(accounts.map((name) => server.signIn(name, 'Secret-1')));
    if (!guest || !slow) throw new Error('no accounts');
    const [silent, messages, others] = await Promise.all([
      sendMessages(slow, scripted, silentPlaces(peers)),
      sendMessages(guest, scripted, changingPlaces(peers)),
      messagesMeanwhile(operator, peers),
    ]);
    const [smtp, heard] = [await sendMails(operator, peers), await hearEvents(operator, peers)];
    await scripted.hangUp();
    await site.serve();
    await site.start();
    const { own: ownPort = [], ...cameras } = await askCameras(site, peers);
    await keepCamera(site, peers);
    const { own = [], ...told } = messages;
    const ends = {
      ...told,
      silent: silent['webhook'] ?? [],
      smtp,
      mqttIn: heard,
      ...cameras,
      own: [...own, ...ownPort],
    };
    process.stdout.write(`${JSON.stringify({ ends, others, ...reached(peers) } satisfies NamesReport)}\n`);
  } finally {
    await Promise.all([site.stop(), server.stop()]);
  }
}

await main();
process.exit();
