import { contextOf } from '@probity/core';
import type { Governance } from '@probity/governance';
import type { RequestHandler } from 'express';
import { callerOf } from './login.js';

/** A model: gives its answer in parts, and stops where the signal aborts. */
export type Model = (prompt: string, signal: AbortSignal) => AsyncIterable<string>;

/** A chat whose answers reach the user as far as they are scanned, and are stored with their alerts. */
export function chat(governance: Pick<Governance, 'scanStream'>, model: Model): RequestHandler {
  return async (request, response) => {
    const caller = callerOf(request);
    if (!caller) return void response.sendStatus(401);
    const { prompt } = request.body as { readonly prompt: string };
    const left = new AbortController();
    response.on('close', () => left.abort());
    const context = { ...contextOf(caller), signal: left.signal };
    const answer = model(prompt, left.signal); // not called before the prompt is allowed
    try {
      response.type('text/plain');
      const asked = { prompt, latency: 'chat' } as const; // releases text by the sentence
      for await (const event of await governance.scanStream(context, asked, answer)) {
        if (event.type === 'release') response.write(event.text);
        if (event.type === 'final' && event.outcome.scan.verdict === 'blocked') {
          response.write('\nI cannot help with that.');
        }
      }
    } catch (error) {
      console.error(error); // the model failed, or the scan could not be stored
      response.write('\nThe answer broke off. Please try again.');
    }
    response.end();
  };
}
