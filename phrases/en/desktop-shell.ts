// English: what the desktop shell shows while it has no page of the console.
export const desktopShell = {
  'desktopShell.connecting': 'Connecting to {server} …',
  'desktopShell.untrusted':
    'The certificate of {server} is not trusted. Compare this fingerprint with that of the server, then start once with --trust {pin}',
  'desktopShell.changed':
    'The certificate of {server} has changed. Compare this fingerprint with that of the server, then start once with --trust {pin}',
};
