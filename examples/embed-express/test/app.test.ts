import { createSqliteDatabase } from '@probity/core/sql';
import { describeEmbeddingHost } from '@probity/test-support';
import { createApp } from '../src/app.ts';
import { addCompany } from '../src/host.ts';

describeEmbeddingHost({
  prefix: '/probity/api',
  openDatabase: (path) => createSqliteDatabase({ path }),
  createApp,
  addCompany,
});
