import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import * as z from 'zod'
import { openBotBench } from '@balcao/server/bench'
import { benchConfig } from '../messages/config.ts'
import { pause } from '../messages/meters.ts'
import { atMost, figure, type Section, shown } from '../report.ts'

const SESSIONS = 200
const LINES = 20
const SETTLE_MS = 3_000

const bytesSchema = z.object({ accounts: z.number(), lines: z.number() })

/** Runs in a separate process, so that its heap holds the sessions alone. */
export async function measureLineMemory(): Promise<Section> {
  const child = spawn(process.execPath, [import.meta.filename], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')])
  const { accounts, lines } = bytesSchema.parse(JSON.parse(output))
  return {
    title: `Lines: memory of ${SESSIONS} connected sessions of the simulador`,
    lines: [
      shown('heap of a session, accounts with one line', figure(Math.round(accounts), 'B')),
      shown(`heap of a session, accounts with ${LINES} lines`, figure(Math.round(lines), 'B')),
      atMost(`heap with ${LINES} lines over heap with one`, lines / accounts, 1, '×'),
    ],
    notes: ['After a forced collection, buffers included. The bot runtime without HTTP.'],
  }
}

/** The measured process. */
async function measureHere(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const gc: unknown = runInNewContext('gc')
  const botBench = await openBotBench({ config: benchConfig() })
  const heap = async (): Promise<number> => {
    await pause(SETTLE_MS)
    if (typeof gc === 'function') gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return heapUsed + arrayBuffers
  }
  const connect = async (lines: number): Promise<number> => {
    const before = await heap()
    for (let n = 0; n < SESSIONS; n += lines) await botBench.createConta({ lines })
    return ((await heap()) - before) / SESSIONS
  }
  // Compiles the code and opens the connections.
  await connect(1)
  await connect(LINES)
  const bytes = { accounts: await connect(1), lines: await connect(LINES) }
  await botBench.close()
  process.stdout.write(JSON.stringify(bytes))
}

if (process.argv[1] === import.meta.filename) {
  await measureHere()
  process.exit(0)
}
