/** The token that every request carries. */
export const token = 'bench-token-of-a-practitioner';
