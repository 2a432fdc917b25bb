/** The token of every request. */
export const token = 'bench-token-of-a-practitioner';
