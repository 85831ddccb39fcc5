import { USER_SCHEMA } from '../../api.ts';
import type { Step } from './step.ts';
import { find, patch } from './step.ts';

const person = (userName: string, familyName: string, active = true) => ({
  schemas: [USER_SCHEMA],
  userName,
  externalId: '107121',
  name: { givenName: 'Ann', familyName },
  emails: [{ value: userName, type: 'work', primary: true }],
  active,
});

function believed({ schemas: _, ...attributes }: ReturnType<typeof person>) {
  return attributes;
}

const ann = person('ann@example.com', 'Smith');
const lee = person('ann@example.com', 'Lee');
const gray = person('ann@example.com', 'Gray');
const renamed = person('ann.gray@example.com', 'Gray');

/**
 * Google documents mappings and what a suspension does, no bodies: support.google.com/a, "About user provisioning". The
 * media type is that of pond/scimitar #142. Groups are not pushed.
 */
export const google: readonly Step[] = [
  { send: find('Users', 'userName eq "ann@example.com"'), status: 200, finds: 0 },
  { send: ['POST', '/Users', ann], status: 201, as: 'ann', believes: { ann: believed(ann) } },
  {
    send: find('Users', 'userName eq "ann@example.com"', '&startIndex=1&count=1'),
    status: 200,
    finds: 1,
  },
  {
    send: ['PUT', '/Users/{ann}', { ...lee, id: '{ann}' }],
    status: 200,
    believes: { ann: believed(lee) },
  },
  {
    send: [
      'PATCH',
      '/Users/{ann}',
      patch({ op: 'replace', value: { name: { familyName: 'Gray' } } }),
    ],
    status: 200,
    believes: { ann: believed(gray) },
  },
  {
    send: ['PATCH', '/Users/{ann}', patch({ op: 'replace', path: 'active', value: false })],
    status: 200,
    believes: { ann: { ...believed(gray), active: false } },
  },
  {
    send: ['PATCH', '/Users/{ann}', patch({ op: 'replace', path: 'active', value: true })],
    status: 200,
    believes: { ann: believed(gray) },
  },
  // The suspension of an organizational unit, by a PUT of the whole user.
  {
    send: ['PUT', '/Users/{ann}', { ...gray, active: false }],
    status: 200,
    believes: { ann: { ...believed(gray), active: false } },
  },
  // A new primary address is another userName of the same user.
  {
    send: ['PUT', '/Users/{ann}', renamed],
    status: 200,
    believes: { ann: believed(renamed) },
  },
  { send: find('Users', 'userName eq "ann@example.com"'), status: 200, finds: 0 },
  { send: find('Users', 'userName eq "ann.gray@example.com"'), status: 200, finds: 1 },
  { send: ['DELETE', '/Users/{ann}'], status: 204, believes: { ann: null } },
  { send: ['GET', '/Users'], status: 200, finds: 0 },
];
