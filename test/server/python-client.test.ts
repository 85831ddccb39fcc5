import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { PATIENCE_MS, temporaryFolder } from '@probity/test-support';
import { serveOn } from './client-world.ts';
import { call } from './support.ts';

const { TEST_GENERATOR, TEST_PYTHON } = process.env;

const run = promisify(execFile);

interface Conversion {
  toOpenApi30(document: object): object;
}

/** Uses the client as its generated README shows. */
const PROGRAM = `
import json, sys
import openapi_client
from openapi_client.exceptions import ApiException

url, key, organization = sys.argv[1:4]
configuration = openapi_client.Configuration(host=url)
configuration.access_token = key
with openapi_client.ApiClient(configuration) as api_client:
    scans = openapi_client.GovernanceApi(api_client)
    passed = scans.scan(openapi_client.ScanRequest(response='All is well.'))
    try:
        scans.scan(openapi_client.ScanRequest(response='Her SSN is 536-22-8145.'))
        blocked = None
    except ApiException as error:
        blocked = [error.status, json.loads(error.body)['error']['code']]
    alerts = openapi_client.AlertsApi(api_client).list_alerts(limit=10)
    members = openapi_client.MembersApi(api_client).list_members(organization)
    webhook = openapi_client.WebhooksApi(api_client).create_webhook(
        openapi_client.NewWebhook(url='https://hooks.acme.example/hook', events=['alert.created']),
        idempotency_key='python-1',
    )
    print(json.dumps({
        'verdict': passed.data.verdict,
        'blocked': blocked,
        'alerts': [[type(alerts).__name__, type(each).__name__, each.type] for each in alerts.data],
        'members': [each.role for each in members.members],
        'webhook': webhook.data.events,
        'created': type(webhook.data.created_at).__name__,
    }))
`;

if (TEST_GENERATOR !== undefined && TEST_PYTHON !== undefined) {
  test('a generator makes a client for Python of the OpenAPI document, which calls the server', async (t) => {
    const { path } = temporaryFolder(t);
    const { url, apiKey, organizationId } = await serveOn(t, `sqlite:${path}/probity.db`);
    const { body: document } = await call(`${url}/openapi.json`, null);
    const script = new URL('../../../scripts/support/openapi-3-0.mjs', import.meta.url);
    const { toOpenApi30 } = (await import(script.href)) as Conversion;
    const specification = join(path, 'openapi.json');
    writeFileSync(specification, JSON.stringify(toOpenApi30(document)));
    const client = join(path, 'client');
    const generate = ['generate', '-g', 'python', '-i', specification, '-o', client];
    // Its tests are empty forms, which are no Python where a property has the name of a keyword.
    generate.push('--global-property', 'apiTests=false,modelTests=false');
    // Without --skip-validate-spec, so that an error of the document ends it.
    const { stderr } = await run('java', ['-jar', TEST_GENERATOR, ...generate], {
      timeout: PATIENCE_MS,
      maxBuffer: 1 << 26,
    });
    assert.doesNotMatch(stderr, /\bERROR\b|Exception/);
    await run(TEST_PYTHON, ['-m', 'compileall', '-q', client]);
    const program = join(path, 'program.py');
    writeFileSync(program, PROGRAM);
    const env = { ...process.env, PYTHONPATH: client };
    const { stdout } = await run(TEST_PYTHON, [program, url, apiKey, organizationId], { env });
    assert.deepEqual(JSON.parse(stdout), {
      verdict: 'allowed',
      blocked: [403, 'PII_DETECTED'],
      alerts: [['ListAlertsResponse', 'Alert', 'pii']],
      members: ['owner'],
      webhook: ['alert.created'],
      created: 'datetime',
    });
  });
}
