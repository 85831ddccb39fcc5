/** The command that backs up a PostgreSQL database, for a shell; without the URL's password. */
export function pgDumpCommand(url: string, file: string): string {
  const address = new URL(url);
  address.password = '';
  address.searchParams.delete('password');
  return `pg_dump --format=custom --file=${quote(file)} ${quote(address.href)}`;
}

/** A word as a shell takes it literally. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
