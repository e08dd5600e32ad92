import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { chromeArguments, endProfileProcesses, findProfileProcesses, memoryOf } from '@balcao/server/bench'
import { figure, type Line, type Section, shown } from '../report.ts'

const CHROME = process.env['CHROME_BIN'] ?? '/usr/bin/chromium'
const BROWSER_STEPS = [1, 3] as const
/** A browser starts more processes for a while after it answers. */
const SETTLE_MS = 5_000
const withoutSandbox = process.getuid?.() === 0

export async function measureBrowserSessions(): Promise<Section> {
  const dir = await mkdtemp(join(tmpdir(), 'balcao-navegadores-'))
  const pastas: string[] = []
  const lines: Line[] = []
  const aberturas: number[] = []
  for (const step of BROWSER_STEPS) {
    while (pastas.length < step) {
      const pasta = join(dir, `perfil-${pastas.length}`)
      aberturas.push(await openProfile(pasta))
      pastas.push(pasta)
    }
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
    const arvores = await Promise.all(pastas.map(findProfileProcesses))
    const measures = await Promise.all(arvores.map(memoryOf))
    const mb = measures.reduce<number>((sum, medida) => sum + (medida ?? 0), 0) / 2 ** 20
    const processes = arvores.reduce((sum, tree) => sum + tree.length, 0)
    const count = step === 1 ? 'one browser' : `${step} browsers`
    lines.push(shown(`${count}, blank page: memory`, figure(mb, 'MB')))
    lines.push(shown(`${count}: for each session`, figure(mb / step, 'MB')))
    lines.push(shown(`${count}: processes`, String(processes)))
    process.stderr.write(`bench · whatsapp · ${count}\n`)
  }
  lines.push(shown('opening one, median', figure(aberturas.toSorted((a, b) => a - b)[1] ?? 0, 'ms')))
  for (const pasta of pastas) await endProfileProcesses(pasta)
  await rm(dir, { recursive: true, force: true })
  return {
    title: 'WhatsApp: sessions in a browser',
    lines,
    notes: [
      'Proportional set size of all processes, with the arguments of the connector `navegador`. A shared memory page counts in part. The page of WhatsApp needs the network and was not measured; its memory is additional.',
    ],
  }
}

async function openProfile(folder: string): Promise<number> {
  const start = performance.now()
  const request = ['--headless=new', '--remote-debugging-port=0', `--user-data-dir=${folder}`, 'about:blank']
  const chrome = spawn(CHROME, [...chromeArguments({ withoutSandbox }), ...request], {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await new Promise<void>((resolve, reject) => {
    chrome.once('error', reject)
    chrome.once('exit', () => reject(new Error('browser did not open')))
    chrome.stderr.on('data', (said) => String(said).includes('DevTools listening') && resolve())
  })
  return performance.now() - start
}
