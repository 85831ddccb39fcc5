import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { assertLinearTime } from '@probity/test-support';
import type { PolicyRule } from '../../src/index.ts';
import {
  builtInPolicyRules,
  createPipeline,
  createRedactor,
  createStreamScanner,
  evaluatePolicies,
} from '../../src/index.ts';
import { crc32, isBech32, toBase62 } from '../../src/secrets/checksums.ts';
import { findSecrets } from '../../src/secrets/index.ts';
import { INNER_ROWS, NAMED_ROWS, PREFIXED_ROWS } from '../../src/secrets/vendors/index.ts';
import { createSigns, FORMS, fill, NAMED_FORMS } from './forms.ts';
import { VERIFIED_FORMS, vendorsWithoutPage } from './verified-forms.ts';

const pipeline = createPipeline({ stages: [{ name: 'secrets_scanner' }] });
const README = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
const FIGURES = readFileSync(
  new URL('../../../../../docs/detection/secrets.md', import.meta.url),
  'utf8',
);

async function valuesIn(text: string): Promise<string[]> {
  const { findings } = await pipeline.scan({ response: text });
  return findings.map(({ start, end }) => text.slice(start, end));
}

describe('secrets_scanner', () => {
  it('finds every form that was read off a page of its vendor, at its exact place', (t) => {
    const signs = createSigns(31);
    for (const { vendor, form, page } of VERIFIED_FORMS) {
      assert.ok(page.startsWith('https://'));
      for (const [before, after] of [
        ['use ', ' now.'],
        ['KEY="', '"'],
      ] as const) {
        const filled = before + fill(form, signs) + after;
        const text = filled.replace('|', '');
        const start = filled.includes('|') ? filled.indexOf('|') : before.length;
        const end = text.length - after.length;
        const hit = findSecrets(text).find((found) => found.start === start && found.end === end);
        assert.ok(hit, `${form} ${page}`);
        assert.ok(hit.reason.startsWith(vendor) && hit.score >= 0.6, `${form} ${hit.reason}`);
      }
    }
    const verified = new Set(VERIFIED_FORMS.map(({ vendor }) => vendor)).size;
    const others = vendorsWithoutPage();
    t.diagnostic(
      `${verified} vendors compared with their pages; not compared: ${others.join(', ')}`,
    );
    assert.ok(verified >= 67, String(verified));
    assert.ok(FIGURES.includes(`| ${verified}; pages in [verified-forms.ts]`), `${verified}`);
  });

  it('finds every documented form at its exact place and names the vendor, never the value', () => {
    const signs = createSigns();
    for (const [vendor, form] of FORMS) {
      for (const wrap of [
        ['use ', ' now.'],
        ['KEY="', '"'],
        ["{'k': '", "'}"],
      ]) {
        const value = fill(form, signs);
        const text = wrap.join(value);
        const found = findSecrets(text);
        const at = (wrap[0] as string).length;
        const hit = found.find(({ start, end }) => start === at && end === at + value.length);
        assert.ok(hit, `${vendor} ${form}`);
        assert.ok(hit.reason.startsWith(vendor), `${form} ${hit.reason}`);
        assert.ok(!hit.reason.includes(value) && hit.score >= 0.6);
      }
    }
  });

  it('finds the forms that a name makes a secret, and not the same values without it', () => {
    const signs = createSigns(7);
    for (const [vendor, form] of NAMED_FORMS) {
      const text = fill(form, signs);
      const start = text.indexOf('|');
      const plain = text.replace('|', '');
      const hit = findSecrets(plain).find((found) => found.start === start);
      assert.ok(hit, form);
      assert.ok(hit.reason.startsWith(vendor), form);
      const value = plain.slice(start, hit.end);
      assert.deepEqual(findSecrets(`build ${value} passed`), [], `${vendor} without a name`);
    }
  });

  it('has a form in this test for every row, of at least 170 vendors', () => {
    const pages = VERIFIED_FORMS.map(({ vendor }) => vendor);
    const tested = new Set([...[...FORMS, ...NAMED_FORMS].map(([vendor]) => vendor), ...pages]);
    const rows = [...PREFIXED_ROWS, ...NAMED_ROWS, ...INNER_ROWS].map(({ vendor }) => vendor);
    const vendors = new Set(rows);
    assert.deepEqual(
      [...vendors].filter((vendor) => !tested.has(vendor)),
      [],
    );
    assert.ok(vendors.size >= 170, String(vendors.size));
    const counted = `${rows.length}, of ${vendors.size} vendors and services`;
    assert.ok(FIGURES.includes(`| rows of the table | ${counted} |`), counted);
    assert.ok(README.includes(`of ${vendors.size} vendors and services`), counted);
  });

  it('finds the values that vendors print in their documentation, with less confidence', () => {
    const examples = [
      ['AKIAIOSFODNN7', 'EXAMPLE'],
      ['gho_16C7e42F292c69', '12E7710c838347Ae178B4a'],
      ['https://hooks.slack.com/services/T00000000/B00000000/', 'X'.repeat(24)],
      ['123456:ABC-DEF1234', 'ghIkl-zyx57W2v1u123ew11'],
      ['MTk4NjIyNDgzNDcxOTI1MjQ4', '.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs'],
      ['sk_test_4eC39Hq', 'LyjWDarjtT1zdp7dc'],
      ['key-3ax6xnjp29jd', '6fds4gc373sgvjxteol0'],
      ['dapi1234567890ab', '1cde2f3ab456c7d89efa'],
      ['AIzaSyDaGmWKa4JsXZ', '-HjGw7ISLn_3namBGewQe'],
      ['glsa_HOruNAb7SOiCdshU', '9algkrq7FDsNSLAa_55e2f8be'],
      ['xoxb-17653672481-19874698323-', 'pdFZKVeTuE8sk7oOcHrzqqgy'],
      ['xoxe-1-', 'abcdefg'],
      ['https://hooks.slack.com/services/T1234567/', 'AAAAAAAA/ZZZZZZ'],
      ['dapi1234567890', '1234567890123456789012'],
      ['access-development-7c69d345', '-hda9-ka68-ahs3-e9317406a2'],
      ['pdl_live_apikey_01gtgztp8f4kek', '3yd4g1wrksa3_q6TGTJyvoIz7LDtXT65bX7_AQO'],
    ].map((parts) => parts.join(''));
    for (const example of examples) {
      const found = findSecrets(`token: ${example}`);
      const hit = found.find(({ start, end }) => start === 7 && end === 7 + example.length);
      assert.ok(hit, example.slice(0, 8));
    }
    const secret = `aws_secret_access_key = ${'wJalrXUtnFEMI/K7MDENG'}/bPxRfiCYEXAMPLEKEY`;
    const [found] = findSecrets(secret);
    assert.equal(found?.score, 0.5);
    assert.equal(secret.slice(found?.start), `wJalrXUtnFEMI/K7MDENG${'/bPxRfiCYEXAMPLEKEY'}`);
    const storage = `AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1${'OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=='}`;
    assert.equal(findSecrets(storage)[0]?.score, 0.5);
  });

  it('trusts a right checksum more and reports a wrong one with less confidence', () => {
    const signs = createSigns(3);
    for (const open of ['ghp_', 'npm_']) {
      const body = signs('b', 30);
      const right = open + body + toBase62(crc32(body));
      assert.equal(findSecrets(right)[0]?.score, 0.99);
      const wrong = open + body + toBase62(crc32(`${body}x`));
      assert.equal(findSecrets(wrong)[0]?.score, 0.6);
    }
    const body = `packagist_ort_${signs('h', 60)}`;
    const token = body + crc32(body).toString(16).padStart(8, '0');
    assert.equal(findSecrets(token)[0]?.score, 0.99);
    // The first two are of BIP 173.
    assert.deepEqual(['A12UEL5L', 'a12uel5l', 'A12UEL5M', 'a12uEL5L'].map(isBech32), [
      true,
      true,
      false,
      false,
    ]);
  });

  it('reports no placeholder', async () => {
    const harmless = [
      `ghp_${'x'.repeat(36)}`,
      `ghp_${'your_token_here'}`,
      `AIza${'X'.repeat(35)}`,
      `sk-${'your-api-key-here'}`,
      `sk-ant-api03-${'placeholder'.repeat(9)}`,
      `glpat-${'xxxxxxxxxxxxxxxxxxxx'}`,
      `HEROKU_API_KEY=01234567-89ab-cdef-0123-456789abcdef`,
      'postgres://user:password@localhost/db',
      'postgres://user:<password>@db.internal/x',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of a shell
      'mysql://root:${MYSQL_PASSWORD}@db/x',
      'https://user:pass@example.com/',
      '-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----',
    ];
    for (const text of harmless) assert.deepEqual(await valuesIn(text), [], text);
  });

  it('finds private keys of every kind from their first to their last line', async () => {
    const { privateKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const { privateKey: curve } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const keys = [
      rsa.export({ type: 'pkcs1', format: 'pem' }),
      rsa.export({ type: 'pkcs8', format: 'pem' }),
      rsa.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'a' }),
      curve.export({ type: 'sec1', format: 'pem' }),
      pem('OPENSSH PRIVATE KEY', 24),
      pem('PGP PRIVATE KEY BLOCK', 60),
      pem('DSA PRIVATE KEY', 8),
    ].map((key) => String(key).trim());
    for (const key of keys) assert.deepEqual(await valuesIn(`the key\n${key}\nends`), [key]);
    const inJson = JSON.stringify({ private_key: keys[1], client_email: 'a' });
    assert.equal((await valuesIn(inJson))[0]?.endsWith('-----END PRIVATE KEY-----'), true);
    const far = `${'word '.repeat(1_500)}\n${pem('PGP PRIVATE KEY BLOCK', 150)}`;
    const before = 'word '.repeat(2_000);
    const [value] = await valuesIn(far + before);
    assert.equal(value, pem('PGP PRIVATE KEY BLOCK', 150));
    assert.deepEqual(await valuesIn(pem('PUBLIC KEY', 8)), []);
  });

  it('finds JSON Web Tokens whose header names an algorithm', async () => {
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = part({ sub: '1234567890', name: 'A' });
    const signature = createSigns(5)('w', 43);
    const token = [part({ alg: 'HS256', typ: 'JWT' }), claims, signature].join('.');
    assert.deepEqual(await valuesIn(`Bearer ${token}`), [token]);
    const none = `${part({ alg: 'none' })}.${claims}.`;
    assert.deepEqual(await valuesIn(`t=${none}`), [none]);
    const noHeader = [part({ kind: 'x' }), claims, signature].join('.');
    assert.deepEqual(await valuesIn(noHeader), []);
  });

  it('finds connection strings with a password', async () => {
    const password = createSigns(9)('b', 14);
    const strings = [
      `postgresql://app:${password}@db.acme.io:5432/app?sslmode=require`,
      `mysql://app:${password}@10.0.0.5/app`,
      `mongodb+srv://app:${password}@cluster0.abcde.mongodb.net/app`,
      `rediss://default:${password}@cache.acme.io:6379/0`,
      `amqps://app:${password}@mq.acme.io/vhost`,
      `https://deploy:${password}@git.acme.io/x.git`,
      `jdbc:postgresql://db.acme.io/app?user=app&password=${password}`,
      `jdbc:oracle:thin:app/${password}@db.acme.io:1521/x`,
      `Server=db.acme.io;Database=app;User Id=app;Password=${password}`,
      `Endpoint=sb://acme.servicebus.windows.net/;SharedAccessKeyName=root;SharedAccessKey=${createSigns(2)('b', 43)}=`,
    ];
    for (const text of strings) {
      const [value] = await valuesIn(`url "${text}"`);
      assert.equal(value?.replace(/=$/, ''), text.replace(/=$/, ''), text.slice(0, 12));
    }
  });

  it('finds nothing in the random values of lock files, source maps and bundles', () => {
    const signs = createSigns(11);
    const lines = Array.from({ length: 1_000 }, (_, index) =>
      [
        `"integrity": "sha512-${signs('x', 86)}==",`,
        `checksum = "${signs('h', 64)}"`,
        `"mappings": "${signs('x', 60)},${signs('b', 4)};AAAA,${signs('x', 30)}",`,
        `github.com/a/b v1.${index}.0 h1:${signs('x', 43)}=`,
        `var ${signs('b', 2)}=function(){return "${signs('w', 22)}"},a=e(${signs('d', 6)});`,
        `commit ${signs('h', 40)} ${[8, 4, 4, 4, 12].map((n) => signs('h', n)).join('-')}`,
      ].join('\n'),
    ).join('\n');
    assert.deepEqual(findSecrets(lines), []);
  });

  it('finds nothing in lock files that name vendors', () => {
    const signs = createSigns(23);
    for (const { names } of NAMED_ROWS) {
      const words = names.map((name) => name.split(/[^a-z]/, 1)[0] as string);
      for (const word of words.filter((word) => !/key|secret|auth|x$/.test(word))) {
        const vendor = word.charAt(0).toUpperCase() + word.slice(1);
        const lines = [
          `github.com/${word}/${word}-go v1.7.1 h1:${signs('b', 32)}/${signs('b', 10)}=`,
          `github.com/${word}/${word}-go v1.7.1 h1:${signs('b', 40)}+${signs('b', 2)}=`,
          `github.com/a/${word}nal v0.7.1 h1:${signs('b', 43)}=`,
          `  remote: https://github.com/${vendor}/sdk.git\n  revision: ${signs('h', 40)}`,
          `SPEC CHECKSUMS:\n  ${vendor}Core: ${signs('h', 40)}`,
          `"url": "https://github.com/${word}/php.git",\n   "reference": "${signs('h', 40)}"`,
          `"url": "https://github.com/${word}/client.git",\n   "reference": "${signs('h', 32)}"`,
          `"location": "https://github.com/${vendor}/ios", "state": {"revision": "${signs('h', 40)}"`,
          `resolved "https://packages.example.com/@${word}/client/-/client-2.0.0.tgz#${signs('h', 40)}"`,
          `"node_modules/@${word}/auth": {"integrity": "sha512-${signs('x', 86)}==",`,
          `{ url = "https://files/${word}-1.tar.gz", hash = "sha256:${signs('h', 64)}"`,
          `window.${word.toUpperCase()}_ID="${signs('l', 15)}"`,
        ];
        for (const line of lines) assert.deepEqual(findSecrets(line), [], line);
      }
    }
  });

  it('finds nothing in base64 of binary data', () => {
    const signs = createSigns(29);
    for (const open of ['EAAG', 'EAAD', 'EAAA']) {
      const value = `${open}${signs('b', 26)}AAAA${signs('b', 30)}`;
      assert.deepEqual(findSecrets(`["${value}"]`), []);
      assert.deepEqual(findSecrets(`["${value}${signs('b', 60)}"]`), []);
    }
  });

  it('finds a secret that increments of a stream cut, and lets nothing of it through', async () => {
    const signs = createSigns(13);
    const token = `ghp_${signs('b', 36)}`;
    const key = pem('RSA PRIVATE KEY', 26);
    const text = `Here ${token} and the key:\n${key}\nand more words. ${'Some prose follows. '.repeat(40)}`;
    const rules = builtInPolicyRules().map((rule) =>
      rule.stage === 'secrets_scanner' ? { ...rule, action: 'redact' as const } : rule,
    );
    const long = `${pem('PGP PRIVATE KEY BLOCK', 190)} ${'and so on. '.repeat(60)}`;
    assert.ok(!(await streamed(long, 40, rules, 16_384)).includes(long.slice(4_000, 4_030)));
    for (const size of [1, 7, 33]) {
      const released = await streamed(text, size, rules);
      assert.ok(!released.includes(token.slice(4, 20)), `${size}`);
      assert.ok(!released.includes(key.slice(60, 90)) && released.includes('and more words'));
    }
  });

  it('masks the whole of a secret, and policies block it by default', async () => {
    const value = `sk_live_${createSigns(17)('b', 24)}`;
    const input = { response: `key ${value}.` };
    const result = await pipeline.scan(input);
    assert.ok((result.scores.secrets ?? 0) > 0.9);
    const redactor = createRedactor({ style: 'mask' });
    const masked = redactor.redact(input.response, result.findings);
    assert.equal(masked, 'key **_****_************************.');
    const rules = builtInPolicyRules();
    const decision = evaluatePolicies([{ id: 'a', name: 'a', rules }], result, input);
    assert.equal(decision.verdict, 'blocked');
  });

  it('finds an encoded private key up to its end, and nothing of the text behind it', async () => {
    const { privateKey } = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    const encoded = Buffer.from(privateKey.trimEnd()).toString('base64');
    const text = `It is ${encoded} and the parcel left the warehouse.`;
    assert.deepEqual(await valuesIn(text), [encoded]);
  });

  it('looks for the types alone that are switched on', async () => {
    const text = `${'ghp_'}${'R8vJ2mXq4TnL6wBz9sKd1HcYf5Gp0a3Ue7Wo'} at postgres://app:Wz9-kd1Hc@db.internal/orders`;
    const typesWith = async (types?: object) => {
      const options = types && { types };
      const chosen = createPipeline({ stages: [{ name: 'secrets_scanner', options }] });
      const { findings } = await chosen.scan({ response: text });
      return findings.map(({ type }) => type);
    };
    assert.deepEqual(await typesWith(), ['access_token', 'connection_string']);
    assert.deepEqual(await typesWith({ access_token: false }), ['connection_string']);
    assert.deepEqual(await typesWith(['access_token', 'jwt']), ['access_token']);
    await assert.rejects(typesWith(['acces_token']), /types\[0\].*Did you mean access_token\?/s);
  });

  it('takes options for exceptions and a least confidence, and names a wrong one', async () => {
    const value = `sk_test_${createSigns(19)('b', 24)}`;
    for (const options of [{ exceptions: [value] }, { minScore: 0.8 }]) {
      const strict = createPipeline({ stages: [{ name: 'secrets_scanner', options }] });
      assert.deepEqual((await strict.scan({ response: value })).findings, []);
    }
    const wrong = { stages: [{ name: 'secrets_scanner' as const, options: { minscore: 1 } }] };
    assert.throws(() => createPipeline(wrong), /stages\.secrets_scanner\.options\.minscore/);
  });

  it('takes time linear in the text', async () => {
    const units = [
      'eyJ.',
      '-eyJ',
      '-----BEGIN PRIVATE KEY-----',
      'ghp_',
      'a://b:c@',
      'user=a;',
      'sig=',
      '/ABSK',
      'jdbc:a:',
    ];
    for (const unit of units) {
      const short = unit.repeat(16_384 / unit.length);
      const long = unit.repeat(131_072 / unit.length);
      const scan = (response: string) => () => pipeline.scan({ response });
      await assertLinearTime(scan(short), scan(long), unit);
    }
  });
});

function pem(label: string, lines: number): string {
  const signs = createSigns(lines);
  const body = Array.from({ length: lines }, () => signs('x', 64)).join('\n');
  return `-----BEGIN ${label}-----\n${body}\n-----END ${label}-----`;
}

/** What a stream lets through of a text that comes in increments of `size`. */
async function streamed(
  text: string,
  size: number,
  rules: readonly PolicyRule[],
  maxHoldBack = 4_096,
): Promise<string> {
  const policies = [{ id: 'a', name: 'a', rules }];
  const scanner = createStreamScanner(pipeline, { policies, maxHoldBack });
  let released = '';
  for (let at = 0; at < text.length; at += size) {
    released += (await scanner.feed(text.slice(at, at + size))).text;
  }
  return released + (await scanner.end()).text;
}
