import { execFile } from 'node:child_process'
import { argumentos } from './biblioteca.ts'
import type { Abertura } from './biblioteca.ts'

const PRAZO_MS = 20_000

/**
 * Finds out why a browser did not open. Through the pipe the library sees no error text, so the browser is started
 * again with a blank page. Resolves with a launch error, or with null when the browser opens.
 */
export function diagnosticar({ executavel, perfil, semProtecao }: Abertura): Promise<Error | null> {
  const pedido = ['--headless=new', '--no-first-run', `--user-data-dir=${perfil}`, '--dump-dom', 'about:blank']
  return new Promise((resolve) => {
    execFile(
      executavel,
      [...argumentos({ semProtecao }), ...pedido],
      { timeout: PRAZO_MS, killSignal: 'SIGKILL' },
      (error, stdout, stderr) => {
        if (error === null && stdout.includes('<html')) return resolve(null)
        resolve(new Error(`Failed to launch the browser process: ${error?.message ?? 'no page'}\n${stderr}`))
      },
    )
  })
}
