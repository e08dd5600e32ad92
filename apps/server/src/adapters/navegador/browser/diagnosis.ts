import { execFile } from 'node:child_process'
import { chromeArguments } from './library.ts'
import type { LaunchOptions } from './library.ts'

const TIMEOUT_MS = 20_000

/**
 * Finds out why a browser did not open. Through the pipe the library sees no error text, so the browser is started
 * again with a blank page. Resolves with a launch error, or with null when the browser opens.
 */
export function diagnoseLaunch({ executable, profile, withoutSandbox }: LaunchOptions): Promise<Error | null> {
  const request = ['--headless=new', '--no-first-run', `--user-data-dir=${profile}`, '--dump-dom', 'about:blank']
  return new Promise((resolve) => {
    execFile(
      executable,
      [...chromeArguments({ withoutSandbox }), ...request],
      { timeout: TIMEOUT_MS, killSignal: 'SIGKILL' },
      (error, stdout, stderr) => {
        if (error === null && stdout.includes('<html')) return resolve(null)
        resolve(new Error(`Failed to launch the browser process: ${error?.message ?? 'no page'}\n${stderr}`))
      },
    )
  })
}
