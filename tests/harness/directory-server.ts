// Debian's slapd as tests run it: one directory with people and groups, on free ports, with a certificate of an authority of its own.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'ldapts';
import { ensureServerCertificate } from '../../launcher/tls/local-authority.js';
import { waitFor } from './wait-for.ts';
import { freePort } from './free-port.ts';

const PROGRAM = '/usr/sbin/slapd';
export const BASE = 'dc=example,dc=org';
export const SEARCHER = { name: `cn=searcher,${BASE}`, password: 'searcher-of-the-tests' } as const;
const ROOT = { name: `cn=root,${BASE}`, password: 'root-of-the-tests' } as const;
export const PEOPLE = { anna: 'Annas-Word-1', ben: 'Bens-Word-1', wang: 'Wangs-Word-1' } as const;
export const GUARDS = `cn=guards,ou=groups,${BASE}`;

/** Attributes of Active Directory with their own object identifiers and matching rules. */
const ACTIVE_DIRECTORY = `
attributetype ( 1.2.840.113556.1.4.2 NAME 'objectGUID' EQUALITY octetStringMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 SINGLE-VALUE )
attributetype ( 1.2.840.113556.1.4.8 NAME 'userAccountControl' EQUALITY integerMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
objectclass ( 1.3.6.1.4.1.4203.666.1 NAME 'windowsAccount' SUP top AUXILIARY MAY ( objectGUID $ userAccountControl ) )`;

function configuration(folder: string): string {
  const schemas = ['core', 'cosine', 'nis', 'inetorgperson'].map((name) => `include /etc/ldap/schema/${name}.schema`);
  return `allow bind_anon_cred bind_anon_dn
${schemas.join('\n')}
${ACTIVE_DIRECTORY}
modulepath /usr/lib/ldap
moduleload back_mdb
moduleload memberof
TLSCACertificateFile ${folder}/ca.pem
TLSCertificateFile ${folder}/server.pem
TLSCertificateKeyFile ${folder}/server.key
database mdb
suffix "${BASE}"
directory ${folder}/db
dbnosync
rootdn "${ROOT.name}"
rootpw ${ROOT.password}
overlay memberof
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact="${SEARCHER.name}" read by anonymous auth by * none
`;
}

function person(uid: string, name: string, password: string, more = ''): string {
  return `dn: uid=${uid},ou=people,${BASE}
objectClass: inetOrgPerson
objectClass: windowsAccount
uid: ${uid}
cn: ${name}
sn: ${name}
userPassword: ${password}
${more}`;
}

function entries(referTo: string): string {
  return `dn: ${BASE}
objectClass: dcObject
objectClass: organization
o: Example
dc: example

dn: ${SEARCHER.name}
objectClass: organizationalRole
objectClass: simpleSecurityObject
cn: searcher
userPassword: ${SEARCHER.password}

dn: ou=people,${BASE}
objectClass: organizationalUnit
ou: people

dn: ou=guests,${BASE}
objectClass: organizationalUnit
ou: guests

dn: ou=groups,${BASE}
objectClass: organizationalUnit
ou: groups

${person('anna', 'Anna Guard', PEOPLE.anna, `mail: anna@example.org\nobjectGUID:: ${GUID.toString('base64')}\ndepartmentNumber: north\n`)}
${person('ben', 'Ben Porter', PEOPLE.ben)}
${person('wang', '王芳', PEOPLE.wang).replace(/(cn|sn): (.*)/g, (_line, name: string, text: string) => `${name}:: ${Buffer.from(text).toString('base64')}`)}
dn: uid=twice,ou=people,${BASE}
objectClass: account
objectClass: simpleSecurityObject
uid: twice
userPassword: Twices-Word-1

dn: uid=twice,ou=guests,${BASE}
objectClass: account
objectClass: simpleSecurityObject
uid: twice
userPassword: Twices-Word-1

dn: cn=porters,ou=groups,${BASE}
objectClass: posixGroup
cn: porters
gidNumber: 1000
memberUid: ben

dn: ou=elsewhere,${BASE}
objectClass: referral
objectClass: extensibleObject
ou: elsewhere
ref: ${referTo}/ou=elsewhere,${BASE}
`;
}

const GUARDS_ENTRY = `dn: ${GUARDS}
changetype: add
objectClass: groupOfNames
cn: guards
member: uid=anna,ou=people,${BASE}
`;

