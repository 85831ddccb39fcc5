/**
 * Letters of the scripts that write blanks between words, for character classes. In Chinese, Japanese,
 * Korean or Thai a number follows a word directly, so a letter beside it says nothing there.
 */
export const SPACED_LETTERS =
  'A-Za-z\\u00aa\\u00b5\\u00ba\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u02af\\u0370-\\u060b\\u060d-\\u061a' +
  '\\u0620-\\u0963\\u0970-\\u0dff\\u10a0-\\u10ff\\u1e00-\\u1fff';
