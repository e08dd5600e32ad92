/** Apart from `passkey.ts`, whose schemas the first load of the login leaves out. */
export const hasPasskeys = (): boolean => 'PublicKeyCredential' in window && 'credentials' in navigator
