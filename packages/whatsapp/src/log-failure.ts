/** Writes a log line. Must contain no message text and no key. */
export type LogFailure = (error: unknown, oQue: string) => void
