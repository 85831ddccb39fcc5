/** The shell command that backs up a PostgreSQL database; without the URL's password. */
export function pgDumpCommand(url: string, file: string): string {
  const address = new URL(url);
  address.password = '';
  address.searchParams.delete('password');
  return `pg_dump --format=custom --file=${quote(file)} ${quote(address.href)}`;
}

/** Quotes a word for a shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
