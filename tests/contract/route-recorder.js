// Loaded into a server under test: prints each route that it registers, as one line of JSON in VEDETTE_ROUTES; VEDETTE_PLANTED adds one that nobody declared.
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';

const file = process.env['VEDETTE_ROUTES'] ?? '';
const planted = process.env['VEDETTE_PLANTED'] ?? '';

/** Fastify publishes each instance as it is made. */
subscribe('fastify.initialization', (message) => {
  const { fastify: app } = /** @type {{ fastify: import('fastify').FastifyInstance }} */ (message);
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) appendFileSync(file, `${JSON.stringify({ method: one, url })}\n`);
  });
  if (planted !== '') {
    app.get(planted, (_request, reply) => reply.send({}));
  }
});
