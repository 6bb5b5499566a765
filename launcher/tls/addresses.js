// Names and addresses of this machine.

import os from 'node:os';

/** @returns {string[]} addresses of every interface but loopback; link-local ones need a zone and are left out */
export function publicAddresses() {
  const all = Object.values(os.networkInterfaces()).flatMap((list) => list ?? []);
  const usable = all.filter(({ internal, address }) => !internal && !address.startsWith('fe80:'));
  return [...new Set(usable.map(({ address }) => address))].sort();
}

/** @returns {string[]} */
export function certificateNames() {
  const host = os.hostname().toLowerCase();
  const names = /^[a-z0-9.-]{1,253}$/.test(host) ? [host, ...(host.includes('.') ? [] : [`${host}.local`])] : [];
  return [...new Set(['localhost', ...names, '127.0.0.1', '::1', ...publicAddresses()])];
}

/** @param {string} address */
export function forUrl(address) {
  return address.includes(':') ? `[${address}]` : address;
}
