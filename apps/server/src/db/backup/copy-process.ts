import { spawn } from 'node:child_process'
import { join } from 'node:path'

const CLI = join(import.meta.dirname, '..', '..', 'cli.ts')

/** Makes a copy in a child process, so that reading and encrypting do not delay requests. */
export function copyInProcess(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CLI, 'copia'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      windowsHide: true,
      signal,
    })
    let said = ''
    child.stderr.on('data', (part: Buffer) => (said += part.toString()))
    child.on('error', reject)
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(said.trim() || `copy ended with ${code}`))))
  })
}
