import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertLinearTime } from '@probity/test-support';
import { createPipeline, PII_RISK } from '../../../src/index.ts';
import type { NationalIdType } from '../../../src/pii/national/index.ts';
import {
  createNationalDetectors,
  NATIONAL_ID_TYPES,
  NATIONAL_IDS,
} from '../../../src/pii/national/index.ts';
import { lazyTokens } from '../../../src/tokens/tokens.ts';

/** Numbers that authorities and standards print as examples, each with a sentence that names it. */
const SPECIMENS: Readonly<
  Record<NationalIdType, readonly [sentence: string, ...values: string[]]>
> = {
  iban: ['IBAN: #', 'GB82 WEST 1234 5698 7654 32', 'DE89370400440532013000', 'NO93 8601 1117 947'],
  gb_nhs_number: ['His NHS number is #.', '943 476 5919', '4010232137'],
  gb_nino: ['National Insurance number: #', 'AB123456C', 'AB 12 34 56 C'],
  de_steuer_id: ['Steuer-ID: #', '86095742719', '47036892816', '65 929 970 489', '25768131411'],
  it_codice_fiscale: ['Codice fiscale #', 'RSSMRA85T10A562S', 'MRTMTT25D09F205Z'],
  es_dni: ['Mi DNI es #', '12345678Z', '99999999R', '12.345.678-Z'],
  es_nie: ['NIE: #', 'X1234567L', 'Y1234567X', 'Z1234567R'],
  fr_nir: ['Numéro de sécurité sociale : #', '255081416802538', '2 55 08 14 168 025 38'],
  be_national_number: ['Rijksregisternummer #', '85.07.30-033.28', '85073003328'],
  nl_bsn: ['BSN: #', '111222333', '123456782'],
  at_svnr: ['SV-Nummer #', '1237 010180', '1237010180'],
  ch_ahv: ['AHV-Nr. #', '756.1234.5678.97', '756.9217.0769.85'],
  se_personnummer: ['Personnummer: #', '811228-9874', '19811218-9876', '670919-9530'],
  no_fodselsnummer: ['Fødselsnummer #', '15076500050', '150765 00050'],
  dk_cpr: ['CPR-nr. #', '211062-5629', '0101011234'],
  fi_hetu: ['Henkilötunnus: #', '131052-308T', '131052A308T'],
  ie_pps: ['PPS number #', '1234567T', '1234567FA'],
  pt_nif: ['NIF: #', '123456789', '501 442 600'],
  gr_afm: ['ΑΦΜ: #', '094259216', '023456780'],
  gr_amka: ['AMKA #', '01013099997'],
  pl_pesel: ['PESEL: #', '44051401359', '02070803628'],
  cz_sk_rodne_cislo: ['rodné číslo #', '710319/2745', '7103192745'],
  ro_cnp: ['CNP: #', '1630615123457'],
  bg_egn: ['ЕГН: #', '7523169263', '8032056031', '6101057509'],
  hu_taj: ['TAJ szám: #', '111 111 110', '111111110'],
  hu_tax_id: ['adóazonosító jel: #', '8071592153'],
  hr_oib: ['OIB: #', '33392005961'],
  tr_tckn: ['TC kimlik no: #', '10000000146', '17291716060'],
  il_id: ['Teudat Zehut #', '123456782'],
  in_aadhaar: ['Aadhaar: #', '2341 2341 2346', '999941057058'],
  in_pan: ['PAN card #', 'ACUPA7085R', 'ABCPE1234F'],
  cn_resident_id: ['身份证号 #', '11010519491231002X', '440524188001010014'],
  jp_my_number: ['マイナンバー: #', '123456789018', '1234 5678 9018'],
  kr_rrn: ['주민등록번호: #', '820701-2409184'],
  sg_nric: ['NRIC: #', 'S1234567D', 'T1234567J', 'F1234567N', 'G1234567X', 'M1234567K'],
  au_tfn: ['TFN: #', '123 456 782', '123456782'],
  au_medicare: ['Medicare card #', '2123 45670 1', '2123456701'],
  ca_sin: ['Social Insurance Number #', '130 692 544', '130692544'],
  mx_curp: ['CURP: #', 'BOXW310820HNERXN09', 'HEGG560427MVZRRL04'],
  mx_rfc: ['RFC: #', 'GODE561231GR8', 'GODE-561231-GR8'],
  br_cpf: ['CPF: #', '390.533.447-05', '52998224725'],
  br_cnpj: ['CNPJ #', '11.222.333/0001-81', '11222333000181', '12.ABC.345/01DE-35'],
  cl_rut: ['RUT: #', '12.345.678-5', '12345678-5'],
  ar_cuit: ['CUIT #', '20-05536168-2', '20055361682'],
  za_id: ['SA ID number: #', '8001015009087', '800101 5009 087'],
};
/** These have no check digits, or none that is still kept. */
const FORM_ONLY: ReadonlySet<string> = new Set(['gb_nino', 'dk_cpr', 'in_pan', 'kr_rrn', 'mx_rfc']);
/** What ends in signs that are not the check digit. */
const CHECK_ELSEWHERE: ReadonlySet<string> = new Set(['ie_pps', 'au_medicare', 'at_svnr', 'iban']);
const TYPES = NATIONAL_ID_TYPES;

function pipelineWith(types: readonly string[]) {
  return createPipeline({ stages: [{ name: 'pii_scanner', options: { types } }] });
}

