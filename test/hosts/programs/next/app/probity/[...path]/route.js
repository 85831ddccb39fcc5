import { parserMode, probity } from '../../../probity.js';

async function handle(request) {
  await probity.migrate();
  if (parserMode(Object.fromEntries(request.headers)) === 'drain') await request.text();
  return probity.fetch(request);
}

export { handle as DELETE, handle as GET, handle as POST };
