// The validators in use; the package has no types of its own.
declare module 'validator/lib/isAbaRouting.js' {
  const module: unknown;
  export = module;
}
declare module 'validator/lib/isEmail.js' {
  const module: unknown;
  export = module;
}
declare module 'validator/lib/isLuhnNumber.js' {
  const module: unknown;
  export = module;
}
declare module 'validator/lib/isPassportNumber.js' {
  const module: unknown;
  export = module;
}
