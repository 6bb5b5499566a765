// Stand-in for server or site in launcher tests: serves its socket, identifies itself, exits like a child.
import { rmSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';

const name = process.env['DATABASE_URL'] === undefined ? 'site' : 'server';
const socket = path.join(process.env['VEDETTE_RUN'] ?? '', `${name}.sock`);
rmSync(socket, { force: true });
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([key]) => /^(VEDETTE_|DATABASE_URL|NODE_COMPILE_CACHE)/.test(key)),
);
const server = http.createServer((request, response) => {
  response.end(
    JSON.stringify({ name, pid: process.pid, url: request.url, headers: request.headers, told: environment }),
  );
});
server.listen(socket, () => {
  process.stdout.write(
    `${JSON.stringify({ event: 'ready', ...(name === 'server' ? { setupSecret: 'stand-in' } : {}) })}\n`,
  );
});
process.stdin.resume().on('end', () => process.exit());
process.on('SIGTERM', () => process.exit());
