import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPipeline } from '../../src/index.ts';
import { languageOf } from '../../src/language/text-language.ts';

const pipeline = createPipeline({ stages: [{ name: 'hallucination_detector' }] });

interface Answers {
  readonly source: string;
  readonly right: readonly string[];
  readonly wrong: readonly string[];
}

const ANSWERS: Readonly<Record<string, Answers>> = {
  de: {
    source:
      'Das Museum ist von Dienstag bis Sonntag von 10 bis 18 Uhr geöffnet. Der Eintritt kostet 12,50 Euro, Kinder unter sechs Jahren zahlen nichts. Führungen dauern höchstens 90 Minuten. Das Haus wurde am 3. März 2011 eröffnet und hat 1.250 Bilder. Fotografieren ist nicht erlaubt.',
    right: [
      'Der Eintritt kostet 12,50 Euro.',
      'Das Haus wurde am 03.03.2011 eröffnet.',
      'Das Haus hat 1250 Bilder.',
      'Führungen dauern höchstens 90 Minuten.',
      'Der Text sagt nichts über Parkplätze.',
    ],
    wrong: [
      'Der Eintritt kostet 15,50 Euro.',
      'Das Haus wurde am 03.05.2011 eröffnet.',
      'Das Haus hat 1.350 Bilder.',
      'Führungen dauern höchstens 45 Minuten.',
      'Das Museum ist von Dienstag bis Samstag von 10 bis 18 Uhr geöffnet.',
    ],
  },
  fr: {
    source:
      "Le musée est ouvert du mardi au dimanche de 10 h à 18 h 30. L'entrée coûte 12,50 euros, et les enfants de moins de six ans ne paient pas. La visite dure 90 minutes. Le bâtiment a été inauguré le 3 mars 2011 et compte 1 250 tableaux. Il n'est pas permis de photographier.",
    right: [
      "L'entrée coûte 12,50 euros.",
      'Le bâtiment compte 1250 tableaux.',
      'Le musée est ouvert du mardi au dimanche de 10 h à 18:30.',
      "Le texte n'indique pas où se garer.",
    ],
    wrong: [
      "L'entrée coûte 15,50 euros.",
      'Le bâtiment compte 1 350 tableaux.',
      'Le musée est ouvert du mardi au samedi de 10 h à 18 h 30.',
      'Le bâtiment a été inauguré le 3 mai 2011.',
    ],
  },
  es: {
    source:
      'El museo abre de martes a domingo de 10:00 a 18:00. La entrada cuesta 12,50 euros y los niños menores de seis años no pagan. La visita dura 90 minutos. El edificio se inauguró el 3 de marzo de 2011 y tiene 1.250 cuadros. No está permitido hacer fotos.',
    right: [
      'La entrada cuesta 12,50 euros.',
      'El edificio tiene 1250 cuadros.',
      'La visita dura 90 minutos.',
      'El texto no menciona el aparcamiento.',
    ],
    wrong: [
      'La entrada cuesta 15,50 euros.',
      'El edificio tiene 1.350 cuadros.',
      'La visita dura 45 minutos.',
      'El edificio se inauguró el 3 de mayo de 2011.',
    ],
  },
};

async function scoreOf(response: string, source: string, prompt?: string) {
  const { scores } = await pipeline.scan({
    response,
    context: [source],
    ...(prompt !== undefined && { prompt }),
  });
  return scores.hallucination;
}

describe('claims in German, French and Spanish', () => {
  for (const [tag, { source, right, wrong }] of Object.entries(ANSWERS)) {
    it(`hallucination_detector accepts ${tag} claims with other forms of numbers`, async () => {
      for (const response of right) {
        const score = await scoreOf(response, source);
        assert.ok(score !== null && score !== undefined && score < 0.8, `${response}: ${score}`);
      }
    });

    it(`hallucination_detector flags ${tag} claims with a wrong number, date or day`, async () => {
      for (const response of wrong) {
        const score = await scoreOf(response, source);
        assert.ok((score ?? 0) >= 0.8, `${response}: ${score}`);
      }
    });
  }

  it('hallucination_detector compares German, French and Spanish claims with values of data', async () => {
    const source = JSON.stringify({
      order: 'A-771',
      delivery: '2026-02-13',
      total: 1440.38,
      departure: '17:04',
    });
    const right: readonly [string, string][] = [
      ['Wann kommt das Paket an?', 'Die Lieferung kommt am 13.02.2026.'],
      ['Wann kommt das Paket an?', 'Die Lieferung kommt am 13. Februar.'],
      ['Quel est le total ?', 'Le total est de 1 440,38 euros.'],
      ['À quelle heure part le train ?', 'Le départ est à 17 h 04.'],
      ['¿Cuánto es en total?', 'El total es de 1.440,38 euros.'],
    ];
    for (const [prompt, response] of right) {
      const score = await scoreOf(response, source, prompt);
      assert.ok((score ?? 1) < 0.5, `${response}: ${score}`);
    }
    const wrong: readonly [string, string][] = [
      ['Wann kommt das Paket an?', 'Die Lieferung kommt am 14.02.2026.'],
      ['Combien dois-je ?', 'Votre commande coûte 1 540,38 euros.'],
      ['À quelle heure part le train ?', 'Le départ est à 18 h 14.'],
    ];
    for (const [prompt, response] of wrong) {
      const score = await scoreOf(response, source, prompt);
      assert.ok((score ?? 0) >= 0.8, `${response}: ${score}`);
    }
  });

  it('hallucination_detector accepts a number that the user stated before the question', async () => {
    const rule = 'Das Mindestalter beträgt 10 Jahre. Gruppen haben höchstens sieben Personen.';
    const prompt = 'Meine Tochter ist 15. Darf sie mitmachen?';
    const score = await scoreOf('Ja, mit 15 Jahren kann sie mitmachen.', rule, prompt);
    assert.ok((score ?? 1) < 0.8, `${score}`);
  });

  it('hallucination_detector judges no translation of its source', async () => {
    const english = 'The meeting is at 3 pm in room 204.';
    const german = 'Die Besprechung ist um 15 Uhr in Raum 204.';
    const translations = [
      ['Translate to German.', english, german],
      ['Übersetze ins Englische.', german, english],
      ['Translate to French.', english, 'La réunion est à 15 h dans la salle 204.'],
      ['Translate to Spanish.', english, 'La reunión es a las 15:00 en la sala 204.'],
    ] as const;
    for (const [prompt, source, response] of translations) {
      assert.equal(await scoreOf(response, source, prompt), null, response);
    }
  });

  it('languageOf finds the language of the words of grammar, and none for a neighbor', () => {
    assert.equal(languageOf('The park is open every day of the week.'), 'en');
    assert.equal(languageOf('Der Park ist an jedem Tag der Woche geöffnet.'), 'de');
    assert.equal(languageOf("L'entrée est gratuite pour les enfants."), 'fr');
    assert.equal(languageOf('La entrada es gratuita para los niños.'), 'es');
    assert.notEqual(languageOf('A entrada não é gratuita para os adultos.'), 'es');
    assert.notEqual(languageOf("L'ingresso non è gratuito per gli adulti."), 'fr');
    assert.equal(languageOf('42'), undefined);
  });
});
