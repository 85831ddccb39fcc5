import type { Argument, Command, Option } from 'commander';

/** An option as a shell completes it. */
export interface CompletedOption {
  readonly short: string | undefined;
  readonly long: string;
  readonly description: string;
  /** Undefined for an option without a value. */
  readonly value: CompletedValue | undefined;
}

/** What may follow an option, or stand as an argument. */
export interface CompletedValue {
  readonly name: string;
  readonly choices: readonly string[];
  /** Whether it is the path of a file. */
  readonly isFile: boolean;
}

/** A command as a shell completes it. */
export interface CompletedCommand {
  /** The words of the command, `probity` first. */
  readonly path: readonly string[];
  readonly description: string;
  readonly options: readonly CompletedOption[];
  readonly argument: CompletedValue | undefined;
  readonly commands: readonly CompletedCommand[];
}

/** What shells complete of a program. */
export function completedCommand(command: Command, path = [command.name()]): CompletedCommand {
  const help = command.createHelp();
  const [argument] = command.registeredArguments;
  return {
    path,
    description: command.description(),
    options: help.visibleOptions(command).map(completedOption),
    argument: argument && completedValue(argument, argument.name()),
    commands: help
      .visibleCommands(command)
      .filter((each) => each.name() !== 'help')
      .map((each) => completedCommand(each, [...path, each.name()])),
  };
}

function completedOption(option: Option): CompletedOption {
  const { short, long = '', description, flags } = option;
  const value = /<([^>]+)>/.exec(flags)?.[1];
  return {
    short,
    long,
    description,
    value: value === undefined ? undefined : completedValue(option, value),
  };
}

function completedValue({ argChoices }: Option | Argument, name: string): CompletedValue {
  return { name, choices: argChoices ?? [], isFile: name === 'file' };
}

/** The command and all below it. */
export function allCommands(command: CompletedCommand): CompletedCommand[] {
  return [command, ...command.commands.flatMap(allCommands)];
}
