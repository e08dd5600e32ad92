import { generateSync } from 'otplib'

/** The code that an authenticator app shows at this time. */
export const codeAt = (secret: string, at: Date): string =>
  generateSync({ secret, epoch: Math.floor(at.getTime() / 1000) })
