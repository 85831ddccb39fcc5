import { entraWithFlag, entraWithoutFlag } from './entra.ts';
import { google } from './google.ts';
import { jumpcloud } from './jumpcloud.ts';
import { oktaCatalogue, oktaWizard } from './okta.ts';
import { onelogin } from './onelogin.ts';
import type { Sequence } from './step.ts';

const JSON_ONLY = { 'content-type': 'application/json', accept: 'application/json' };

/** Sequences of requests as the documents of the providers show them, each with its source where it is defined. */
export const RECORDED: Readonly<Record<string, Sequence>> = {
  'Entra ID without aadOptscim062020': { steps: entraWithoutFlag },
  'Entra ID with aadOptscim062020': { query: 'aadOptscim062020', steps: entraWithFlag },
  'Okta, application of the wizard': {
    headers: {
      'content-type': 'application/scim+json; charset=utf-8',
      accept: 'application/scim+json',
      'user-agent': 'Okta SCIM Client 1.0.0',
    },
    steps: oktaWizard,
  },
  'Okta, application of the catalogue': { steps: oktaCatalogue },
  OneLogin: { headers: JSON_ONLY, steps: onelogin },
  'Google Workspace': {
    headers: { ...JSON_ONLY, 'user-agent': 'Google-Auto-Provisioning' },
    steps: google,
  },
  JumpCloud: { steps: jumpcloud },
};
