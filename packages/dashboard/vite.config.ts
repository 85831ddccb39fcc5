import { defineConfig } from 'vite';

/** Every address is relative, so that the built files work under any prefix. */
const config = defineConfig({
  root: 'app',
  base: './',
  build: {
    outDir: '../dist/app',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
});

export default config;
