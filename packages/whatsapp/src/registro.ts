/** Tells the engineers. Never what was said, never a key. */
export type Registrar = (erro: unknown, oQue: string) => void
