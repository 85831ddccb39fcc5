import type { NextConfig } from 'next';

const config: NextConfig = {
  output: 'standalone',
  // Bundled, the packages run too, but better-sqlite3 is then left out of a standalone output.
  serverExternalPackages: ['@probity/core', '@probity/governance', '@probity/webhooks'],
};

export default config;
