// The arrows between rooms and inside them, as docs/architecture.md draws them; `npm run check` and tests/project hold them.

/** What each room may import of ours (itself apart) and, where it is restricted, of npm. */
const rooms = {
  foundation: { rooms: [], packages: [] },
  contract: { rooms: [], packages: ['zod'], pure: true },
  bridge: { rooms: ['contract'], packages: ['zod'], pure: true },
  rules: { rooms: ['contract'], packages: [], pure: true },
  phrases: { rooms: ['contract'], packages: [], pure: true },
  protocols: { rooms: [], packages: ['saxes'] },
  drivers: { rooms: ['contract', 'protocols'], packages: [] },
  media: { rooms: ['contract', 'rules', 'protocols', 'drivers'] },
  site: { rooms: ['contract', 'rules', 'drivers', 'media', 'protocols'] },
  gateway: { rooms: ['contract', 'rules', 'media', 'protocols'], packages: [] },
  server: { rooms: ['contract', 'rules', 'phrases', 'drivers'] },
  player: { rooms: ['contract', 'protocols'], packages: ['hls.js'], pure: true },
  sdk: { rooms: ['contract', 'bridge', 'phrases', 'player'], packages: ['zod'], pure: true },
  console: { rooms: ['contract', 'bridge', 'sdk', 'rules', 'phrases', 'player'], pure: true },
  shells: { rooms: ['contract', 'bridge', 'phrases'], packages: ['zod'] },
  'virtual-devices': { rooms: ['contract', 'protocols'], packages: ['pino'] },
  launcher: { rooms: [] },
};

const tests = '(\\.(test|spec|test-d|fake|fixture|bench)\\.[tj]sx?$|/(conformance|fixtures)/)';
const all = [...Object.keys(rooms), 'tests', 'bench'];

