/**
 * The inside of a class of characters that show nothing (soft hyphen, joiners, direction marks, fillers,
 * variation selectors, tags, anchors of annotations and objects), of controls, blanks among them, and of
 * code points that are no characters; for expressions with the flag `u`.
 */
export const INVISIBLE_CLASS: string =
  '\\p{Default_Ignorable_Code_Point}\\p{Cc}\\p{Cs}\\p{Noncharacter_Code_Point}\\ufff9-\\ufffc';
