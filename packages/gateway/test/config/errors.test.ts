import assert from 'node:assert/strict';
import { test } from 'node:test';
import { issuesOf, read } from './read.ts';

const PROVIDERS = [
  'models:',
  '  providers:',
  '    a: {enabled: true, base_url: "http://127.0.0.1:1/v1", models: {m: {enabled: true}, off: {enabled: false}}}',
  '    b: {enabled: true, base_url: "http://127.0.0.1:2/v1", models: {n: {enabled: true}}}',
  '',
].join('\n');

const CASES: readonly (readonly [title: string, text: string, expected: readonly string[]])[] = [
  [
    'an unknown key with the nearest name',
    'server:\n  prot: 1',
    ['2:3 server.prot: unknown key. Did you mean port?'],
  ],
  [
    'an unknown key without one',
    'audit: {zzzz: 1}',
    [
      '1:9 audit.zzzz: unknown key. The keys here are enabled, table_name, retention_days, sample_rate.',
    ],
  ],
  [
    'a section in the wrong place',
    'scanning:\n  stage_config: {}',
    ['2:3 scanning.stage_config: unknown key. (stage_config is a key of the top level)'],
  ],
  [
    'a quoted number',
    'caching: {port: "80"}',
    [
      '1:17 caching.port: expected a whole number from 1 to 65535; got "80" (write it without quotes)',
    ],
  ],
  [
    'a fraction where a whole number is needed',
    'rate_limiting:\n  requests_per_second: 1.5',
    [
      '2:24 rate_limiting.requests_per_second: expected a whole number from 1 to 1000000000; got 1.5',
    ],
  ],
  [
    'a number out of range',
    'scanning: {thresholds: {pii_risk: 1.01}}',
    ['1:35 scanning.thresholds.pii_risk: expected a number from 0 to 1; got 1.01'],
  ],
  [
    'not a number',
    'scanning: {thresholds: {pii_risk: .nan}}',
    ['1:35 scanning.thresholds.pii_risk: expected a number from 0 to 1; got NaN'],
  ],
  [
    'a word for true',
    'stage_config: {pii_scanner: {fail_open: yes}}',
    [
      '1:41 stage_config.pii_scanner.fail_open: expected true or false; got "yes" (write true or false)',
    ],
  ],
  [
    'a word that is none of several',
    'logging: {level: EROR}',
    [
      '1:18 logging.level: expected one of DEBUG, INFO, WARN, ERROR; got "EROR". Did you mean ERROR?',
    ],
  ],
  [
    'an empty value',
    'logging:\n  level:',
    ['2:9 logging.level: expected one of DEBUG, INFO, WARN, ERROR; got nothing'],
  ],
  ['a value in place of a section', 'server: 1', ['1:9 server: expected a section of keys; got 1']],
  [
    'a list in place of a text',
    'logging: {file: [a]}',
    ['1:17 logging.file: expected a path; got a list'],
  ],
  [
    'a stage without a name',
    'scanning:\n  stages:\n    - enabled: true',
    ['3:7 scanning.stages[0].name: the key is missing'],
  ],
  [
    'a stage twice',
    'scanning:\n  stages:\n    - name: pii_scanner\n    - name: pii_scanner',
    ['4:13 scanning.stages[1].name: pii_scanner is listed twice'],
  ],
  [
    'no stage that is on, as a warning',
    'scanning:\n  stages: []',
    ['2:11 (warning) scanning.stages: no stage is on: nothing is scanned'],
  ],
  [
    'a threshold of a stage that only flags, as a warning',
    'stage_config:\n  hallucination_detector:\n    threshold: 0.5',
    [
      '3:16 (warning) stage_config.hallucination_detector.threshold: the stage only flags; to block, set stage_config.hallucination_detector.action: block',
    ],
  ],
  [
    'a bad domain, network and user',
    'allowlists:\n  whitelisted_domains: ["*.*.a"]\n  exempt_ips: [10.0.0.0/33]\n  exempt_users: [""]',
    [
      '2:25 allowlists.whitelisted_domains[0]: expected a domain such as example.com, or *.example.com; got "*.*.a"',
      '3:16 allowlists.exempt_ips[0]: expected a network such as 10.0.0.0/8, or an address; got "10.0.0.0/33"',
      '4:18 allowlists.exempt_users[0]: expected a text of 1 to 512 characters; got ""',
    ],
  ],
  [
    'a pattern that could take exponential time',
    "allowlists:\n  pii_exceptions:\n    patterns: [ok, '(a+)+$']",
    [
      '3:20 allowlists.pii_exceptions.patterns[1]: a repeated group can take exponential time; write a simpler pattern',
    ],
  ],
  [
    'features that need other keys, at the line of the key that needs them',
    'logging: {syslog_enabled: true}\nsecurity:\n  request_signing: true',
    [
      '1:27 logging.syslog_enabled: needs logging.syslog_host',
      '3:20 security.request_signing: needs security.signing_key',
    ],
  ],
  [
    'client certificates without their paths',
    'security:\n  mtls_enabled: true',
    [
      '2:17 security.mtls_enabled: needs security.client_cert_path',
      '2:17 security.mtls_enabled: needs security.client_key_path',
      '2:17 security.mtls_enabled: needs security.ca_cert_path',
    ],
  ],
  [
    'two listeners on one port',
    'monitoring: {prometheus: {port: 8080}}',
    [
      '1:33 monitoring.prometheus.port: port 8080 is monitoring.health_check.port as well, the port of HTTP; write another',
    ],
  ],
  [
    'a dimension that the built-in model does not have',
    'embeddings: {model: local-hash-1536, dimension: 384}',
    [
      '1:21 embeddings.model: local-hash-1536 has 1536 dimensions, and embeddings.dimension is 384; write local-hash-384',
    ],
  ],
  [
    'a mode that demands what the file refuses',
    'compliance:\n  hipaa_mode: true\n  hash_pii_in_logs: false\nserver: {host: 127.0.0.1}',
    ['3:21 compliance.hash_pii_in_logs: must not be false with compliance.hipaa_mode'],
  ],
  [
    'a mode over plain text',
    'compliance: {hipaa_mode: true}',
    [
      '1:26 (warning) compliance.hipaa_mode: the listeners take plain text from other machines; see security.mtls_enabled',
    ],
  ],
  [
    'fallbacks to models that are not on, or to the model itself',
    `${PROVIDERS}  fallbacks:\n    - {model: m, to: [gone, a/m, b/n]}\n    - {model: off, to: [m]}\n    - {model: n, to: []}`,
    [
      '6:23 models.fallbacks[0].to[0]: gone is no model that is on',
      '6:29 models.fallbacks[0].to[1]: is a/m itself',
      '7:15 models.fallbacks[1].model: off is no model that is on',
      '8:22 models.fallbacks[2].to: expected a list of 1 to 16; got an empty list',
    ],
  ],
  [
    'what is there and wrong, not as missing',
    'models: {providers: {a: {enabled: true, base_url: none, models: {m: {enabled: true}}}}}\nobservability: {tracing_enabled: true, otel_endpoint: none}',
    [
      '1:51 models.providers.a.base_url: expected an address such as https://models.example.com/v1; got "none"',
      '2:55 observability.otel_endpoint: expected an address such as http://collector:4318; got "none"',
    ],
  ],
  [
    'two budgets of one key',
    'models:\n  token_budgets:\n    - {key: ci, tokens_per_day: 5000}\n    - {key: ci, tokens_per_day: 6000}',
    ['4:13 models.token_budgets[1].key: ci has a budget already'],
  ],
  [
    'one name of models of two providers, as a warning',
    `${PROVIDERS.replace('n: {', 'm: {')}`,
    ['4:71 (warning) models.providers.b.models.m: m is a/m; this one is called as b/m'],
  ],
  [
    'the port of HTTP at the key of gRPC',
    'server: {port: 8080}',
    [
      '1:16 server.port: port 8080 is monitoring.health_check.port as well, the port of HTTP; write another',
    ],
  ],
  [
    'keys of other programs, with the key to write',
    'server: {http_port: 1, metrics_port: 2, grpc_port: 3, timeout: 4}\nport: 5\nretention_days: 6',
    [
      '1:10 server.http_port: unknown key. Write monitoring.health_check.port.',
      '1:24 server.metrics_port: unknown key. Write monitoring.prometheus.port.',
      '1:41 server.grpc_port: unknown key. Write server.port.',
      '1:55 server.timeout: unknown key. Write server.request_timeout_ms.',
      '2:1 port: unknown key. Write server.port for gRPC, monitoring.health_check.port for HTTP.',
      '3:1 retention_days: unknown key. Write audit.retention_days.',
    ],
  ],
  [
    'sections in the wrong place',
    'providers: {}\nstages: []\nthresholds: {}\npii_scanner: {}\nmodels: {groq: {enabled: true}}',
    [
      '1:1 providers: unknown key. Write models.providers.',
      '2:1 stages: unknown key. Write scanning.stages.',
      '3:1 thresholds: unknown key. Write scanning.thresholds.',
      '4:1 pii_scanner: unknown key. Write stage_config.pii_scanner.',
      '5:10 models.groq: unknown key. Write models.providers.groq.',
    ],
  ],
  [
    'a stage that is switched in its options, and a key of no section',
    'stage_config: {pii_scanner: {enabled: false}}\ndatabase: {url: x}',
    [
      '1:30 stage_config.pii_scanner.enabled: unknown key. Write {name: pii_scanner, enabled: false} in scanning.stages.',
      '2:12 database.url: unknown key. The keys here are pool_size, max_overflow, pool_timeout_sec, query_timeout_sec, ssl_mode.',
    ],
  ],
  [
    'stages and types as words',
    'scanning: {stages: [pii_scanner]}\nstage_config: {pii_scanner: {patterns: [ssn]}}',
    [
      '1:21 scanning.stages[0]: expected a section of keys; got "pii_scanner" (write {name: pii_scanner, enabled: true})',
      '2:40 stage_config.pii_scanner.patterns: expected a section of keys; got a list (write each as NAME: true)',
    ],
  ],
  [
    'stages as keys',
    'scanning: {stages: {pii_scanner: true}}',
    [
      '1:20 scanning.stages: expected a list of at most 9; got keys (write - {name: NAME, enabled: true})',
    ],
  ],
  [
    'models and providers in the wrong section',
    'models: {"*": {enabled: true}, gpt-4o: {}, openai: {api_key: k}}',
    [
      '1:10 models."*": unknown key. Write models.providers.<id>.models."*": {enabled: true} for every model of a provider.',
      '1:32 models.gpt-4o: unknown key. Write models.providers.<id>.models.gpt-4o: {enabled: true}.',
      '1:44 models.openai: unknown key. Write models.providers.openai.',
    ],
  ],
  [
    'models that are a list, or true',
    'models: {providers: {a: {enabled: false, models: [m]}, b: {enabled: false, models: {"*": true}, url: x}}}',
    [
      "1:50 models.providers.a.models: expected a section of keys; got a list (write each model as NAME: {enabled: true}, or '*': {enabled: true} for all)",
      '1:90 models.providers.b.models."*": expected a section of keys; got true (write {enabled: true})',
      '1:97 models.providers.b.url: unknown key. Write base_url.',
    ],
  ],
  [
    'providers that would refuse every call, as warnings',
    [
      'models:',
      '  providers:',
      '    openai: {enabled: true, base_url: https://api.openai.com, models: {m: {}}}',
      '    mine: {enabled: true, base_url: http://127.0.0.1:9}',
      '    other: {enabled: true, base_url: http://127.0.0.1:9/v1/chat/completions, models: {o: {enabled: true}}}',
      '    ollama: {enabled: true, models: {"*": {enabled: true}}}',
    ].join('\n'),
    [
      '3:13 (warning) models.providers.openai: openai refuses calls without an API key; set api_key to ${NAME} and the variable',
      "3:13 (warning) models.providers.openai: no model of it may be called; add one below models with enabled: true, or '*' for all",
      '3:39 (warning) models.providers.openai.base_url: the address of that provider is https://api.openai.com/v1',
      "4:11 (warning) models.providers.mine: no model of it may be called; add one below models with enabled: true, or '*' for all",
      '4:37 (warning) models.providers.mine.base_url: it has no path; most servers of the interface need /v1 at its end',
      '5:38 (warning) models.providers.other.base_url: the path of the interface is added to it; write it without /chat/completions',
    ],
  ],
  [
    'a name of an MCP server that no path can have',
    'mcp:\n  servers:\n    Files Server: {url: http://127.0.0.1:1/mcp}',
    [
      '3:5 mcp.servers."Files Server": expected a name of 1 to 64 letters, digits, - and _; got "Files Server"',
    ],
  ],
];

