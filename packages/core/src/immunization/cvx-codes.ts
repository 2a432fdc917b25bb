/**
 * The codes of CVX that the CDC had published on 3 September 2025: the first and the last number of each run. A code has at least two
 * digits, such as 03. Source: https://www2.cdc.gov/vaccines/iis/iisstandards/vaccines.asp?rpt=cvx, as HL7 lists it in table 0292 of
 * version 2.9, and in the value set immunization-all-cvx of SMART Health Cards, version 20250903.
 */
const published: readonly (readonly [first: number, last: number])[] = [
  [1, 123],
  [125, 198],
  [200, 208],
  [210, 231],
  [300, 333],
  [500, 521],
  [801, 801],
  [998, 999],
];

/** Whether a code is in the published table of CVX. One that was published later is not. */
export const isCvxCode = (code: string): boolean => {
  const number = Number(code);
  const isWellFormed = /^(0[1-9]|[1-9]\d\d?)$/.test(code);
  return isWellFormed && published.some(([first, last]) => first <= number && number <= last);
};
