declare global {
  const app: {
    use(path: string, handler: import('@probity/core').Probity<[]>['node']): unknown;
    listen(port: number): import('node:http').Server;
  };
  const probity: import('@probity/core').Probity<
    [
      import('@probity/core').CapabilityDefinition<
        'governance',
        import('@probity/governance').Governance
      >,
      import('@probity/core').CapabilityDefinition<
        'webhooks',
        import('@probity/webhooks').Webhooks
      >,
    ]
  >;
  const contextOf: typeof import('@probity/core').contextOf;
  const organizationId: string;
  const prompt: string;
  const modelAnswer: AsyncIterable<string>;
  const response: string;
  const db: import('kysely').Kysely<{ answers: { text: string } }>;
  const answer: { text: string };
  const prisma: {
    answer: { create(row: { data: { text: string; scanId: string } }): Promise<{ id: string }> };
  };
  const client: import('openai').OpenAI;
  const model: string;
  const messages: import('openai').OpenAI.ChatCompletionMessageParam[];
  const res: import('express').Response;
}

export {};
