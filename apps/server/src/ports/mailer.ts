export interface Mail {
  readonly para: string
  readonly assunto: string
  readonly texto: string
}

/** Sends one e-mail now. Throws when the service refuses it; the caller retries. */
export interface Mailer {
  /** False without `SMTP_URL`: e-mails are stored and shown to the administrator. */
  readonly configured: boolean
  readonly send: (mail: Mail) => Promise<void>
}
