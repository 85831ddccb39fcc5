/** What may stand between a label and its number: `no. is`, `number: "`, `lautet`, `号码是`. */
export const BETWEEN_LABEL_AND_NUMBER =
  /^(?:[ ._-]{1,2}(?:number|no|nr|id|code|is|was)){0,2}[ .:#="'>]{0,4}$/i;
/** The same with words of more languages and with more signs. */
export const AFTER_LABEL =
  /^(?:[ ._/-]{0,2}(?:numbers?|num|no|nr|nro|n|id|code|details|is|was|are|to|at|on|me|numero|número|nummer|numer|numéro|lautet|ist|est|le|al|es|è|é|e|jest|op|på|auf|der|unter|pod|di|do|de)(?![a-zé])){0,4}[^\p{L}\d\n]{0,6}(?:[\u0370-\u1fff\u2e80-\ud7af]{1,5}[^\p{L}\d\n]{0,3})?$/iu;
/** What may stand between a label and its value where the value is on the next line. */
export const NEXT_LINE =
  /^(?: ?(?:number|no|nr|num|details|information))?[ \t]{0,4}[-:=#.*_|>"]{0,4}\s{1,8}[-*>|"' ]{0,4}(?:(?:id |document )?(?:number|no|nr|num|is)[ .:#]{1,3})?$/i;
export const LINE_END = /[\n\r\u2028\u2029]/;