/** With bytes that are no text in UTF-8, and some that mean something in filters. */
export const GUID = Buffer.from('00ff285c2a1080fe0102030405060708', 'hex');

export class DirectoryServer {
  readonly #folder: string;
  readonly port: number;
  readonly tlsPort: number;
  readonly authority: string;
  #process: ChildProcess | null = null;

  private constructor(folder: string, ports: readonly [number, number], authority: string) {
    this.#folder = folder;
    [this.port, this.tlsPort] = ports;
    this.authority = authority;
  }

  /** `referTo`: where one part of it says that more is. */
  static async start(referTo = 'ldap://127.0.0.1:1'): Promise<DirectoryServer> {
    const folder = await mkdtemp(join(tmpdir(), 'slapd-'));
    ensureServerCertificate(folder, ['localhost', '127.0.0.1'], new Date());
    await mkdir(join(folder, 'db'));
    // Another path than the one that Debian's AppArmor profile keeps to its own folders.
    await copyFile(PROGRAM, join(folder, 'slapd'));
    await writeFile(join(folder, 'slapd.conf'), configuration(folder));
    await writeFile(join(folder, 'entries.ldif'), entries(referTo));
    const args = ['-T', 'add', '-f', join(folder, 'slapd.conf'), '-l', join(folder, 'entries.ldif')];
    const added = spawnSync(join(folder, 'slapd'), args, { encoding: 'utf8' });
    if (added.status !== 0) throw new Error(`slapadd: ${added.stderr}`);
    const authority = await readFile(join(folder, 'ca.pem'), 'utf8');
    const server = new DirectoryServer(folder, [await freePort(), await freePort()], authority);
    await server.run();
    // Only what is added to a running directory tells its members of itself.
    server.modify(GUARDS_ENTRY);
    return server;
  }

  async run(): Promise<void> {
    const listen = `ldap://127.0.0.1:${this.port} ldaps://127.0.0.1:${this.tlsPort}`;
    const args = ['-d', '0', '-f', join(this.#folder, 'slapd.conf'), '-h', listen];
    this.#process = spawn(join(this.#folder, 'slapd'), args, { stdio: 'ignore' });
    await waitFor('slapd to answer', () => this.accepts(ROOT.name, ROOT.password));
  }

  /** Takes connections, and answers nothing. */
  freeze(): void {
    this.#process?.kill('SIGSTOP');
  }

  thaw(): void {
    this.#process?.kill('SIGCONT');
  }

  async end(): Promise<void> {
    const child = this.#process;
    this.#process = null;
    if (child === null || child.exitCode !== null) return;
    this.thaw();
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  }

  async stop(): Promise<void> {
    await this.end();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** By Debian's ldapmodify. */
  modify(ldif: string): void {
    const args = ['-x', '-H', `ldap://127.0.0.1:${this.port}`, '-D', ROOT.name, '-w', ROOT.password];
    const done = spawnSync('ldapmodify', args, { input: ldif, encoding: 'utf8' });
    if (done.status !== 0) throw new Error(`ldapmodify: ${done.stderr}`);
  }

  addPerson(uid: string, name: string, password: string): void {
    const [dn = '', ...rest] = person(uid, name, password).split('\n');
    this.modify([dn, 'changetype: add', ...rest].join('\n'));
  }

  addGroup(name: string, members: readonly string[]): void {
    this.addGroups([{ name, members }]);
  }

  /** Members need not be there. */
  addGroups(groups: readonly { readonly name: string; readonly members: readonly string[] }[]): void {
    const lines = groups.map(
      ({ name, members }) =>
        `dn: ${name}\nchangetype: add\nobjectClass: groupOfNames\n${members.map((member) => `member: ${member}\n`).join('')}`,
    );
    this.modify(lines.join('\n'));
  }

  remove(...names: readonly string[]): void {
    this.modify(names.map((name) => `dn: ${name}\nchangetype: delete\n`).join('\n'));
  }

  /** As any client of LDAP finds. */
  async accepts(name: string, password: string): Promise<boolean> {
    const client = new Client({ url: `ldap://127.0.0.1:${this.port}`, connectTimeout: 1000, timeout: 1000 });
    try {
      await client.bind(name, password);
      return true;
    } finally {
      await client.unbind();
    }
  }
}
