// Written by npm run manifest -w @probity/detection-lab; never by hand.

/** Format (the first four bytes), length and SHA-256 of every weight file. */
export const WEIGHTS = {
  'hallucination-free': {
    format: 'TRE1',
    bytes: 13920,
    sha256: '02d9d3b2996f0765ad2798a5c618a546f1aa315ade918f3731debd6bdf76af2d',
  },
  hallucination: {
    format: 'TRE1',
    bytes: 22588,
    sha256: '42bb8f2968f54a05ec12d84650128ab2363f0f3a148a25259a226da67988509b',
  },
  'injection-place': {
    format: 'TRE1',
    bytes: 14248,
    sha256: '5328c937e9b1321798c78f55b44dbf607874730ce8677fa0732a662ec21f4479',
  },
  'injection-topics': {
    format: 'PTV1',
    bytes: 320012,
    sha256: '63a02527e2f645ef0449ed58e7aa4f2b01d96e856c8e3131859c8b0da9377c66',
  },
  injection: {
    format: 'PBL1',
    bytes: 398288,
    sha256: '777ed19d97942f47aca73fb0f5ba169d0e6cbc4982cf899647be05c79b0788c1',
  },
  relations: {
    format: 'PRR1',
    bytes: 293696,
    sha256: 'c5b3af9d557d3018e0ad802b267e45d6beba7c0e1051cb654f54ffda334bc7d2',
  },
  'toxicity-classes': {
    format: 'PBC1',
    bytes: 238122,
    sha256: '9fbe62c07a5b4dfa5e3eaa8c6a62b65ce49a70f7a893c3bf00138911f8a1c6da',
  },
  toxicity: {
    format: 'PBL1',
    bytes: 401104,
    sha256: '0162f7c3b6c3a2ab6cb3aa0939bfb251e49452c0eb3c89c1286d971aeee30b2b',
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
