// Builds the console: web and client entry, React in a chunk of its own, nothing inlined that the page's content policy would refuse.
import { readFileSync } from 'node:fs';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const REACT_PACKAGES = /[\\/]node_modules[\\/](?:react|react-dom|scheduler)[\\/]/;

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
          codeSplitting: { groups: [{ name: 'react', test: REACT_PACKAGES, priority: 10 }] },
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
