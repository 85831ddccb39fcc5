declare global {
  const database: string;
  const authenticate: import('@probity/core').Authenticate;
  const contextOf: typeof import('@probity/core').contextOf;
  const sessionOf: typeof import('@probity/core/sql').sessionOf;
  const db: import('kysely').Kysely<{ orders: typeof order }>;
  const order: { id: string; company: string; boxes: number };
  const probity: import('@probity/core').Probity<
    [
      import('@probity/core').CapabilityDefinition<
        'webhooks',
        import('@probity/webhooks').HostWebhooks
      >,
    ]
  >;
}

export {};
