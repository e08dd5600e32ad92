import { execFile } from 'node:child_process'
import { argumentos } from './biblioteca.ts'
import type { Abertura } from './biblioteca.ts'

const PRAZO_MS = 20_000

/**
 * Why a browser did not open. Over the pipe the library learns only that nobody answers, so the browser is asked once more,
 * for a blank page, and heard. Resolves with an error in the words of a failed launch, or with null when it opens by itself.
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
