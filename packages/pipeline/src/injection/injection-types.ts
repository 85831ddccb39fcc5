/** The types of the specification's key `stage_config.injection_scanner.types`. */
export type InjectionType =
  | 'prompt_injection'
  | 'sql_injection'
  | 'command_injection'
  | 'xpath_injection';

/** All types, in the order of the model's outputs. */
export const INJECTION_TYPES: readonly InjectionType[] = [
  'prompt_injection',
  'sql_injection',
  'command_injection',
  'xpath_injection',
];
