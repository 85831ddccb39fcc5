import type { GatewayConfig } from '../config/read-config.ts';
import type { PreparedPart, PrimaryPart } from './part.ts';

/** What the parts of the primary prepare for a configuration. */
export function phasesOf(
  parts: readonly PrimaryPart[],
  config: GatewayConfig,
): (() => Promise<PreparedPart> | PreparedPart)[] {
  return parts.flatMap((part) => {
    const { prepare } = part;
    return prepare ? [() => prepare.call(part, config)] : [];
  });
}

/** Starts the parts. */
export function startParts(parts: readonly PrimaryPart[]): void {
  for (const part of parts) part.start?.();
}

/** Ends the parts, the last one first. */
export async function closeParts(parts: readonly PrimaryPart[]): Promise<void> {
  for (const part of [...parts].reverse()) await part.close?.();
}
