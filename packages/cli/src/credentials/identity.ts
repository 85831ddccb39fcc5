import type { CallOptions, ProbityApi } from '@probity/client';

/** The organization of a key. */
export interface Identity {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
}

/**
 * The organizations that the key can read; none on a server without the platform API, such as an
 * application that has accounts of its own.
 * @throws ProbityError when the key is refused or there is no Probity
 */
export async function identify(client: ProbityApi, options: CallOptions): Promise<Identity[]> {
  const { NotFoundError, ResponseError } = await import('@probity/client');
  try {
    const { items } = await client.organizations.list({ limit: 10 }, options).page();
    return items.map(({ id, name, plan }) => ({ id, name, plan }));
  } catch (error) {
    if (!(error instanceof NotFoundError) && !(error instanceof ResponseError)) throw error;
    await client.alerts.list({ limit: 1 }, options).page();
    return [];
  }
}
