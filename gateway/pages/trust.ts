// Answers what makes other devices trust the local certificate authority: its certificate, and a page that explains it.
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PAGE_POLICY, trustPage } from './pages.ts';

/** What a Host header may hold to be written into a page or a Location. */
const SAFE_HOST = /^[\w.:[\]-]{1,260}$/;

/** The Host header; null where it is none that a browser sends. */
export function safeHost({ headers: { host = '' } }: IncomingMessage): string | null {
  return SAFE_HOST.test(host) ? host : null;
}

interface Authority {
  readonly certificate: Buffer | null;
  readonly fingerprint: string | null;
}

export class TrustPages {
  readonly #file: string | null;
  #authority: Authority | null = null;

  /** @param file certificate of the local authority; null where the certificate is the operator's own */
  constructor(file: string | null) {
    this.#file = file;
  }

  /** Throws where the file cannot be read, and keeps what it knows. */
  reload(): void {
    this.#authority = readAuthority(this.#file);
  }

  /** False: the path is none of these. */
  answer(path: string, request: IncomingMessage, response: ServerResponse): boolean {
    if (path === '/ca.pem') this.#answerCertificate(response);
    else if (path === '/trust') this.#answerPage(request, response);
    else return false;
    return true;
  }

  #answerCertificate(response: ServerResponse): void {
    const { certificate } = this.#read();
    if (certificate === null) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      'content-type': 'application/x-x509-ca-cert',
      'content-disposition': 'attachment; filename="vedette-ca.pem"',
    });
    response.end(certificate);
  }

  #answerPage(request: IncomingMessage, response: ServerResponse): void {
    const host = safeHost(request);
    const address = host === null ? '/' : `https://${host}/`;
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': PAGE_POLICY,
      'cache-control': 'no-store',
    });
    response.end(trustPage(request.headers['accept-language'], { fingerprint: this.#read().fingerprint, address }));
  }

  /** Read once: anybody may ask as often as they like. */
  #read(): Authority {
    this.#authority ??= readAuthority(this.#file);
    return this.#authority;
  }
}

function readAuthority(file: string | null): Authority {
  if (file === null) return { certificate: null, fingerprint: null };
  const certificate = readFileSync(file);
  return { certificate, fingerprint: new X509Certificate(certificate).fingerprint256 };
}
