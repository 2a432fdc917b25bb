/** The patient and the time of an appointment. */
export type Booking = { readonly patientId: string; readonly time: string };

/** Parses the body of a booking request; returns null if it is not valid. */
export const parseBooking = (body: unknown): Booking | null => {
  const { patientId, time } = (body ?? {}) as { readonly [name: string]: unknown };
  return typeof patientId === 'string' && typeof time === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(time)
    ? { patientId, time }
    : null;
};

export const bookingHint = { error: 'Send JSON such as { "patientId": "7", "time": "2030-05-01T09:30" }.' };
