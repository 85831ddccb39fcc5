import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createGuard, createPipeline, createRedactor } from '../../src/index.ts';

const pipeline = createPipeline({ stages: [{ name: 'secrets_scanner' }] });
const POLICIES = [
  { id: 'p', name: 'p', rules: [{ stage: 'secrets_scanner', action: 'redact' as const }] },
];
const PASSWORD = 'hunter2trick';
const KEY = 'Zk3nQ8vX2mB7wR4tL9pY';

/** Texts with a secret between two `¦`. */
const SECRETS: readonly string[] = [
  `{"type":"password","value":"¦${PASSWORD}¦"}`,
  `{"value":"¦${PASSWORD}¦","type":"password"}`,
  `{"name":"DB_PASSWORD","value":"¦${PASSWORD}¦"}`,
  '[{"name":"HOST","value":"db1"},{"name":"DB_PASSWORD","value":"¦correct-horse-battery¦"}]',
  `- name: DB_PASSWORD\n  value: ¦${PASSWORD}¦\n- name: HOST\n  value: db1`,
  `- name: DB_PASSWORD\n  value: "¦${PASSWORD}¦"`,
  `environment:\n  - DB_PASSWORD=¦${PASSWORD}¦\n  - HOST=db`,
  `POSTGRES_PASSWORD: ¦${PASSWORD}¦`,
  `{"variable_type":"env_var","key":"DEPLOY_TOKEN","value":"¦${KEY}¦","protected":true}`,
  `{"name":"Authorization","value":"Bearer ¦${KEY}¦"}`,
  '{"name":"Authorization","value":"Basic ¦Ym9iOmh1bnRlcjJ0cmljaw==¦"}',
  `{"name":"X-Api-Key","value":"¦${KEY}¦"}`,
  '{"name":"sessionid","path":"/","value":"¦6f3a9c1d8e2b4f7a2c¦"}',
  `{"mimeType":"text/plain","params":[{"name":"password","fileName":"","value":"¦${PASSWORD}¦"}]}`,
  `{"command":"type","target":"id=password","value":"¦${PASSWORD}¦"}`,
  `{"db":{"userPassword":"¦${PASSWORD}¦"}}`,
  '{"password": "¦pa\\"ss1word-x9¦", "port": 1}',
  `{\\"password\\":\\"¦${PASSWORD}¦\\"}`,
  '{"password": ¦84729163¦}',
  `'password' => '¦${PASSWORD}¦',`,
  `setProperty("password", "¦${PASSWORD}¦")`,
  `<password>¦${PASSWORD}¦</password>`,
  `<key>password</key><string>¦${PASSWORD}¦</string>`,
  `<add key="Password" value="¦${PASSWORD}¦"/>`,
  `| Password | ¦${PASSWORD}¦ |`,
  `**Password:** \`¦${PASSWORD}¦\``,
  `mysql --password ¦${PASSWORD}¦ -h db`,
  `GET /login?user=a&password=¦${PASSWORD}¦&x=1`,
  `client_secret=¦${KEY}¦`,
  `my API key is ¦${KEY}¦`,
  `API key: ¦${KEY}¦`,
  `The token is ¦${KEY}¦.`,
  `PASSWORD: \${DB_PASSWORD:-¦${PASSWORD}¦}`,
  `the password is ¦${PASSWORD}¦`,
  `The password for the admin account is ¦${PASSWORD}¦.`,
  `the password's ¦${PASSWORD}¦`,
  'Your temporary password has been set to ¦Tr1cky-Pass9¦',
  `log in as bob with password ¦${PASSWORD}¦`,
  'My password: ¦S3cret!x¦',
  `Passwort lautet ¦${PASSWORD}¦`,
  `Das Passwort für den Server lautet: "¦${PASSWORD}¦"`,
  `Le mot de passe est ¦${PASSWORD}¦`,
  `La contraseña es ¦${PASSWORD}¦, no la compartas`,
  `A senha é ¦${PASSWORD}¦`,
  `пароль: ¦${PASSWORD}¦`,
  `パスワードは¦${PASSWORD}¦です。`,
  `密码是¦${PASSWORD}¦。`,
  `비밀번호는 ¦${PASSWORD}¦입니다`,
];

