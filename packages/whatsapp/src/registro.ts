/** Writes a log line. Must contain no message text and no key. */
export type Registrar = (erro: unknown, oQue: string) => void
