/** The part of pngjs that tests use; it comes without types. */
declare module 'pngjs' {
  export const PNG: { readonly sync: { read(png: Buffer): { width: number; height: number; data: Buffer } } };
}
