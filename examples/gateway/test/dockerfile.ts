/** An instruction of a Dockerfile. */
export interface Instruction {
  readonly name: string;
  readonly text: string;
}

const KNOWN =
  /^(FROM|WORKDIR|COPY|RUN|ENV|VOLUME|USER|EXPOSE|HEALTHCHECK|ENTRYPOINT|CMD) (\S[^\n]*)$/;

/** The stages of a Dockerfile without escaped lines; throws for a line that is no instruction. */
export function parseDockerfile(text: string): Instruction[][] {
  const stages: Instruction[][] = [];
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [, name, rest] = KNOWN.exec(line) ?? [];
    if (name === undefined || rest === undefined) throw new Error(`no instruction: ${line}`);
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, text: rest });
  }
  return stages;
}

/** The texts of the instructions of a name. */
export function textsOf(stage: readonly Instruction[], name: string): string[] {
  return stage.filter((instruction) => instruction.name === name).map(({ text }) => text);
}
