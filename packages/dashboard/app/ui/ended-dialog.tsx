import { hasEnded, hasPlatform } from '../api/connection.ts';
import { person } from '../api/session.ts';
import { SignInForm, SignInToHost } from '../pages/sign-in.tsx';
import { t } from '../text/index.ts';
import { Dialog } from './dialog.tsx';

/** Over a page whose session has ended: who signs in again finds the page as it was. */
export function EndedDialog() {
  if (!hasEnded.value) return null;
  if (!hasPlatform) {
    return (
      <Dialog title={t.signIn.ended} lead={t.signIn.endedLead}>
        <div class="dialog-body">
          <SignInToHost />
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={t.signIn.ended} lead={t.signIn.endedLead}>
      <div class="dialog-body">
        <SignInForm email={person.value?.session?.member.email} />
      </div>
    </Dialog>
  );
}
