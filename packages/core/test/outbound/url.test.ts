import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseNetworkAllowList } from '../../src/outbound/networks.ts';
import { checkOutboundUrl } from '../../src/outbound/url.ts';

const nothing = parseNetworkAllowList('');

const accepted: [text: string, href: string, host: string, port: number][] = [
  ['https://example.com', 'https://example.com/', 'example.com', 443],
  ['https://example.com/hook?a=b', 'https://example.com/hook?a=b', 'example.com', 443],
  ['HTTPS://EXAMPLE.com:443/', 'https://example.com/', 'example.com', 443],
  ['https://example.com:8443/', 'https://example.com:8443/', 'example.com', 8443],
  ['https://example.com./x', 'https://example.com/x', 'example.com', 443],
  ['https://bücher.example/', 'https://xn--bcher-kva.example/', 'xn--bcher-kva.example', 443],
  ['https://example.com/@user', 'https://example.com/@user', 'example.com', 443],
  [
    'https://localhost.example.com/',
    'https://localhost.example.com/',
    'localhost.example.com',
    443,
  ],
  ['https://8.8.8.8/', 'https://8.8.8.8/', '8.8.8.8', 443],
  ['https://134744072/', 'https://8.8.8.8/', '8.8.8.8', 443],
  ['https://[2606:4700::1111]/', 'https://[2606:4700::1111]/', '2606:4700::1111', 443],
];

for (const [text, href, host, port] of accepted) {
  test(`${text} is accepted as ${href}`, () => {
    const check = checkOutboundUrl(text, nothing);
    assert.ok(check.ok);
    assert.deepEqual([check.url.href, check.host, check.port], [href, host, port]);
  });
}

const malformed = [
  ...[
    '',
    'example.com',
    '//example.com',
    'https:',
    'https://',
    'https:example.com',
    'https:/a.com',
  ],
  ...['https:///example.com', 'http://example.com', 'ftp://example.com', 'wss://example.com'],
  ...['file:///etc/passwd', 'javascript:alert(1)', 'data:,x', 'gopher://example.com'],
  ...['https://user@example.com', 'https://user:pass@example.com', 'https://@example.com'],
  ...['https://:@example.com', 'https://example.com@8.8.8.8/', 'https://example.com/#f'],
  ...['https://example.com/#', 'https://example.com:0/', 'https://example.com:65536/'],
  ...[
    'https://example.com:x/',
    'https://exa mple.com/',
    ' https://example.com',
    'https://example.com/ ',
  ],
  ...[
    'https://exa\tmple.com/',
    'https://example.com/\r\nx',
    'https:\\\\example.com',
    'https://a.com\\b',
  ],
  ...['https://example..com/', 'https://.example.com/', 'https://example.com../', 'https://./'],
  ...[
    'https://[::1',
    'https://[fe80::1%25eth0]/',
    'https://256.256.256.256/',
    'https://exa%00mple.com/',
  ],
];

for (const text of malformed) {
  test(`${JSON.stringify(text)} is refused as an invalid URL`, () => {
    const check = checkOutboundUrl(text, nothing);
    assert.deepEqual([check.ok, !check.ok && check.code], [false, 'invalid_url']);
  });
}

const inward = [
  ...['localhost', 'LOCALHOST', 'localhost.', 'api.localhost', 'ｌocalhost', 'local%68ost'],
  ...['printer.local', 'db.internal', 'metadata.google.internal', 'METADATA.google.internal.'],
  ...['host.docker.internal', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local'],
  ...[
    'redis',
    'kubernetes',
    'metadata',
    'metadata.goog',
    'x.metadata.tencentyun.com',
    'router.lan',
  ],
  ...['vault.service.consul', 'nas.home.arpa', 'host.localdomain', '1.0.0.127.in-addr.arpa'],
  ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '127.0.0.1.', '0x7f.1'],
  ...[
    '１２７.0.0.1',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '0',
    '0.0.0.0',
    '①②⑦.0.0.1',
    '017700000001',
  ],
  ...['10.0.0.1', '192.168.1.1', '172.16.0.1', '169.254.169.254', '0xa9fea9fe', '2852039166'],
  ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:0:0:1]', '[fd00::1]'],
  ...['[fe80::1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[::127.0.0.1]', '[fd00:ec2::254]'],
];