for (const [title, text, expected] of CASES) {
  test(`a configuration error is told with its place: ${title}`, async () => {
    const told = await issuesOf(text);
    const isRelated = (line: string) => expected.includes(line) || !line.includes('has no effect');
    assert.deepEqual(told.filter(isRelated), expected);
  });
}

test('all errors of a configuration are told at once, in the order of the file', async () => {
  const text = [
    'server: {prot: 1, request_timeout_ms: 0}',
    'logging: {level: LOUD, syslog_enabled: true}',
    'allowlists:',
    "  pii_exceptions: {patterns: ['(a+)+$']}",
    'pii_threshold: 2',
    'security: {signing_key: "${NOT_SET}"}',
  ].join('\n');
  const lines = (await issuesOf(text)).map((line) => line.slice(0, line.indexOf(': ')));
  assert.deepEqual(lines, [
    '1:10 server.prot',
    '1:39 server.request_timeout_ms',
    '2:18 logging.level',
    '2:40 logging.syslog_enabled',
    '4:31 allowlists.pii_exceptions.patterns[0]',
    '5:16 pii_threshold',
    '6:25 security.signing_key',
  ]);
});

test('what keys demand of each other is told beside entries and values that are wrong', async () => {
  const text = [
    'scanning:',
    '  stages:',
    '    - name: pii_scaner',
    '    - name: pii_scanner',
    '    - {name: pii_scanner, threshold: 1.5}',
    'models:',
    '  providers:',
    '    local: {enabled: true, models: {x: {enabled: true}}}',
    '  fallbacks:',
    '    - {model: x, to: []}',
    '    - {model: x, to: [5, gone]}',
    'mcp:',
    '  servers:',
    '    Files Server: {url: http://x/mcp}',
    '    f: {url: localhost:3001}',
    'observability: {tracing_enabled: true}',
  ].join('\n');
  const lines = (await issuesOf(text)).map((line) => line.slice(0, line.indexOf(': ')));
  assert.deepEqual(lines, [
    '3:13 scanning.stages[0].name',
    '5:14 scanning.stages[2].name',
    '5:38 scanning.stages[2].threshold',
    '8:12 (warning) models.providers.local',
    '10:22 models.fallbacks[0].to',
    '11:23 models.fallbacks[1].to[0]',
    '11:26 models.fallbacks[1].to[1]',
    '14:5 mcp.servers."Files Server"',
    '15:14 mcp.servers.f.url',
    '16:34 observability.tracing_enabled',
  ]);
});

test('HIPAA mode overrides what is weaker, with a warning for what the file says', async () => {
  const text =
    'server: {host: 127.0.0.1}\ncompliance: {hipaa_mode: true}\naudit: {sample_rate: 0.5}\n' +
    'stage_config: {pii_scanner: {fail_open: true}}';
  const { config, issues } = await read(text);
  assert.equal(config?.audit.sample_rate, 1);
  assert.equal(config?.stage_config.pii_scanner.fail_open, false);
  const told = issues.map(({ path, message }) => `${path} ${message}`);
  assert.ok(told.includes('audit.sample_rate compliance.hipaa_mode overrides it: 1'));
  assert.ok(
    told.includes('stage_config.pii_scanner.fail_open compliance.hipaa_mode overrides it: false'),
  );
});

test('request signing is on where a key is set, unless it is turned off', async () => {
  const env = { KEY: 'k'.repeat(16) };
  const signing = async (text: string) => (await read(text, env)).config?.security.request_signing;
  assert.equal(await signing(''), false);
  assert.equal(await signing('security: {signing_key: "${KEY}"}'), true);
  assert.equal(await signing('security: {signing_key: "${KEY}", request_signing: false}'), false);
});
