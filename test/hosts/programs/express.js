import express from 'express';
import { drain, listening, OWN_PAGE, OWN_TEXT, parserMode, probity, run } from './probity.js';

const parse = express.json({ limit: '2mb' });

const app = express();
app.use((request, response, next) => {
  const mode = parserMode(request.headers);
  if (mode === 'host') parse(request, response, next);
  else if (mode === 'drain') drain(request).then(next, next);
  else next();
});
app.use('/probity', probity.node);
app.get(OWN_PAGE, (_request, response) => {
  response.send(OWN_TEXT);
});

await run(listening(app));
