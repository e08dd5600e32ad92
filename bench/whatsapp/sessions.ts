import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createTestHost, createWhatsapp, newDisk, newMessage, type TestHost } from '@balcao/whatsapp/rede-falsa'
import { createKeyStore } from './key-store.ts'
import { commandSchema, type MeasuredReport } from './commands.ts'

/** The measured process: sessions only. The network, its phones and its customers run in the parent. */

// As the server does: a rejection that the library leaves unhandled when a connection is cut must not end the
// process.
process.on('unhandledRejection', () => undefined)
setFlagsFromString('--expose-gc')
const gc: unknown = runInNewContext('gc')
const [url = '', file = ':memory:'] = process.argv.slice(2)
const keyStore = createKeyStore(file)
const createSession = createWhatsapp({ url, logFailure: () => undefined, delays: () => 0 })
const report = (relato: MeasuredReport): void => void process.send?.(relato)

interface LiveSession {
  readonly host: TestHost
  readonly connector: ReturnType<typeof createSession>
}

const disks: ReturnType<typeof newDisk>[] = []
let liveSessions: LiveSession[] = []

function startSession(n: number, disk: ReturnType<typeof newDisk>): LiveSession {
  const base = createTestHost(disk)
  const host: TestHost = {
    ...base,
    keys: keyStore.keysOf(n),
    linkState: async (state) => {
      await base.linkState(state)
      if (state.tipo === 'pareando') report({ tipo: 'codigo', n, qrCode: state.qrCode })
      if (state.tipo === 'conectado') report({ tipo: 'aberta', n })
    },
    receive: async (received) => {
      await base.receive(received)
      void conector.send(newMessage(received.endereco, received.texto))
    },
  }
  const conector = createSession(host)
  return { host, connector: conector }
}

/** `limpo`: collects garbage first, as V8 does when a process is idle. */
function measure(collected: boolean): void {
  if (collected && typeof gc === 'function') gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  report({ tipo: 'medida', rss, heap: heapUsed, cpuMs: (user + system) / 1_000 })
}

process.on('message', (raw) => {
  const order = commandSchema.parse(raw)
  switch (order.faz) {
    case 'parear': {
      const disco = newDisk()
      disks.push(disco)
      const alive = startSession(disks.length - 1, disco)
      liveSessions.push(alive)
      void alive.connector.start()
      return
    }
    case 'fechar':
      void Promise.all(liveSessions.map(({ connector }) => connector.stop())).then(() => report({ tipo: 'fechadas' }))
      return
    case 'reabrir':
      liveSessions = disks.map((disco, n) => startSession(n, disco))
      for (const { connector } of liveSessions) void connector.start()
      return
    case 'medir':
      return measure(true)
    case 'medirAssim':
      return measure(false)
    default:
      return order.faz satisfies never
  }
})
report({ tipo: 'pronto' })
