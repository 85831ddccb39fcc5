import type { Download } from '@probity/client';

/** Saves an answer of the API as a file of the browser. */
export async function saveFile(name: string, download: Download): Promise<void> {
  const parts: BlobPart[] = [];
  for await (const part of download) parts.push(new Uint8Array(part));
  const url = URL.createObjectURL(new Blob(parts, { type: download.contentType }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads the address after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