describe('optional types of pii_scanner', () => {
  it('finds the specimens of every type, each with its own type alone and beside all others', async () => {
    const all = pipelineWith([...TYPES, ...Object.keys(PII_RISK)]);
    for (const type of TYPES) {
      const own = pipelineWith([type]);
      const [sentence, ...values] = SPECIMENS[type];
      for (const value of values) {
        const text = sentence.replace('#', value);
        const start = sentence.indexOf('#');
        const [found, ...more] = (await own.scan({ response: text })).findings;
        assert.deepEqual(
          [found?.type, found?.start, found?.end],
          [type, start, start + value.length],
          text,
        );
        assert.equal(more.length, 0);
        assert.ok(!found?.reason.includes(value));
        const { findings } = await all.scan({ response: text });
        assert.ok(
          findings.some((each) => each.start <= start && each.end >= start + value.length),
          text,
        );
      }
    }
  });

  it('finds no specimen with another check digit', () => {
    for (const { type, pattern } of NATIONAL_IDS) {
      if (FORM_ONLY.has(type) || CHECK_ELSEWHERE.has(type)) continue;
      const detect = createNationalDetectors(new Set([type])).get(type);
      const [sentence, ...values] = SPECIMENS[type];
      for (const value of values) {
        const right = value.at(-1) as string;
        const signs = /\d/.test(right) ? '0123456789' : 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
        const others = [...signs]
          .filter((sign) => sign !== right)
          .map((sign) => value.slice(0, -1) + sign);
        const taken = others.filter((other) => {
          const text = sentence.replace('#', other);
          return detect?.(text, { tokens: lazyTokens(text) }).length !== 0;
        });
        assert.ok(taken.length === 0, `${type} ${pattern}: ${taken}`);
      }
    }
  });

  it('takes few random numbers for values, even with a word for the type near', () => {
    let state = 42;
    const digits = (count: number) =>
      Array.from({ length: count }, () => {
        state = (Math.imul(state, 1103515245) + 12345) >>> 0;
        return String((state >>> 16) % 10);
      }).join('');
    for (const { type, validate } of NATIONAL_IDS) {
      const plain = SPECIMENS[type]
        .map((value) => value.replace(/[ ./-]/g, ''))
        .find((value) => /^\d+$/.test(value));
      if (plain === undefined || FORM_ONLY.has(type)) continue;
      const taken = Array.from({ length: 500 }, () => digits(plain.length)).filter((value) =>
        validate(value),
      );
      assert.ok(taken.length < 500 * 0.13, `${type}: ${taken.length}`);
    }
  });

  it('leaves numbers that say little alone without a word, and other texts altogether', async () => {
    const pipeline = pipelineWith(TYPES);
    const harmless = [
      ...TYPES.filter((type) => !NATIONAL_IDS.find((row) => row.type === type)?.alone).map(
        (type) => `Order ${SPECIMENS[type][1]} was sent.`,
      ),
      'Call +1 415 555 2671 or 020 7946 0018, fax 030 1234567.',
      'Invoice 2024-001234, customer 12345678, total 1.234.567,89 EUR, 12.345.678 items.',
      'ISBN 978-3-16-148410-0, EAN 4006381333931, IMEI 490154203237518.',
      'tracking 1Z999AA10123456784, 00340434161094042557, RR123456785GB',
      'version 10.20.30-405.60, build 20240115, 2024-01-15T10:20:30.123Z, 15.01.2024, 01/02/2024',
      'commit 9fceb02d0ae598e95dc970b74767f19372d61af8, sha512-AbCdEf1234567890+/==',
      '"resolved": "x-1.2.3.tgz", "integrity": "sha512-0123456789", "lodash@4.17.21": 4172100000',
      'The population grew from 8 336 817 to 8 804 190; unix time 1700000000, 1700000000123.',
      'GPS 52.520008, 13.404954; 4111 is a room; part AB1234567 of 2.4.6.8; ratio 1-2345678-9',
      'Mein Name ist Anna, ich wohne seit 2019 in Wien und zahle 1200 Euro im Monat.',
    ];
    for (const text of harmless) {
      const { findings } = await pipeline.scan({ response: text });
      assert.deepEqual(
        findings.map(({ type }) => type),
        [],
        text,
      );
    }
  });

  it('is off unless listed, and `types` chooses among the seven as well', async () => {
    const usual = createPipeline({ stages: [{ name: 'pii_scanner' }] });
    const text = 'CPF: 390.533.447-05, mail anna@example.org';
    assert.deepEqual(
      (await usual.scan({ response: text })).findings.map(({ type }) => type),
      ['email'],
    );
    const chosen = await pipelineWith(['br_cpf']).scan({ response: text });
    assert.deepEqual(
      chosen.findings.map(({ type }) => type),
      ['br_cpf'],
    );
    assert.ok(Math.abs((chosen.scores.pii ?? 0) - 0.95 * 0.97) < 1e-9);
    assert.throws(
      () => pipelineWith(['br_cfp']),
      /stages\.pii_scanner\.options\.types\[0\]: expected one of .*; got "br_cfp"\. Did you mean br_cpf\?/,
    );
  });

  it('takes time linear in the text with every type on', async () => {
    const pipeline = pipelineWith(TYPES);
    for (const unit of ['123456', 'AB12 ', '1.2-', 'cpf 390.533.447-05 ']) {
      const short = unit.repeat(8_192 / unit.length);
      const scan = (response: string) => () => pipeline.scan({ response });
      await assertLinearTime(scan(short), scan(short.repeat(8)), unit);
    }
  });
});