for (const host of inward) {
  test(`the host ${host} is refused`, () => {
    const check = checkOutboundUrl(`https://${host}/hook`, nothing);
    assert.deepEqual([check.ok, !check.ok && check.code], [false, 'refused_address']);
  });
}

test('a URL of 2,048 characters is accepted and a longer one is not', () => {
  const text = `https://example.com/${'a'.repeat(2048 - 20)}`;
  assert.equal(text.length, 2048);
  assert.equal(checkOutboundUrl(text, nothing).ok, true);
  assert.equal(checkOutboundUrl(`${text}a`, nothing).ok, false);
});

test('a literal private address is accepted only at an allow-listed port', () => {
  const allow = parseNetworkAllowList('127.0.0.1/32:8443,[::1]/128:9000-9100');
  const isAccepted = (text: string) => checkOutboundUrl(text, allow).ok;
  assert.equal(isAccepted('https://127.0.0.1:8443/'), true);
  assert.equal(isAccepted('https://2130706433:8443/'), true);
  assert.equal(isAccepted('https://[::ffff:127.0.0.1]:8443/'), true);
  assert.equal(isAccepted('https://[::1]:9050/'), true);
  assert.equal(isAccepted('https://127.0.0.1/'), false);
  assert.equal(isAccepted('https://127.0.0.1:8444/'), false);
  assert.equal(isAccepted('https://127.0.0.2:8443/'), false);
  assert.equal(isAccepted('https://[::1]:9101/'), false);
});

test('an internal name is left to its addresses only where its port is allow-listed', () => {
  const allow = parseNetworkAllowList('127.0.0.1/32:8443');
  assert.equal(checkOutboundUrl('https://localhost:8443/', allow).ok, true);
  assert.equal(checkOutboundUrl('https://localhost/', allow).ok, false);
});

test('the reason for a refused URL contains neither its host nor its path', () => {
  const check = checkOutboundUrl('https://10.20.30.40/secret', nothing);
  assert.ok(!check.ok);
  assert.doesNotMatch(check.reason, /10\.20|secret/);
});

const loopback = parseNetworkAllowList('127.0.0.1/32:8081,[::1]/128:8081,127.0.0.1/32:80');

for (const [text, host, port] of [
  ['http://127.0.0.1:8081/hook', '127.0.0.1', 8081],
  ['HTTP://127.1:8081/', '127.0.0.1', 8081],
  ['http://[::1]:8081/', '::1', 8081],
  ['http://[::ffff:127.0.0.1]:8081/', '::ffff:7f00:1', 8081],
  ['http://localhost:8081/', 'localhost', 8081],
  ['http://127.0.0.1/', '127.0.0.1', 80],
] as const) {
  test(`plain ${text} is accepted where the allow-list names the address and port`, () => {
    const check = checkOutboundUrl(text, loopback);
    assert.ok(check.ok);
    assert.deepEqual([check.host, check.port, check.url.protocol], [host, port, 'http:']);
  });
}

const wide = '127.0.0.1/32:8081,127.0.0.1/32,0.0.0.0/0:8082,10.0.0.0/8:8081,8.8.8.8:8081';
for (const text of [
  'http://example.com/',
  'http://example.com:8081/',
  'http://8.8.8.8:8081/',
  'http://10.0.0.1:8081/',
  'http://127.0.0.1/',
  'http://127.0.0.1:8082/',
  'http://127.0.0.2:8081/',
  'http://[::1]:8081/',
  'http://localhost:8082/',
  'http://api.localhost:8081/',
  'http://localhost.example.com:8081/',
  'http://127.0.0.1.example.com:8081/',
  'http://0.0.0.0:8081/',
]) {
  test(`plain ${text} is refused with the remedy for development`, () => {
    const check = checkOutboundUrl(text, parseNetworkAllowList(wide));
    assert.ok(!check.ok);
    assert.equal(check.code, 'invalid_url');
    assert.match(
      check.reason,
      /^must be an absolute https URL; for development, .* egress setting names, such as /,
    );
  });
}

for (const text of ['http://user@127.0.0.1:8081/', 'http://127.0.0.1:8081/#f', 'http:127.0.0.1']) {
  test(`plain ${text} is refused as an invalid URL also on an allow-listed port`, () => {
    const check = checkOutboundUrl(text, loopback);
    assert.deepEqual([check.ok, !check.ok && check.code], [false, 'invalid_url']);
  });
}
