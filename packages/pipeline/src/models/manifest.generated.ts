// Written by npm run manifest -w @probity/detection-lab; never by hand.

/** Format (the first four bytes), length and SHA-256 of every weight file. */
export const WEIGHTS = {
  hallucination: {
    format: 'TRE1',
    bytes: 16924,
    sha256: 'f58cb2d36707e34d9ae4b191949439e80b7882827f7707308d670141eb6cb8a8',
  },
  'injection-place': {
    format: 'TRE1',
    bytes: 14248,
    sha256: '580248d5eac699f2a130e8d3868a12f4955627b2927806744dfb9ad3ab3588e9',
  },
  'injection-topics': {
    format: 'PTV1',
    bytes: 320012,
    sha256: '63a02527e2f645ef0449ed58e7aa4f2b01d96e856c8e3131859c8b0da9377c66',
  },
  injection: {
    format: 'PBL1',
    bytes: 791493,
    sha256: 'a39db4361631b7b7d09f9daa4ada2ec4e0687b400830226a0533aad14427cc48',
  },
  'meaning-toxicity': {
    format: 'PBM1',
    bytes: 34451,
    sha256: 'cd0d804a0ea27c8331e480dfed6430d9e309dcab20c058643a9ac18a174d3ed3',
  },
  relations: {
    format: 'PRR1',
    bytes: 293696,
    sha256: 'c5b3af9d557d3018e0ad802b267e45d6beba7c0e1051cb654f54ffda334bc7d2',
  },
  'toxicity-classes': {
    format: 'PBC2',
    bytes: 62567,
    sha256: '80d5d943cb1f8e5302c94ef9afec713615cc3ea2abcd1c55e1c9bdb59e957aec',
  },
  'toxicity-net': {
    format: 'PBN1',
    bytes: 51476,
    sha256: '46cb7a077cf804a7b33fba7fe7ba5abb8c8685fc815c9f7bbef5a9cd92d6a7de',
  },
  toxicity: {
    format: 'PBL1',
    bytes: 793804,
    sha256: '4ed34ff8ebe1d06b1186f2ceceae46fe484252271171d595e15ff0045522cfb8',
  },
  'truth-against': {
    format: 'TRE1',
    bytes: 11468,
    sha256: '190c0c4f024d0b9ad5e8988d2095d44b9764840ba8c75b37719b1d38afefbdfc',
  },
  words: {
    format: 'PVW2',
    bytes: 2688366,
    sha256: 'cdecc4fed9bcf29e6596a771df3376f7fd0fd570c68f93e113d081b53e8bce2d',
  },
} as const;
