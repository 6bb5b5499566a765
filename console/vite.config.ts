// Builds the console: web and client entry, React in a chunk of its own, nothing inlined that the page's content policy would refuse.
import { readFileSync } from 'node:fs';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { mergedChunks } from './build/merged-chunks.ts';

const REACT_PACKAGES = /[\\/]node_modules[\\/](?:react|react-dom|scheduler)[\\/]/;
/** Every screen takes other parts of these: one file each costs less than a request for every part. */
const COMPONENT_PACKAGES = /[\\/]node_modules[\\/](?:@mantine|@floating-ui|@tabler)[\\/]/;

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export default defineConfig(({ command }) => {
  // A build started by a test inherits NODE_ENV=test, which would take React's development code.
  if (command === 'build') process.env['NODE_ENV'] = 'production';
  const merged = mergedChunks();
  return {
    root: import.meta.dirname,
    base: '/',
    plugins: [react(), merged.plugin],
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
          codeSplitting: {
            groups: [
              { name: 'react', test: REACT_PACKAGES, priority: 3 },
              { name: 'first-components', test: COMPONENT_PACKAGES, tags: ['$initial'], priority: 2 },
              { name: 'components', test: COMPONENT_PACKAGES, priority: 1 },
              // The plan holds whatever a shared module imports, where it belongs.
              { name: merged.nameOf, includeDependenciesRecursively: false },
            ],
          },
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
