import { BackendError } from './backend-error.ts';

/**
 * Reads the JSON of a response.
 *
 * @throws BackendError `too_large` beyond `maxBytes` (the rest is not read), `network` where the
 *   connection breaks, `answer` where it is no JSON in UTF-8
 */
export async function readJson(response: Response, maxBytes: number): Promise<unknown> {
  const bytes = await readBytes(response, maxBytes);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch {
    throw new BackendError('answer', 'the response is not JSON');
  }
}

async function readBytes({ body }: Response, maxBytes: number): Promise<Uint8Array> {
  const reader = body?.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const chunk = await reader?.read().catch(() => {
      throw new BackendError('network', 'the server closed the connection inside the response');
    });
    if (chunk?.value === undefined) return Buffer.concat(chunks);
    size += chunk.value.byteLength;
    if (size > maxBytes) {
      await reader?.cancel().catch(() => {});
      throw new BackendError('too_large', `the response is longer than ${maxBytes} bytes`);
    }
    chunks.push(chunk.value);
  }
}
