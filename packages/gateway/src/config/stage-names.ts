/** The stages of the specification, in its order: those that run where a file lists none. */
export const DEFAULT_STAGES = [
  'truth_scan',
  'pii_scanner',
  'injection_scanner',
  'toxicity_scanner',
  'contamination_check',
  'hallucination_detector',
  'output_truth_scanner',
] as const;

/** The stages beside them, which run where they are listed. */
export const FURTHER_STAGES = ['secrets_scanner', 'terms_scanner'] as const;

/** Every stage that a file may list. */
export const STAGES = [...DEFAULT_STAGES, ...FURTHER_STAGES] as const;

/** The name of a stage. */
export type GatewayStageName = (typeof STAGES)[number];

/** Types of personal data that are looked for unless they are switched off. */
export const PII_PATTERNS = [
  ...(['ssn', 'credit_card', 'phone_number', 'email'] as const),
  ...(['passport', 'ip_address', 'bank_account'] as const),
] as const;

/**
 * Types of personal data that are looked for where they are listed. They are those of the pipeline, which a check of a
 * file does not load.
 */
export const OPTIONAL_PII_TYPES = [
  ...(['iban', 'gb_nhs_number', 'gb_nino', 'de_steuer_id', 'it_codice_fiscale'] as const),
  ...(['es_dni', 'es_nie', 'fr_nir', 'be_national_number', 'nl_bsn', 'at_svnr'] as const),
  ...(['ch_ahv', 'se_personnummer', 'no_fodselsnummer', 'dk_cpr', 'fi_hetu', 'ie_pps'] as const),
  ...(['pt_nif', 'gr_afm', 'gr_amka', 'pl_pesel', 'cz_sk_rodne_cislo', 'ro_cnp'] as const),
  ...(['bg_egn', 'hu_taj', 'hu_tax_id', 'hr_oib', 'tr_tckn', 'il_id', 'in_aadhaar'] as const),
  ...(['in_pan', 'cn_resident_id', 'jp_my_number', 'kr_rrn', 'sg_nric', 'au_tfn'] as const),
  ...(['au_medicare', 'ca_sin', 'mx_curp', 'mx_rfc', 'br_cpf', 'br_cnpj', 'cl_rut'] as const),
  ...(['ar_cuit', 'za_id'] as const),
] as const;

/** Types of injection. */
export const INJECTIONS = [
  ...(['prompt_injection', 'sql_injection'] as const),
  ...(['command_injection', 'xpath_injection'] as const),
] as const;

/** Categories of toxic content. */
export const TOXICITIES = [
  ...(['hate_speech', 'harassment', 'self_harm', 'violence', 'sexual_content'] as const),
] as const;

/** Types of secrets. */
export const SECRETS = [
  ...(['api_key', 'access_token', 'private_key', 'jwt'] as const),
  ...(['connection_string', 'webhook_url', 'password'] as const),
] as const;
