declare module 'steplix-emv-qrcps' {
  interface Code {
    /** One line for each field: number, length, value. */
    readonly rawData: () => string
    /** The whole code again, with check digits of the library. */
    readonly generatePayload: () => string
  }
  const emv: { readonly Merchant: { readonly Parser: { readonly toEMVQR: (code: string) => Code } } }
  export default emv
}
