/** The most parameters of a query or a form. A search has at most 20 of them, besides those for its page. */
export const maxParameters = 100;

/** The most characters of a query or a form: enough for 500 references with ids of the greatest length. */
export const maxParameterText = 64 * 1024;

/** Whether a query or a form is too long to be parsed. It is decided before anything is parsed. */
export const hasTooManyParameters = (text: string): boolean => {
  if (text.length > maxParameterText) return true;
  let end = -1;
  for (let count = 0; count < maxParameters; count += 1) {
    end = text.indexOf('&', end + 1);
    if (end === -1) return false;
  }
  return true;
};
