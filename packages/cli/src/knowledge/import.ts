import { EvaluationError, toUtf8 } from '@probity/evaltool';
import type { CommandContext } from '../context.ts';
import type { ImportFlags } from '../evaluations/import-file.ts';
import type { ExitCode } from '../exit-codes.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandFailure, usageFailure } from '../failure.ts';
import { readChunks } from '../input.ts';
import type { Session } from '../server/session.ts';
import { openSession } from '../server/session.ts';
import { upload } from '../server/upload.ts';
import { createProgressLine } from '../terminal/progress.ts';
import { visible } from '../terminal/text.ts';
import { formatKnowledgeImport, refusedRows } from './report.ts';

const CONTENT_TYPES = { csv: 'text/csv; charset=utf-8', json: 'application/json' } as const;
/** The server reads the file as a stream. */
const MAX_BYTES = 4_294_967_296;

/**
 * Imports a knowledge base; exits with 1 when the server refused rows.
 * @throws CommandFailure for an organization that is not that of the key; nothing is sent then
 */
export async function importKnowledge(
  file: string,
  flags: ImportFlags,
  context: CommandContext,
): Promise<ExitCode> {
  const { out, err } = context;
  const { organization, strict } = flags;
  if (organization === undefined) {
    throw usageFailure('--organization: a knowledge base needs the id of the organization');
  }
  const format = flags.format ?? formatOf(file);
  const session = await openSession(flags, context);
  await requireOrganization(session, organization, context);
  const progress = createProgressLine(err);
  try {
    let length = 0;
    const chunks = readChunks({ path: file, maxBytes: MAX_BYTES }, context);
    const counted = async function* () {
      for await (const chunk of toUtf8(chunks)) {
        length += chunk.length;
        progress.show(`sending, ${(length / 1_048_576).toFixed(1)} MiB`);
        yield chunk;
      }
    };
    const answer = await send(session, `${strict ? '?strict=true' : ''}`, {
      contentType: CONTENT_TYPES[format],
      body: counted(),
      context,
    });
    progress.clear();
    await out.write(
      flags.json ? `${JSON.stringify(answer)}\n` : formatKnowledgeImport(answer, out),
    );
    return refusedRows(answer).length > 0 ? EXIT.finding : EXIT.ok;
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    throw usageFailure(`${file}: ${error.message}`, error);
  } finally {
    progress.clear();
  }
}

function formatOf(file: string): 'csv' | 'json' {
  const [, extension] = /\.(csv|json)$/i.exec(file) ?? [];
  if (extension !== undefined) return extension.toLowerCase() as 'csv' | 'json';
  throw usageFailure('--format: the name of the file does not tell whether it is csv or json');
}

async function requireOrganization(
  session: Session,
  organization: string,
  { signal }: CommandContext,
): Promise<void> {
  const { organizationId } = await session.client.whoami.get({ signal });
  if (organizationId === organization) return;
  throw usageFailure(
    `--organization: the API key is of ${visible(organizationId)}, not of ${JSON.stringify(organization)}`,
  );
}

async function send(
  { access }: Session,
  query: string,
  {
    contentType,
    body,
    context,
  }: {
    readonly contentType: string;
    readonly body: AsyncIterable<Uint8Array>;
    readonly context: CommandContext;
  },
): Promise<unknown> {
  try {
    const path = `/knowledge/nuggets/import${query}`;
    return await upload(access, { path, contentType, body }, context);
  } catch (error) {
    const isUnknown =
      error instanceof CommandFailure &&
      (error.cause as { status?: number } | undefined)?.status === 404;
    if (!isUnknown) throw error;
    const message = `${access.baseUrl} has no knowledge base: its server may be older than this command`;
    throw new CommandFailure(EXIT.server, message, { cause: error });
  }
}
