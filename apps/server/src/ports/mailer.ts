export interface Mail {
  readonly para: string
  readonly assunto: string
  readonly texto: string
}

/** Sends one mail now. Throws when the service refuses it; the caller keeps it and tries again. */
export interface Mailer {
  /** False without `SMTP_URL`: mails are kept and shown to the administrator. */
  readonly configurado: boolean
  readonly send: (mail: Mail) => Promise<void>
}
