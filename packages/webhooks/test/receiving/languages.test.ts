import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '@probity/test-support';
import { BODY, OTHER_SECRET, SECRET, signatureOf } from './requests.ts';

const page = readFileSync(
  new URL('../../../../../docs/webhooks/receive.md', import.meta.url),
  'utf8',
);

/** The block of code of a language in the documentation. */
function blockOf(language: string): string {
  const code = page.match(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'm'))?.[1];
  assert.ok(code, `receive.md has no block of ${language}`);
  return code;
}

/** Requests as the program under test reads them, with the body in base64, and whether they are genuine. */
function createRequests() {
  const now = Date.now();
  const requestOf = (changes: Readonly<Record<string, string>> = {}, body = BODY, age = 0) => {
    const at = new Date(now - age * 1_000);
    const headers = {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': signatureOf(BODY, { at }),
      ...changes,
    };
    return { secret: SECRET, headers, body: Buffer.from(body).toString('base64') };
  };
  const own = signatureOf(BODY, { at: new Date(now) });
  const other = signatureOf(BODY, { at: new Date(now), secret: OTHER_SECRET });
  return [
    [requestOf(), true],
    [requestOf({ 'webhook-signature': `${other} ${own}` }), true],
    [requestOf({}, BODY, 150), true],
    [requestOf({}, BODY, 450), false],
    [requestOf({}, BODY, -450), false],
    [requestOf({}, BODY.replace('high', 'low')), false],
    [requestOf({ 'webhook-signature': other }), false],
    [requestOf({ 'webhook-signature': 'v1,ä' }), false],
    [requestOf({ 'webhook-id': 'evt_2' }), false],
    [requestOf({ 'webhook-timestamp': 'now' }), false],
    [{ ...requestOf(), headers: {} }, false],
  ] as const;
}

/** Programs that verify the requests on standard input and print the results, both in JSON. */
const PROGRAMS = [
  {
    language: 'python',
    command: ['python3'],
    file: 'receiver.py',
    program: (code: string) => `${code}
import json, sys
print(json.dumps([
    verify(each["secret"], base64.b64decode(each["body"]), each["headers"])
    for each in json.load(sys.stdin)
]))
`,
  },
  {
    language: 'go',
    command: ['go', 'run'],
    file: 'receiver.go',
    program: (code: string) => `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

${code}
func main() {
	var requests []struct {
		Secret  string
		Body    []byte
		Headers map[string]string
	}
	if err := json.NewDecoder(os.Stdin).Decode(&requests); err != nil {
		panic(err)
	}
	results := []bool{}
	for _, each := range requests {
		header := http.Header{}
		for name, value := range each.Headers {
			header.Set(name, value)
		}
		results = append(results, verify(each.Secret, each.Body, header))
	}
	json.NewEncoder(os.Stdout).Encode(results)
}
`,
  },
] as const;

for (const { language, command, file, program } of PROGRAMS) {
  const [name, ...args] = command;
  // Neither language is needed to work on this package.
  if (spawnSync(name, [language === 'go' ? 'version' : '--version']).status !== 0) continue;
  test(`the documented code in ${language} accepts what is genuine and refuses the rest`, (t) => {
    const cwd = temporaryFolder(t).path;
    writeFileSync(join(cwd, file), program(blockOf(language)));
    const requests = createRequests();
    const input = JSON.stringify(requests.map(([request]) => request));
    const output = execFileSync(name, [...args, file], { cwd, input, encoding: 'utf8' });
    assert.deepEqual(
      JSON.parse(output),
      requests.map(([, isGenuine]) => isGenuine),
    );
  });
}
