// Doctor: are the public ports free, or served by this installation?

import { once } from 'node:events';
import net from 'node:net';
import { systemCode } from '../core/launch-error.js';
import { failure, ok, warning } from './finding.js';

const patienceMs = 3_000;

/**
 * @param {import('./finding.js').Patient} patient
 * @returns {Promise<import('./finding.js').Finding[]>}
 */
export async function checkPorts({ options, isRunning }) {
  const { port, rtspPort, host } = options;
  const ports = [
    { option: '--port', port },
    ...(rtspPort === null ? [] : [{ option: '--rtsp-port', port: rtspPort }]),
  ].filter((one) => one.port !== 0);
  return Promise.all(ports.map((one) => (isRunning ? checkServed(one.port, host) : checkFree(one, host))));
}

/**
 * @param {number} port
 * @param {string} host
 */
async function checkServed(port, host) {
  if (await accepts(port, host)) return ok('ports', `Port ${port} accepts connections.`);
  const advice = 'If Vedette was started with other options, give the same ones here; else read the logs.';
  return warning('ports', `Vedette runs, but port ${port} accepts no connection.`, advice);
}

/**
 * @param {{ option: string, port: number }} wanted
 * @param {string} host
 */
async function checkFree({ option, port }, host) {
  const server = net.createServer();
  try {
    server.listen({ port, ...(host !== '' && { host }) });
    await once(server, 'listening');
    return ok('ports', `Port ${port} is free.`);
  } catch (error) {
    return refusal(systemCode(error), { option, port }, host);
  } finally {
    server.close();
  }
}

/**
 * @param {string} code
 * @param {{ option: string, port: number }} wanted
 * @param {string} host
 */
function refusal(code, { option, port }, host) {
  if (code === 'EADDRINUSE')
    return failure(
      'ports',
      `Port ${port} is used by another program.`,
      `End that program (ss -ltnp "sport = :${port}" names it), or start with ${option} and another port.`,
    );
  if (code === 'EACCES')
    return failure(
      'ports',
      `This user may not listen on port ${port}.`,
      `Choose a port of 1024 or more with ${option}.`,
    );
  if (code === 'EADDRNOTAVAIL')
    return failure('ports', `This machine has no address ${host}.`, 'Correct --host, or leave it out.');
  return failure('ports', `Port ${port} cannot be opened (${code}).`, `Choose another one with ${option}.`);
}

/**
 * @param {number} port
 * @param {string} host
 */
async function accepts(port, host) {
  const isEvery = host === '' || host === '0.0.0.0' || host === '::';
  const socket = net.connect({ port, host: isEvery ? 'localhost' : host });
  socket.setTimeout(patienceMs, () => socket.destroy(new Error('timeout')));
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false; // refused or silent: that is the answer
  } finally {
    socket.destroy();
  }
}
