import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPipeline } from '../../src/index.ts';

const pipeline = createPipeline({ stages: [{ name: 'secrets_scanner' }] });
const PASSWORD = 'hunter2trick';
const MARKED = `¦${PASSWORD}¦`;

/** Commands with a secret between two `¦`. */
const COMMANDS: readonly string[] = [
  `curl -u ana:${MARKED} https://api.acme.io`,
  `$ curl -sS -XPOST --user "ana:${MARKED}" https://api.acme.io`,
  `curl -suana:${MARKED} https://api.acme.io`,
  `curl --user=ana:${MARKED} https://api.acme.io`,
  `curl \\\n  -H 'Accept: text/plain' \\\n  -u 'ana:${MARKED}' https://api.acme.io`,
  `curl -U ana:${MARKED} -x proxy.acme.io https://api.acme.io`,
  `{"cmd":"curl -u \\"ana:${MARKED}\\" https://api.acme.io"}`,
  `Run \`/usr/bin/curl -u ana:${MARKED} https://api.acme.io\`.`,
  `http -a ana:${MARKED} GET api.acme.io`,
  `sudo mysql -h db -P 3306 -u root -p${MARKED} shop`,
  `mysqldump -uroot -p'${MARKED}' shop > shop.sql`,
  `mysql -uroot "-p${MARKED}" shop`,
  `PGPASSWORD=${MARKED} psql -h db`,
  `export PGPASSWORD="${MARKED}"`,
  `MYSQL_PWD=${MARKED} mysql -h db`,
  `psql --password=${MARKED}`,
  `sshpass -p ${MARKED} ssh ana@build.acme.io`,
  `redis-cli -h cache -a ${MARKED} ping`,
  `mongosh -u ana -p ${MARKED}`,
  `docker login -u ana -p ${MARKED} registry.acme.io`,
  `ldapsearch -x -D "cn=admin" -w ${MARKED}`,
  `sqlcmd -S db -U sa -P ${MARKED}`,
  `smbclient //files/share -U ana%${MARKED}`,
  `lftp -u ana,${MARKED} files.acme.io`,
  `openssl rsa -passin pass:${MARKED} -in key.pem`,
  `7z x -p${MARKED} a.7z`,
  `git clone ¦https://ana:${PASSWORD}@git.acme.io/x.git¦`,
];

/** Commands without a password, or with one that is kept elsewhere. */
const ORDINARY: readonly string[] = [
  ...['curl -u $USER:$PASS https://x', 'curl -u "$USER:$PASS" x', 'curl -u user https://x'],
  ...['curl -u user: x', 'curl -u username:password x', 'curl -u <user>:<password> x'],
  ...['curl -u ana:<password> x', 'curl -u ana:your-password-1 x', 'curl -u user:******** x'],
  'curl -u "$' + '{USER1}:$(cat pass1)" x',
  'curl -u elastic:$ELASTIC_PASSWORD1 localhost:9200',
  'curl -u %USERNAME%:%PASSWORD1% x',
  'curl --user-agent foo:bar1baz2 x',
  'curl -X PUT https://x.acme.io:8080/a',
  ...['mysql -u root -p shop1backup', 'mysql -u root -p < dump1.sql', 'mysql -p$MYSQL_PASS x'],
  ...['mysql -P3306 -h db', 'mysql -proot db', 'mysql -pPASSWORD', 'mysql -p[password]'],
  ...['mysql --protocol=tcp -h db1', 'mysql -u root -pxxxxxxxx', "mysql -u root -p'$PASS1x'"],
  ...['docker run -p 8080:80 nginx1', 'docker run -u 1000:1000 x', 'mkdir -p dir1/sub2'],
  ...['docker login -u ana --password-stdin', 'ssh -p 2222 ana@host', 'ps -u user1:x'],
  ...['redis-cli -a $REDIS_PASS1', 'mongo -p 27017', 'unzip -p archive1.zip'],
  ...['openssl rsa -passin env:PASS1', 'openssl enc -pass file:pw1.txt', 'git push -u origin:b1'],
  'The option -p12345abc is for users of mysql.',
];

describe('secrets in commands', () => {
  it('secrets_scanner finds a password in a command without a word for it', async () => {
    for (const marked of COMMANDS) {
      const [before = '', secret = ''] = marked.split('¦');
      const text = marked.replaceAll('¦', '');
      const { findings } = await pipeline.scan({ response: text });
      const places = findings.map(({ start, end }) => text.slice(start, end));
      assert.deepEqual(places, [secret], text);
      assert.equal(findings[0]?.start, before.length, text);
    }
  });

  it('secrets_scanner finds nothing in commands with variables, placeholders or other options', async () => {
    for (const text of ORDINARY) {
      const { findings } = await pipeline.scan({ response: text });
      assert.deepEqual(
        findings.map(({ start, end }) => text.slice(start, end)),
        [],
        text,
      );
    }
  });
});
