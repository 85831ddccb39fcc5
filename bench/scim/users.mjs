/** A user as identity providers push one. */
export function userNamed(name) {
  const userName = `${name}@example.com`;
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName,
    externalId: `ext-${name}`,
    name: { givenName: 'Given', familyName: name },
    displayName: `Given ${name}`,
    emails: [{ value: userName, type: 'work', primary: true }],
    active: true,
  };
}
