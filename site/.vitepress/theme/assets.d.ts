declare module '*.css';

declare module '*.png' {
  /** The address of the picture. */
  const address: string;
  export default address;
}
