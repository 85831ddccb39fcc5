import { test } from 'node:test';
import {
  MICROSOFT_CHANNEL,
  MICROSOFT_CLIENT,
  runCurlBlocks,
  SERVICE_NOW_CLIENT,
  temporaryFolder,
} from '@probity/test-support';
import { integrationEnvironment, integrationPeers } from './integration-recipes.ts';
import { bootstrap, call, emptyDatabases, serve } from './support.ts';

test('the commands of docs/integrations.md work on a server', async (t) => {
  const location = (await emptyDatabases[0]?.create(t)) ?? '';
  const { api_key: TOKEN } = await bootstrap(location);
  const { url } = await serve(t, location, { env: await integrationEnvironment() });
  const { serviceNow } = await integrationPeers();
  const integrations = `${url}/api/v1/integrations`;
  const chatops = await call(`${integrations}/chatops`, TOKEN, 'POST', MICROSOFT_CLIENT);
  const variables = {
    ...{ TOKEN, INSTANCE: serviceNow.url, ITSM_SECRET: SERVICE_NOW_CLIENT.client_secret },
    ...{ TEAM: MICROSOFT_CHANNEL.team_id, CHANNEL: MICROSOFT_CHANNEL.channel_id },
    CHATOPS: chatops.body.data.id,
  };
  await runCurlBlocks(import.meta.url, { url, folder: temporaryFolder(t).path, variables });
});