const arrows = Object.entries(rooms).flatMap(([room, { rooms: named, packages, pure }]) => {
  // Everything stands on the foundation but the launcher, which runs before anything is installed.
  const allowed = room === 'launcher' ? named : ['foundation', ...named];
  const forbidden = all.filter((other) => other !== room && !allowed.includes(other));
  const from = { path: `^${room}/`, pathNot: tests };
  const rules = [
    {
      name: `arrow-${room}`,
      comment: `${room}/ may import ${allowed.join(', ') || 'no other room'}.`,
      severity: 'error',
      from,
      to: { path: `^(${forbidden.join('|')})/` },
    },
  ];
  if (packages !== undefined) {
    rules.push({
      name: `packages-${room}`,
      comment: `${room}/ may import ${packages.join(', ') || 'nothing'} of npm.`,
      severity: 'error',
      from: { ...from, pathNot: `${tests}|^sdk/build/` },
      to: { path: `(^|/)node_modules/(?!(@vedette|${packages.concat('@types').join('|')})/)` },
    });
  }
  if (pure) {
    rules.push({
      name: `pure-${room}`,
      comment: `${room}/ also runs in browsers: no module of Node.`,
      severity: 'error',
      from: { path: `^${room}/`, pathNot: `${tests}|vite\\.config|^console/(build|tools)/|^sdk/build/` },
      to: { dependencyTypes: ['core'] },
    });
  }
  return rules;
});

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...arrows,
    {
      name: 'no-cycle',
      comment: 'Imports never form a ring, types included.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      comment: 'Every import leads to a file.',
      severity: 'error',
      // vite's own virtual modules and its ?queries are resolved at build time. Examples are programs of their own, with packages of their own.
      from: { pathNot: '^examples/' },
      // GJS finds libraries of GNOME at `gi`, and itself at `system`.
      to: { couldNotResolve: true, pathNot: '(^virtual:|^gi$|^system$|\\?)' },
    },
    {
      name: 'browsers-take-pure-foundation',
      comment: 'What runs in browsers takes of the foundation only what imports no module of Node.',
      severity: 'error',
      from: { path: '^(contract|bridge|sdk/client|rules|phrases|player|console)/', pathNot: tests },
      to: { path: '^foundation/(network|random|signing)/' },
    },
    {
      name: 'foundation-is-pure',
      comment: 'Of the foundation only network/, random/ and signing/ import modules of Node.',
      severity: 'error',
      from: { path: '^foundation/', pathNot: ['^foundation/(network|random|signing)/', tests] },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'features-meet-through-facts',
      comment: 'A feature of the server reaches another only through its *.facts.ts.',
      severity: 'error',
      from: { path: '^server/features/([^/]+)/', pathNot: tests },
      to: { path: '^server/features/[^/]+/', pathNot: ['^server/features/$1/', '\\.facts\\.ts$'] },
    },
    {
      name: 'main-is-imported-by-nobody',
      comment: 'Only main-*.ts constructs long-lived services, and nobody but another main imports it.',
      severity: 'error',
      from: { pathNot: '(^|/)main-[^/]+\\.[tj]sx?$' },
      to: { path: '(^|/)main-[^/]+\\.[tj]sx?$' },
    },
    {
      name: 'driver-knows-no-other',
      comment: 'A driver imports the kit, never another driver; registry.ts alone lists them.',
      severity: 'error',
      from: { path: '^drivers/([^/]+)/', pathNot: tests },
      to: { path: '^drivers/[^/]+/', pathNot: '^drivers/($1|kit)/' },
    },
    {
      name: 'server-sees-driver-addresses-only',
      comment: 'Of the drivers the server imports only their addresses, which open no connection.',
      severity: 'error',
      from: { path: '^server/', pathNot: tests },
      to: { path: '^drivers/', pathNot: '^drivers/addresses\\.ts$' },
    },
    {
      name: 'driver-addresses-are-pure',
      comment: "A driver's addresses import no module of Node and no connection.",
      severity: 'error',
      from: { path: ['^drivers/addresses\\.ts$', '^drivers/[^/]+/[^/]*-addresses\\.ts$'] },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'media-sees-driver-types-only',
      comment: 'media/ knows the driver kit by its types alone.',
      severity: 'error',
      from: { path: '^media/', pathNot: tests },
      to: { path: '^drivers/', pathNot: '^drivers/kit/' },
    },
    {
      name: 'media-imports-no-driver-code',
      comment: 'media/ knows the driver kit by its types alone.',
      severity: 'error',
      from: { path: '^media/', pathNot: tests },
      to: { path: '^drivers/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'screen-knows-no-other',
      comment: 'A screen never imports another screen; features hold what two screens share.',
      severity: 'error',
      from: { path: '^console/screens/([^/]+)/', pathNot: tests },
      to: { path: '^console/screens/[^/]+/', pathNot: '^console/screens/$1/' },
    },
    {
      name: 'features-below-screens',
      comment: 'In the console: app → screens → features → ui; client-mode stands beside the screens.',
      severity: 'error',
      from: { path: '^console/features/', pathNot: tests },
      to: { path: '^console/(screens|app|client-mode)/' },
    },
    {
      name: 'ui-knows-no-product',
      comment: 'console/ui holds widgets that know no product word.',
      severity: 'error',
      from: { path: '^console/ui/', pathNot: tests },
      to: { path: '^console/(screens|app|features|session|calls|realtime)/' },
    },
    {
      name: 'nothing-needs-tests',
      comment: 'What ships imports no test, no fake and no development package.',
      severity: 'error',
      from: { path: `^(${Object.keys(rooms).join('|')})/`, pathNot: tests },
      to: {
        path: '(\\.(test|spec|fake)\\.[tj]sx?$|^tests/|(^|/)node_modules/(vitest|fast-check|playwright-core|happy-dom)/)',
      },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: `${__dirname}/tsconfig.json` },
    combinedDependencies: true,
    doNotFollow: { path: 'node_modules/(?!@vedette)' },
    exclude: { path: '(^|/)(dist|data|data-dev|coverage)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
    },
  },
};
