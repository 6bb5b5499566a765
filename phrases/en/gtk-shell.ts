// English: what the GTK shell says of its web engine before the first page of a server.
export const gtkShell = {
  'gtkShell.title': 'Security of the web engine',
  'gtkShell.says': 'This shell shows the console with WebKitGTK {webKit}. {system} says of its security support:',
  'gtkShell.means':
    'Weaknesses of the engine that become known may stay open. This shell shows {server} alone and refuses every other site: use it only if you trust that server and what it shows.',
  'gtkShell.unknown':
    'This shell shows the console with WebKitGTK {webKit}. Vedette does not know whether {system} still gives security updates for it. Ask the security pages of your system. This shell shows {server} alone and refuses every other site.',
  'gtkShell.other': 'The desktop shell (npm run shell) uses the browser that your system keeps up to date.',
  'gtkShell.goOn': 'Go on to {server}',
};
