// Builds the console: web and client entry, React in a chunk of its own, nothing inlined that the page's content policy would refuse.
import { readFileSync } from 'node:fs';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const REACT_PACKAGES = /[\\/]node_modules[\\/](?:react|react-dom|scheduler)[\\/]/;

/**
 * Left to itself the bundler makes a file for each set of screens that share something, 170 requests for a page. What web and
 * client both begin with is one file, and shared files below so many bytes are merged with those of nearly the same screens: half
 * the requests, and a fifth less time to the first page over a line of 50 ms.
 */
const MERGED_BYTES = 4000;
const CHUNKS = [
  { name: 'react', test: REACT_PACKAGES, priority: 10 },
  // Without the two entries themselves, which would both start.
  { name: 'first', tags: ['$initial' as const], minShareCount: 2, priority: 5 },
  { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: MERGED_BYTES },
];

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export default defineConfig(({ command }) => {
  // A build started by a test inherits NODE_ENV=test, which would take React's development code.
  if (command === 'build') process.env['NODE_ENV'] = 'production';
  return {
    root: import.meta.dirname,
    base: '/',
    plugins: [react()],
    // Read by app/build-version.ts.
    define: { VEDETTE_BUILD_VERSION: JSON.stringify(version) },
    // The server replaces the placeholder with a fresh nonce in every page it gives out.
    html: { cspNonce: '__CSP_NONCE__' },
    build: {
      outDir: 'dist',
      emptyOutDir: true,
      target: 'es2022',
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 700,
      rolldownOptions: {
        input: [`${import.meta.dirname}/index.html`, `${import.meta.dirname}/client.html`],
        output: {
          codeSplitting: { groups: CHUNKS },
        },
      },
    },
    server: {
      proxy: {
        '/api': 'http://localhost:8080',
        '/serverConfig.json': 'http://localhost:8080',
        '/media': { target: 'http://localhost:8080', ws: true },
        '/ws': { target: 'http://localhost:8080', ws: true },
      },
    },
  };
});
