import type { NextConfig } from 'next';

const config: NextConfig = {
  output: 'standalone',
  // Bundled, the build would look for every driver, and leave better-sqlite3 out of a standalone output.
  serverExternalPackages: [
    '@probity/core',
    '@probity/governance',
    '@probity/pipeline',
    '@probity/webhooks',
  ],
};

export default config;
