import { LocationProvider, lazy, Route, Router, useLocation } from 'preact-iso';
import { mount } from './api/connection.ts';
import { loadPerson, person, serves, unknownReason } from './api/session.ts';
import { Gate, GateBox } from './pages/sign-in.tsx';
import { routes } from './routes.ts';
import { EndedDialog } from './ui/ended-dialog.tsx';
import { Failure } from './ui/failure.tsx';
import { Shell } from './ui/shell.tsx';
import { Toasts } from './ui/toasts.tsx';

const pages = routes.map(({ path, load, operation }) => ({
  path: mount.pathname + path,
  operation,
  Page: lazy(load),
}));
const NotFound = lazy(() => import('./pages/not-found.tsx').then((page) => page.NotFoundPage));

/** Everything: the gate for who is not signed in, else the page of the address. */
export function App() {
  if (unknownReason.value !== null) {
    return (
      <GateBox>
        <Failure error={unknownReason.value} retry={loadPerson} />
      </GateBox>
    );
  }
  if (person.value === undefined) return null;
  return (
    <LocationProvider scope={mount.pathname}>
      {person.value === null ? <Gate /> : <SignedIn />}
      <Toasts />
    </LocationProvider>
  );
}

function SignedIn() {
  const { path } = useLocation();
  return (
    <Shell path={path.slice(mount.pathname.length)}>
      <Router onRouteChange={focusMain}>
        {pages
          .filter(({ operation }) => serves(operation))
          .map(({ path: each, Page }) => (
            <Route key={each} path={each} component={Page} />
          ))}
        <Route default component={NotFound} />
      </Router>
      <EndedDialog />
    </Shell>
  );
}

/** A screen reader goes on at the new page, not at the link that led there. */
function focusMain(): void {
  document.getElementById('main')?.focus({ preventScroll: true });
  scrollTo(0, 0);
}
