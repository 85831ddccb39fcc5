import assert from 'node:assert/strict';
import { test } from 'node:test';
import { issuesOf } from './read.ts';

const CASES: readonly (readonly [title: string, text: string, expected: readonly string[]])[] = [
  [
    'a number without end',
    'server: {port: .inf}',
    ['1:16 server.port: expected a whole number from 0 to 65535; got Infinity'],
  ],
  [
    'an IP address with a mistake',
    'server: {host: 256.1.1.1}\ncaching: {host: 10.0.5}',
    [
      '1:16 server.host: expected a host name or an IP address; got "256.1.1.1"',
      '2:17 caching.host: expected a host name or an IP address; got "10.0.5"',
    ],
  ],
  [
    'a single value in place of a list',
    'allowlists: {exempt_ips: 10.0.0.0/8, exempt_users: 5}',
    [
      '1:26 allowlists.exempt_ips: expected a list of at most 10000; got "10.0.0.0/8" (write a list, with - before each entry)',
      '1:52 allowlists.exempt_users: expected a list of at most 10000; got 5 (write a list, with - before each entry)',
    ],
  ],
  [
    'a path of the health check that another endpoint has',
    'monitoring: {health_check: {path: /ready}}',
    [
      '1:35 monitoring.health_check.path: /ready belongs to another endpoint of the gateway; write another path, such as /health',
    ],
  ],
  [
    'a provider and a model that do not say whether they are on',
    [
      'models:',
      '  providers:',
      '    openai: {api_key: "${KEY}"}',
      '    ollama: {enabled: true, models: {m: {enabled: true}, n: {}, o: {enabled: false}}}',
    ].join('\n'),
    [
      '3:13 (warning) models.providers.openai: it is off, as enabled is missing; write enabled: true or enabled: false',
      '4:61 (warning) models.providers.ollama.models.n: it is off, as enabled is missing; write enabled: true or enabled: false',
    ],
  ],
];

for (const [title, text, expected] of CASES) {
  test(`a configuration error names its place: ${title}`, async () => {
    assert.deepEqual(await issuesOf(text, { KEY: 'k' }), expected);
  });
}
