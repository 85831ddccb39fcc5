import './ui/tokens.css';
import './ui/components.css';
import { QueryClient, QueryClientProvider } from '@tanstack/preact-query';
import { render } from 'preact';
import { loadPerson } from './api/session.ts';
import { App } from './app.tsx';
import { loadText } from './text/index.ts';
import { applyTheme } from './ui/theme.ts';

applyTheme();

const queries = new QueryClient({
  // The client repeats what can be repeated.
  defaultOptions: { queries: { retry: false, staleTime: 15_000 } },
});

await loadText();
render(
  <QueryClientProvider client={queries}>
    <App />
  </QueryClientProvider>,
  document.getElementById('app') as HTMLElement,
);
await loadPerson();