/** Texts about secrets, and placeholders. */
const ORDINARY: readonly string[] = [
  'password: <password>',
  '{"password":"<password>"}',
  '{"type":"password","value":"********"}',
  'password=changeme',
  'password: "your-password-1"',
  'password=$' + '{DB_PASSWORD}',
  'DB_PASSWORD=$DB_PASS1',
  'POSTGRES_PASSWORD: $' + '{POSTGRES_PASSWORD:?required}',
  'The API key is read from the variable OPENAI_API_KEY2.',
  'the access key is stored in vault2-production-eu',
  'The secret is to use 2 eggs a person.',
  'password: {{ .Values.pw1 }}',
  '{"name":"DB_PASSWORD","valueFrom":{"secretKeyRef":{"name":"db1","key":"pw1"}}}',
  '{"name":"DB_PASSWORD","valueFrom":"arn:aws:secretsmanager:us-east-1:123456789012:secret:x"}',
  '- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      name: x\n- name: FOO\n  value: bar12345',
  '{"type":"password","label":"Password","name":"field1"}',
  '{"password":{"type":"string"}}',
  '"password": "Mot de passe"',
  '"password": "Enter at least 8 characters"',
  '"resetPassword": "https://example.com/reset/12"',
  'const password = req.body.password;',
  'password: z.string().min(8)',
  'password = getPassword2(user1)',
  'password: Uint8Array',
  'PWD=/srv/user1/x',
  '"nextPageToken":"CAUQAA8273hdh2837d"',
  '{"name":"max_tokens","value":"4096"}',
  '{"sessionId":"550e8400-e29b-41d4-a716-446655440000"}',
  'Season pass: A12345',
  'Password: support@example.com',
  'password: 2026-01-01',
  'The password is required.',
  'The password is 12 characters long and is SHA256 hashed.',
  'Passwords must have 8 characters and 1 digit.',
  'password rotation every 90 days, see 1Password 8',
  'the secret is 12345',
  'Das Passwort ist abgelaufen und muss 8 Zeichen haben.',
];

describe('secrets that their label tells', () => {
  it('secrets_scanner finds the value of a label at its exact place', async () => {
    for (const marked of SECRETS) {
      const [before = '', secret = ''] = marked.split('¦');
      const text = marked.replaceAll('¦', '');
      const { findings } = await pipeline.scan({ response: text });
      const places = findings.map(({ start, end }) => text.slice(start, end));
      assert.deepEqual(places, [secret], text);
      assert.equal(findings[0]?.start, before.length, text);
    }
  });

  it('secrets_scanner finds nothing in placeholders, references and sentences about passwords', async () => {
    for (const text of ORDINARY) {
      const { findings } = await pipeline.scan({ response: text });
      assert.deepEqual(
        findings.map(({ start, end }) => text.slice(start, end)),
        [],
        text,
      );
    }
  });

  it('redacted JSON with labeled secrets is still JSON', async () => {
    for (const marked of SECRETS.filter((each) => /^[[{]/.test(each) && !each.includes('\\"p'))) {
      const text = marked.replaceAll('¦', '');
      const { findings } = await pipeline.scan({ response: text });
      const redacted = createRedactor().redact(text, findings);
      assert.doesNotThrow(() => JSON.parse(redacted), redacted);
      assert.match(redacted, /\[(?:PASSWORD|API_KEY|ACCESS_TOKEN)_1\]/);
    }
  });

  it('a guard redacts labeled secrets in arguments and results of tools', async () => {
    const guard = createGuard({ pipeline, policies: POLICIES });
    const json = JSON.stringify({
      env: [{ name: 'DB_PASSWORD', value: PASSWORD }],
      fields: [{ value: 'S!cret-word', type: 'password' }],
    });
    const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: json } };
    const { messages } = await guard.check({
      messages: [
        { role: 'user', content: 'Go.' },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call_1', content: json },
      ],
    });
    assert.doesNotMatch(JSON.stringify(messages), /hunter2|S!cret/);
  });
});
