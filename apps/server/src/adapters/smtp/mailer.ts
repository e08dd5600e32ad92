import { createTransport } from 'nodemailer'
import type { Mailer } from '#ports/mailer.ts'

/** Of each step, also for a server that accepts the connection and never answers. */
const TIMEOUT_MS = 10_000

export interface SmtpOptions {
  readonly url?: string | undefined
  readonly de?: string
}

/** Sends through `SMTP_URL`. Without it mails stay in the queue, where the administrator reads them. */
export function createSmtpMailer({ url, de = '' }: SmtpOptions): Mailer {
  if (url === undefined) {
    return { configured: false, send: () => Promise.reject(new Error('SMTP_URL is not set')) }
  }
  const transport = createTransport({
    url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    configured: true,
    send: async ({ para, assunto, texto }) => {
      // An address object instead of a string: a string could contain several recipients.
      await transport.sendMail({ from: de, to: { name: '', address: para }, subject: assunto, text: texto })
    },
  }
}
