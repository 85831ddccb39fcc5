import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The examples of one operation, as documents show them. */
export interface StoredExample {
  request?: unknown;
  responses?: Record<number, unknown>;
}

/** The modules of examples, and the paths of the operations that each has. */
const MODULES = [
  { path: 'webhooks/src', of: /^\/api\/v1\/(webhooks|events)/, types: '@probity/core/koa' },
  { path: 'evidence/src', of: /^\/api\/v1\/compliance/, types: '@probity/core/koa' },
  { path: 'knowledge/src', of: /^\/api\/v1\/knowledge/, types: '@probity/core/koa' },
  { path: 'integrations/src', of: /^\/api\/v1\/integrations/, types: '@probity/core/koa' },
  {
    path: 'governance/src',
    of: /^\/api\/v1\/(governance|alerts|doors)/,
    types: '@probity/core/koa',
  },
  { path: 'scim/src', of: /^\/scim\/|\/scim\/activity$/, types: '@probity/core/koa' },
  { path: 'platform/src', of: /^(\/v1|\/api\/v1\/instances)\//, types: '@probity/core/koa' },
  { path: 'core/src/http', of: /^/, types: './documentation.ts' },
] as const;

const NOTICE =
  '// Recorded by test/server/examples.test.ts with WRITE_EXAMPLES=1; run npm run format afterwards.';

function fileOf({ path }: (typeof MODULES)[number]): string {
  const folder = new URL(`../../../packages/${path}/`, import.meta.url);
  return fileURLToPath(new URL('examples.generated.ts', folder));
}

/** Writes the examples of all operations, by operation id, into the packages of their paths. */
export function writeExamples(
  examples: ReadonlyMap<string, StoredExample>,
  pathOf: (operationId: string) => string,
): void {
  for (const module of MODULES) {
    const own = [...examples]
      .filter(([id]) => MODULES.find(({ of }) => of.test(pathOf(id))) === module)
      .sort(([left], [right]) => (left < right ? -1 : 1));
    const text = JSON.stringify(Object.fromEntries(own), null, 2);
    const lines = [
      `import type { OperationExamples } from '${module.types}';`,
      '',
      NOTICE,
      `export const examples: OperationExamples = ${text};`,
    ];
    writeFileSync(fileOf(module), `${lines.join('\n')}\n`);
  }
}

/** The ids of all operations that have stored examples. */
export function storedOperations(): string[] {
  return MODULES.flatMap((module) => {
    const text = readFileSync(fileOf(module), 'utf8');
    return [...text.matchAll(/^ {2}(\w+): \{/gm)].map(([, id = '']) => id);
  });
}
