/* oxlint-disable no-console -- this is the one place that knows what may be printed */

const METODOS = ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const
/** The frame of whoever called: the first two are the error and this module. */
const DO_LIBSIGNAL = /[\\/]libsignal[\\/]/

/**
 * libsignal prints sessions, private keys and all, whenever one is replaced. What it prints is dropped; what anybody else
 * prints goes through as before. Returns how to take it back.
 */
export function calarLibsignal(): () => void {
  const desfazer = METODOS.map((metodo) => {
    const original = console[metodo]
    console[metodo] = (...args: unknown[]): void => {
      const quem = new Error().stack?.split('\n')[2] ?? ''
      if (!DO_LIBSIGNAL.test(quem)) original.apply(console, args)
    }
    return () => {
      console[metodo] = original
    }
  })
  return () => desfazer.forEach((voltar) => voltar())
}
