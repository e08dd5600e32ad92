/* oxlint-disable no-console -- this file filters what the library prints */

const METHODS = ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const
/** The third frame of the stack is the caller, after the error and this module. */
const LIBSIGNAL_FRAME = /[\\/]libsignal[\\/]/

/**
 * libsignal prints sessions with private keys when it replaces one. Its output is dropped, all other output is
 * kept. Returns a function that restores the console.
 */
export function silenceLibsignal(): () => void {
  const undo = METHODS.map((method) => {
    const original = console[method]
    console[method] = (...args: unknown[]): void => {
      const quem = new Error().stack?.split('\n')[2] ?? ''
      if (!LIBSIGNAL_FRAME.test(quem)) original.apply(console, args)
    }
    return () => {
      console[method] = original
    }
  })
  return () => undo.forEach((voltar) => voltar())
}
