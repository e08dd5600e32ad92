/** Writes a log line. Must contain no message text and no key. */
export type LogFailure = (erro: unknown, oQue: string) => void
