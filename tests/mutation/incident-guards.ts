// What keeps the incidents of docs/requirements/incidents.md away: the guard of each in our sources, how it looks taken out, and the test that is red then.

export interface IncidentGuard {
  /** As the table of incidents names it. */
  readonly incident: string;
  /** Project of Vitest. */
  readonly project: 'unit' | 'contract' | 'abuse' | 'project';
  /** File of the test, and a part of its title. */
  readonly test: string;
  readonly title: string;
  readonly file: string;
  /** Stands once in the file. */
  readonly guard: string;
  readonly without: string;
}

const INCIDENTS = { project: 'abuse', test: 'tests/abuse/incidents.test.ts' } as const;
const AUTHORIZED = {
  file: 'server/auth/authorize.ts',
  guard:
    "  if (!decision.allowed) throw new CallError(decision.code === 1004 ? 'permissionDenied' : 'devNotExist');\n  return { ...facts, decision };",
  without: '  return { ...facts, decision };',
} as const;
const PASSWORD = {
  file: 'server/auth/password-hash.ts',
  guard: 'return isRight && stored !== null;',
  without: 'return isRight || stored !== null;',
} as const;
const HEADER_ALONE = {
  file: 'server/http/app.ts',
  guard:
    "function credentialsOf({ headers }: FastifyRequest, url: string): Credentials {\n  const [, scheme, token] = /^(Bearer|DPoP) ([^ ]{1,512})$/i.exec(headers.authorization ?? '') ?? [];",
  without:
    'function credentialsOf({ headers, query }: FastifyRequest, url: string): Credentials {\n  const asked = query as { token?: string; access_token?: string };\n  const [, scheme, token] = /^(Bearer|DPoP) ([^ ]{1,512})$/i.exec(headers.authorization ?? `Bearer ${asked.token ?? asked.access_token}`) ?? [];',
} as const;

export const INCIDENT_GUARDS: readonly IncidentGuard[] = [
  {
    incident: 'Hikvision CVE-2021-36260',
    ...INCIDENTS,
    title: 'Hikvision CVE-2021-36260',
    file: 'contract/calls/account.ts',
    guard: 'language: z.number().int().min(0).max(1).optional(),',
    without: 'language: z.any(),',
  },
  { incident: 'Hikvision CVE-2017-7921', ...INCIDENTS, title: 'Hikvision CVE-2017-7921', ...HEADER_ALONE },
  { incident: 'Dahua CVE-2021-33044, CVE-2021-33045', ...INCIDENTS, title: 'Dahua CVE-2021-33044', ...PASSWORD },
  {
    incident: 'Axis CVE-2025-30023 to CVE-2025-30026',
    project: 'unit',
    test: 'foundation/network/dial.test.ts',
    title: 'Axis CVE-2025-30024',
    file: 'foundation/network/dial.ts',
    guard: 'connectTls({ minVersion: OLDEST_TLS, ...where, ...name, ...tls })',
    without: 'connectTls({ minVersion: OLDEST_TLS, ...where, ...name, ...tls, rejectUnauthorized: false })',
  },
  {
    incident: 'Frigate CVE-2026-33470, ZoneMinder CVE-2026-54258',
    ...INCIDENTS,
    title: 'Frigate CVE-2026-33470',
    ...AUTHORIZED,
  },
  {
    incident: 'Frigate CVE-2023-45670',
    project: 'contract',
    test: 'tests/contract/web-abuse.test.ts',
    title: 'Frigate CVE-2023-45670',
    file: 'server/http/app.ts',
    guard: 'if (isForeign && !(await admitForeignPage(request, reply, options.isListedOrigin))) {',
    without: 'if (isForeign && !(await admitForeignPage(request, reply, async () => true))) {',
  },
  {
    incident: 'TinyIce CVE-2026-45327',
    ...INCIDENTS,
    title: 'TinyIce CVE-2026-45327',
    file: 'protocols/rtsp/server/server-connection.ts',
    guard: 'this.#answer(request, PUBLISHING.has(request.method) ? 405 : 501, { Allow: PUBLIC });',
    without: 'this.#answer(request, PUBLISHING.has(request.method) ? 200 : 501, { Allow: PUBLIC });',
  },
  {
    incident: 'Live555 CVE-2026-41470',
    project: 'unit',
    test: 'protocols/rtsp/server/server.test.ts',
    title: 'Live555 CVE-2026-41470',
    file: 'protocols/rtsp/server/server-connection.ts',
    guard: 'return id === undefined || id === this.#session?.id;',
    without: 'return true;',
  },
  {
    incident: 'npm 2025 and 2026',
    project: 'project',
    test: 'tests/project/locked-packages.test.ts',
    title: 'no program of a package runs',
    file: '.npmrc',
    guard: 'ignore-scripts=true',
    without: 'ignore-scripts=false',
  },
];
